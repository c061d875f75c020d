import { Buffer } from "node:buffer";
import { durationParts } from "./duration-units.js";

const label = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const uuid = (version: string) =>
  new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${version}[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$`, "i");

const ipv4 = /^((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(?!$)|$)){4}$/;

/** Patterns and checks of string formats, by OpenAPI format name without dashes. */
const patterns: Readonly<Record<string, RegExp | ((text: string) => boolean)>> = {
  bsonobjectid: /^[0-9a-f]{24}$/i,
  uri: (text) => /^([a-z][a-z0-9+.-]*:\S*|\/\S*)$/i.test(text),
  email: /^[^\s@<>]+@[^\s@<>]+$/,
  hostname: isHostname,
  ipv4,
  ipv6: isIpv6,
  cidr: isCidr,
  mac: /^([0-9a-f]{2}([:-])([0-9a-f]{2}\2){4,18}[0-9a-f]{2}|([0-9a-f]{4}\.){2,9}[0-9a-f]{4})$/i,
  uuid: uuid("[0-9a-f]"),
  uuid3: uuid("3"),
  uuid4: /^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i,
  uuid5: /^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i,
  isbn: (text) => isbn10(text) || isbn13(text),
  isbn10,
  isbn13,
  creditcard: (text) => /^(\d[ -]?){12,18}\d$/.test(text),
  ssn: /^\d{3}[- ]?\d{2}[- ]?\d{4}$/,
  hexcolor: /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i,
  rgbcolor: /^rgb\(\s*\d{1,3}\s*,\s*\d{1,3}\s*,\s*\d{1,3}\s*\)$/i,
  byte: /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
  password: () => true,
  date: (text) => /^\d{4}-\d\d-\d\d$/.test(text) && isDay(text),
  duration: isDuration,
  datetime: (text) =>
    /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)?$/.test(text) &&
    isDay(text.slice(0, 10)),
  k8sshortname: (text) => text.length <= 63 && new RegExp(`^${label}$`).test(text),
  k8slongname: (text) => text.length <= 253 && new RegExp(`^${label}(\\.${label})*$`).test(text),
};

/** Returns whether current servers validate a format for values of a type. Other formats are ignored. */
export function isKnownFormat(format: string, type: string): boolean {
  switch (type) {
    case "":
    case "string":
      return Object.hasOwn(patterns, normalized(format));
    case "integer":
      return format === "int32" || format === "int64";
    case "number":
      return format === "float" || format === "double";
    default:
      return false;
  }
}

/** Returns whether a string has a format; unknown formats always match. */
export function hasFormat(text: string, format: string): boolean {
  const check = patterns[normalized(format)];
  return check === undefined || (check instanceof RegExp ? check.test(text) : check(text));
}

function normalized(format: string): string {
  return format.replaceAll("-", "");
}

function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

/** A character of a host name; symbols and letters of any script count. */
const letter = "[a-zA-Z0-9\\p{S}\\p{L}]";
const onlyLabel = new RegExp(`^${letter}-?${letter}*$`, "u");
const innerLabel = new RegExp(`^${letter}(?:(?:${letter}|-)*${letter})?$`, "u");
const lastLabel = new RegExp(`^${letter}(?:-?${letter})+$`, "u");

/** A name without dots may have a dash only after its first character. (kube-openapi `strfmt.IsHostname`) */
function isHostname(text: string): boolean {
  const labels = text.split(".");
  const last = labels.pop() ?? "";
  const fits =
    labels.length === 0
      ? onlyLabel.test(last)
      : lastLabel.test(last) && labels.every((label) => innerLabel.test(label));
  const bytes = (part: string) => Buffer.byteLength(part);
  return fits && bytes(text) <= 255 && [...labels, last].every((label) => bytes(label) <= 63);
}

const goDuration = /^[-+]?(?:0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|\u00b5s|\u03bcs|ms|s|m|h))+)$/;
const maxInt64 = 2n ** 63n - 1n;

/**
 * Returns whether a text is a duration in Go's form, or has a number with a unit anywhere: `3 days`, but also `P1D`.
 * (kube-openapi `strfmt.ParseDuration`)
 */
function isDuration(text: string): boolean {
  if (goDuration.test(text)) {
    return true;
  }
  const parts = durationParts(text);
  return (
    parts.every(({ count }) => count <= maxInt64) && parts.some(({ units }) => units.length > 0)
  );
}

function isIpv6(text: string): boolean {
  if (!text.includes(":") || /[^0-9a-f:.]/i.test(text)) {
    return false;
  }
  try {
    return new URL(`http://[${text}]/`).hostname !== "";
  } catch {
    return false;
  }
}

function isCidr(text: string): boolean {
  const [address = "", bits = "", ...more] = text.split("/");
  const most = ipv4.test(address) ? 32 : isIpv6(address) ? 128 : -1;
  return more.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= most;
}

function isbn10(text: string): boolean {
  const digits = text.replace(/[\s-]/g, "");
  const sum = [...digits].reduce(
    (total, digit, at) => total + (10 - at) * (digit === "X" ? 10 : Number(digit)),
    0,
  );
  return /^\d{9}[\dX]$/.test(digits) && sum % 11 === 0;
}

function isbn13(text: string): boolean {
  const digits = text.replace(/[\s-]/g, "");
  const sum = [...digits].reduce(
    (total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 1 : 3),
    0,
  );
  return /^\d{13}$/.test(digits) && sum % 10 === 0;
}
