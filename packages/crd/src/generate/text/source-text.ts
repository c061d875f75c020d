/** Returns a key of an interface or object type as source text. Names that are no identifiers are quoted, never changed. */
export function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) && name !== "__proto__" ? name : stringLiteral(name);
}

/** Returns a key of an object literal. `__proto__` is computed, since it would set the prototype otherwise. */
export function valueKey(name: string): string {
  return name === "__proto__" ? `["__proto__"]` : propertyName(name);
}

/** Returns a string literal. Line separators and bidirectional controls become escapes. */
export function stringLiteral(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/**
 * Returns JSON data as an expression on one line. Undefined fields are left out.
 *
 * @param bigints - `exact` writes a `bigint` as one: `9007199254740993n`. Default: as a number of JSON.
 */
export function literal(value: unknown, bigints?: "exact"): string {
  if (Array.isArray(value)) {
    return `[${value.map((item) => literal(item, bigints)).join(", ")}]`;
  }
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).filter(([, entry]) => entry !== undefined);
    return entries.length === 0
      ? "{}"
      : `{ ${entries.map(([key, entry]) => `${valueKey(key)}: ${literal(entry, bigints)}`).join(", ")} }`;
  }
  const suffix = typeof value === "bigint" && bigints === "exact" ? "n" : "";
  return typeof value === "string" ? stringLiteral(value) : `${value}${suffix}`;
}

/** Indents the lines of a text that are not empty. */
export function indented(text: string, by: string): string {
  return text.replace(/^(?=.)/gm, by);
}
