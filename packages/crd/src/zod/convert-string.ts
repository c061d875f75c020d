import type { JsonObject } from "@typekube/core/internal/json";
import { type $ZodType, regexes } from "zod/v4/core";
import type { Conversion } from "./conversion.js";
import { readChecks, type StringFormat } from "./read-checks.js";
import { toRe2 } from "./to-re2.js";

/** Formats that servers validate themselves, by zod's name. For others the pattern is kept. */
const serverFormats: Readonly<Record<string, string>> = {
  base64: "byte",
  credit_card: "creditcard",
  date: "date",
  datetime: "date-time",
  email: "email",
  guid: "uuid",
  hostname: "hostname",
  ipv4: "ipv4",
  ipv6: "ipv6",
  mac: "mac",
  url: "uri",
  uuid: "uuid",
};
const uuidVersions: ReadonlySet<string> = new Set(["v3", "v4", "v5"]);
const regexHint = "use z.string().regex() with an expression of RE2";

/** Converts `z.string()`, the formats such as `z.email()`, and template literals. */
export function convertString(schema: $ZodType, place: Conversion): JsonObject {
  if ((schema._zod.def as { readonly coerce?: boolean }).coerce) {
    place.clientOnly("z.coerce");
  }
  const { minSize, maxSize, formats } = readChecks(schema, place);
  const found: Found = { patterns: [], format: undefined };
  for (const format of formats) {
    readFormat(format, found, place);
  }
  return {
    type: "string",
    ...(found.format === undefined ? {} : { format: found.format }),
    ...(minSize === undefined ? {} : { minLength: minSize }),
    ...(maxSize === undefined ? {} : { maxLength: maxSize }),
    ...patternKeywords(found.patterns),
  };
}

/** Converts `z.templateLiteral()` by its pattern. */
export function convertTemplate(schema: $ZodType, place: Conversion): JsonObject {
  const { pattern } = schema._zod;
  const patterns = pattern === undefined ? [] : patternOf(pattern, "z.templateLiteral()", place);
  return { type: "string", ...patternKeywords(patterns) };
}

interface Found {
  readonly patterns: string[];
  format: string | undefined;
}

function readFormat(def: StringFormat, found: Found, place: Conversion): void {
  const name: string = def.format;
  if (name === "duration") {
    place.refuse(
      "z.iso.duration() has the form P1D, which servers do not read",
      "use goDuration() for durations such as 1h30m",
    );
    return;
  }
  const format = serverFormat(def);
  if (format !== undefined && (found.format === undefined || found.format === format)) {
    found.format = format;
    noteOptions(def, place);
    return;
  }
  const { pattern } = def as { readonly pattern?: RegExp };
  if (pattern === undefined) {
    place.refuse(`the format ${name} is unknown to servers and has no pattern`, regexHint);
  } else {
    found.patterns.push(...patternOf(pattern, `the pattern of ${shownFormat(name)}`, place));
  }
}

/** Returns the server's name of a format; `undefined` if the format has a pattern of its own. */
function serverFormat(def: StringFormat): string | undefined {
  const { format, pattern, version } = def as {
    readonly format: string;
    readonly pattern?: RegExp;
    readonly version?: string;
  };
  if (format === "email" && pattern !== undefined && pattern !== regexes.email) {
    return undefined;
  }
  if (format === "uuid" && version !== undefined) {
    return uuidVersions.has(version) ? `uuid${version.slice(1)}` : undefined;
  }
  return Object.hasOwn(serverFormats, format) ? serverFormats[format] : undefined;
}

/** Reports options of a format that narrow it further than the format of servers. */
function noteOptions(def: StringFormat, place: Conversion): void {
  const given = def as unknown as Readonly<Record<string, unknown>>;
  const names = ["precision", "hostname", "protocol", "delimiter"].filter((name) => {
    const value = given[name];
    return value !== undefined && value !== null;
  });
  if (names.length > 0 && def.format !== "mac") {
    place.clientOnly(`the option ${names.join(" and ")} of ${shownFormat(def.format)}`);
  }
}

function patternOf(regex: RegExp, what: string, place: Conversion): string[] {
  const translated = toRe2(regex);
  if ("pattern" in translated) {
    return [translated.pattern];
  }
  place.refuse(`${what} ${translated.problem}`, regexHint);
  return [];
}

function patternKeywords([first, ...more]: readonly string[]): JsonObject {
  return {
    ...(first === undefined ? {} : { pattern: first }),
    ...(more.length === 0 ? {} : { allOf: more.map((pattern) => ({ pattern })) }),
  };
}

function shownFormat(name: string): string {
  return name === "regex" ? "regex()" : `the format ${name}`;
}
