import { isJsonObject, type JsonObject } from "@typekube/core/internal";
import { pathBelow } from "../text/field-path.js";

/** Shown instead of a value that must not be printed. */
export const maskText = "***";

/** Shorter values are not replaced in messages, where they would match by chance. */
const minLength = 3;

/** Values of one object that must not be printed. */
export interface Secrets {
  /** Returns true for a field whose value must not be printed. */
  covers(path: string): boolean;
  /** Patterns of fields whose values are masked in objects of all kinds. */
  readonly redact: readonly RegExp[];
  /** Returns a text without the values. */
  mask(text: string): string;
}

/** Fields of a Secret that are no secrets. All others are: a wrong indentation or a misspelt key puts a value anywhere. */
const openFields: ReadonlySet<string> = new Set([
  "apiVersion",
  "kind",
  "metadata.name",
  "metadata.namespace",
  "type",
]);

/** Returns true for the kind of a Secret, or of a list of them, also in another case. */
export function isSecretKind(kind: unknown): boolean {
  return typeof kind === "string" && /^secret(?:list)?$/i.test(kind);
}

/** Returns the test whether the value of a field must not be printed. */
export function coverOf(isSecret: boolean, redact: readonly RegExp[]): Secrets["covers"] {
  return (path) =>
    (isSecret && !openFields.has(path)) || redact.some((pattern) => pattern.test(path));
}

/**
 * Returns the secrets of an object: all values of a Secret but those that identify it, and the values of fields that match a pattern.
 *
 * @param redact - patterns of field paths, in which `*` matches any characters.
 */
export function secretsOf(object: unknown, redact: readonly RegExp[]): Secrets {
  const isSecret = isJsonObject(object) && isSecretKind(object["kind"]);
  if (!isSecret && redact.length === 0) {
    return noSecrets;
  }
  const covers = coverOf(isSecret, redact);
  const values = new Set<string>();
  collect(object, "", covers, values);
  const ordered = [...values]
    .filter((one) => one.length >= minLength)
    .sort((a, b) => b.length - a.length);
  return {
    covers,
    redact,
    mask: (text) => {
      let masked = text;
      for (const value of ordered) {
        masked = masked
          .replaceAll(value, maskText)
          .replaceAll(JSON.stringify(value).slice(1, -1), maskText);
      }
      return masked;
    },
  };
}

/** Secrets of an object that has none. */
export const noSecrets: Secrets = { covers: () => false, redact: [], mask: (text) => text };

/** Returns the regular expressions of patterns with `*`. */
export function fieldPatterns(patterns: readonly string[]): readonly RegExp[] {
  return patterns.map((pattern) => {
    const parts = pattern.split(/\*+/).map((part) => part.replace(/[\\^$.+?()[\]{}|]/g, "\\$&"));
    return new RegExp(`^${parts.join(".*")}(?:[.[]|$)`);
  });
}

function collect(
  value: unknown,
  path: string,
  covers: (path: string) => boolean,
  values: Set<string>,
): void {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      collect(item, `${path}[${index}]`, covers, values);
    }
  } else if (isJsonObject(value)) {
    for (const [key, item] of Object.entries(value as JsonObject)) {
      collect(item, pathBelow(path, key), covers, values);
    }
  } else if (
    (typeof value === "string" || typeof value === "number" || typeof value === "bigint") &&
    covers(path)
  ) {
    values.add(String(value));
    for (const line of String(value).split("\n")) {
      values.add(line.trim());
    }
  }
}
