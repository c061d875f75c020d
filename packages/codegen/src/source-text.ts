/** Returns the import path of a package's module, relative to another module in the same tree. */
export function modulePath(from: string, to: string): string {
  const up = "../".repeat(from.split("/").length - 1);
  return `${up === "" ? "./" : up}${to}.js`;
}

/** Returns a package name as an identifier: `core/v1` becomes `coreV1`. */
export function packageIdentifier(name: string): string {
  return name.replace(/\/(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Returns a property name as source text. */
export function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

/** Returns a union of string literals. */
export function stringUnion(values: readonly string[]): string {
  return values.map((value) => JSON.stringify(value)).join(" | ");
}

/** Writes plain data as an object literal on one line, without undefined fields. */
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
