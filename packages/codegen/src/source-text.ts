/** Where a package's module stands, relative to another in the same tree. */
export function modulePath(from: string, to: string): string {
  const up = "../".repeat(from.split("/").length - 1);
  return `${up === "" ? "./" : up}${to}.js`;
}

/** `core/v1` as an identifier: `coreV1`. */
export function packageIdentifier(name: string): string {
  return name.replace(/\/(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** A property name as source text. */
export function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

/** A union of string literals. */
export function stringUnion(values: readonly string[]): string {
  return values.map((value) => JSON.stringify(value)).join(" | ");
}

/** Plain data as an object literal on one line, leaving out what is undefined. */
export function literal(value: unknown): string {
  if (Array.isArray(value)) {
    return `[${value.map(literal).join(", ")}]`;
  }
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).filter(([, entry]) => entry !== undefined);
    return entries.length === 0
      ? "{}"
      : `{ ${entries.map(([key, entry]) => `${propertyName(key)}: ${literal(entry)}`).join(", ")} }`;
  }
  return JSON.stringify(value);
}
