import { isJsonObject, type JsonObject } from "@typekube/core/internal";
import { pathBelow } from "../items/field-path.js";

/** Shown instead of a value that must not be printed. */
export const maskText = "***";

/** Shorter values are not replaced in messages, where they would match by chance. */
const minLength = 3;

/** Values of one object that must not be printed. */
export interface Secrets {
  /** Returns true for a field whose value must not be printed. */
  covers(path: string): boolean;
  /** `true` when values of other fields than those of a Secret are masked. */
  readonly hasPatterns: boolean;
  /** Returns a text without the values. */
  mask(text: string): string;
}

const lastApplied = "metadata.annotations[kubectl.kubernetes.io/last-applied-configuration]";

/**
 * Returns the secrets of an object: the values of a Secret, and the values of fields that match a pattern.
 *
 * @param redact - patterns of field paths, in which `*` matches any characters.
 */
export function secretsOf(object: unknown, redact: readonly RegExp[]): Secrets {
  const isSecret = isJsonObject(object) && object["kind"] === "Secret";
  if (!isSecret && redact.length === 0) {
    return noSecrets;
  }
  const covers = (path: string) =>
    (isSecret && (/^(?:data|stringData)(?:[.[]|$)/.test(path) || path === lastApplied)) ||
    redact.some((pattern) => pattern.test(path));
  const values = new Set<string>();
  collect(object, "", covers, values);
  const ordered = [...values]
    .filter((one) => one.length >= minLength)
    .sort((a, b) => b.length - a.length);
  return {
    covers,
    hasPatterns: redact.length > 0,
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
export const noSecrets: Secrets = { covers: () => false, hasPatterns: false, mask: (text) => text };

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
  } else if (value !== null && value !== undefined && covers(path)) {
    values.add(String(value));
    for (const line of String(value).split("\n")) {
      values.add(line.trim());
    }
  }
}
