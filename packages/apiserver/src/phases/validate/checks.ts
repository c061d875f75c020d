import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";

const label = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const labelPattern = new RegExp(`^${label}$`);
const subdomainPattern = new RegExp(`^${label}(\\.${label})*$`);
const namePartPattern = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const valuePattern = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;
const maxInt32 = 2_147_483_647;

const texts = {
  subdomain: `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${label}(\\.${label})*')`,
  label: `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '${label}')`,
  namePart:
    "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
  labelKey:
    "a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')",
  value:
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
  dataKey:
    "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
  percent:
    "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
} as const;

/** Returns whether a value is undefined, null or the empty string. */
export function isUnset(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

/** Checks that a value is set. */
export function required(field: string, value: unknown): FieldErrors {
  return isUnset(value) ? [cause.required(field)] : [];
}

/** Checks that a value is one of a fixed set; it may be unset or empty. */
export function oneOf(field: string, value: unknown, words: readonly string[]): FieldErrors {
  return isUnset(value) || words.includes(value as string)
    ? []
    : [cause.notSupported(field, value, words)];
}

/** Checks that a value is one of a fixed set; it may be unset, but not empty. */
export function givenOneOf(field: string, value: unknown, words: readonly string[]): FieldErrors {
  return value === undefined || value === null || words.includes(value as string)
    ? []
    : [cause.notSupported(field, value, words)];
}

/** Checks that a number is not negative; it may be unset. */
export function notNegative(field: string, value: unknown): FieldErrors {
  return typeof value === "number" && value < 0
    ? [cause.invalid(field, value, "must be greater than or equal to 0")]
    : [];
}

/** Checks that a number is in a range; it may be unset. */
export function between(
  field: string,
  value: unknown,
  least: number,
  most: number = maxInt32,
): FieldErrors {
  return typeof value === "number" && (value < least || value > most)
    ? [cause.invalid(field, value, `must be between ${least} and ${most}, inclusive`)]
    : [];
}

/** Checks a port number. */
export function portNumber(field: string, value: unknown): FieldErrors {
  return between(field, value ?? 0, 1, 65_535);
}

/** Returns the problems of a port name. */
export function portNameTexts(name: string): string[] {
  return [
    ...(name.length > 15 ? ["must be no more than 15 characters"] : []),
    ...(/^[-a-z0-9]+$/.test(name)
      ? []
      : ["must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)"]),
    ...(/[a-z]/.test(name) ? [] : ["must contain at least one letter (a-z)"]),
    ...(name.includes("--") ? ["must not contain consecutive hyphens"] : []),
    ...(/^-|-$/.test(name) ? ["must not begin or end with a hyphen"] : []),
  ];
}

/** Checks a port number or name. */
export function portOrName(field: string, value: unknown): FieldErrors {
  return typeof value === "string"
    ? portNameTexts(value).map((why) => cause.invalid(field, value, why))
    : portNumber(field, value);
}

/** Checks a DNS label. */
export function dnsLabel(field: string, value: unknown): FieldErrors {
  return wrongs(field, value, labelTexts(String(value)));
}

/** Checks a DNS subdomain. */
export function subdomain(field: string, value: unknown): FieldErrors {
  return wrongs(field, value, subdomainTexts(String(value)));
}

/** Returns the problems of a DNS label. */
export function labelTexts(name: string): string[] {
  return [
    ...(name.length > 63 ? ["must be no more than 63 characters"] : []),
    ...(labelPattern.test(name)
      ? []
      : [subdomainPattern.test(name) ? "must not contain dots" : texts.label]),
  ];
}

const maxDataKeyBytes = 253;

/** Returns the problems of a data key in a ConfigMap or Secret, which becomes a file name. */
export function dataKeyTexts(key: string): string[] {
  return [
    ...(Buffer.byteLength(key) > maxDataKeyBytes
      ? [`must be no more than ${maxDataKeyBytes} characters`]
      : []),
    ...(/^[-._a-zA-Z0-9]+$/.test(key) ? [] : [texts.dataKey]),
    ...(key === "." || key === ".."
      ? [`must not be '${key}'`]
      : key.startsWith("..")
        ? ["must not start with '..'"]
        : []),
  ];
}

/** Returns the problems of a DNS subdomain. */
export function subdomainTexts(name: string): string[] {
  return name.length > 253
    ? ["must be no more than 253 characters"]
    : subdomainPattern.test(name)
      ? []
      : [texts.subdomain];
}

/** Checks a name with an optional prefix, such as a label key. */
export function qualifiedName(field: string, name: string, shown: string = name): FieldErrors {
  return wrongs(field, shown, qualifiedNameTexts(name));
}

function qualifiedNameTexts(name: string): string[] {
  const [part = "", prefix, ...more] = name.split("/").reverse();
  if (more.length > 0) {
    return [texts.labelKey];
  }
  return [...(prefix === undefined ? [] : prefixTexts(prefix)), ...namePartTexts(part)];
}

function prefixTexts(prefix: string): string[] {
  if (prefix === "") {
    return ["prefix part must be non-empty"];
  }
  return prefix.length > 253
    ? ["prefix part must be no more than 253 bytes"]
    : subdomainPattern.test(prefix)
      ? []
      : [`prefix part ${texts.subdomain}`];
}

function namePartTexts(part: string): string[] {
  if (part === "") {
    return ["name part must be non-empty", texts.namePart];
  }
  return part.length > 63
    ? ["name part must be no more than 63 bytes"]
    : namePartPattern.test(part)
      ? []
      : [texts.namePart];
}

/** Checks a label value. */
export function labelValue(field: string, value: string): FieldErrors {
  return wrongs(field, value, labelValueTexts(value));
}

/** Returns the problems of a label value. */
export function labelValueTexts(value: string): string[] {
  return value.length > 63
    ? ["must be no more than 63 bytes"]
    : valuePattern.test(value)
      ? []
      : [texts.value];
}

/** Checks labels, or the labels in a selector. */
export function labels(field: string, given: unknown): FieldErrors {
  return typeof given === "object" && given !== null
    ? Object.entries(given).flatMap(([key, value]) => [
        ...qualifiedName(field, key),
        ...labelValue(field, String(value)),
      ])
    : [];
}

/** Checks a number or percentage; `most` limits the percentage. */
export function countOrPercent(field: string, value: unknown, most?: number): FieldErrors {
  if (typeof value !== "string") {
    return notNegative(field, value);
  }
  if (!/^[0-9]+%$/.test(value)) {
    return [cause.invalid(field, value, texts.percent)];
  }
  return most !== undefined && Number.parseInt(value, 10) > most
    ? [cause.invalid(field, value, `must not be greater than ${most}%`)]
    : [];
}

/** Returns errors for duplicate values in a list. */
export function duplicates(
  values: readonly unknown[],
  fieldOf: (at: number) => string,
): FieldErrors {
  const seen = new Set<unknown>();
  return values.flatMap((value, at) => {
    if (isUnset(value)) {
      return [];
    }
    if (seen.has(value)) {
      return [cause.duplicate(fieldOf(at), value)];
    }
    seen.add(value);
    return [];
  });
}

function wrongs(field: string, value: unknown, why: readonly string[]): FieldErrors {
  return why.map((text) => cause.invalid(field, value, text));
}
