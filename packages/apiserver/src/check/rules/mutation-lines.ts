import { isJsonObject, jsonEqual } from "@typekube/core/internal";
import { pathBelow } from "../text/field-path.js";

/**
 * Returns what changed between two values, one line per field: `+ path: value`, `- path: value`.
 *
 * @param maskOf - returns what is shown instead of the value of a path; `undefined` for the value itself.
 */
export function mutationLines(
  { before, after }: { readonly before: unknown; readonly after: unknown },
  maskOf: (path: string) => string | undefined,
): string[] {
  return [...changes(before, after, "")].map(
    ({ sign, path, value }) => `${sign} ${path}: ${maskOf(path) ?? JSON.stringify(value)}`,
  );
}

interface Change {
  readonly sign: "-" | "+";
  readonly path: string;
  readonly value: unknown;
}

function* changes(before: unknown, after: unknown, path: string): Generator<Change> {
  if (jsonEqual(before, after)) {
    return;
  }
  if (isJsonObject(before) && isJsonObject(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      yield* changes(before[key], after[key], pathBelow(path, key));
    }
  } else if (Array.isArray(before) && Array.isArray(after)) {
    for (let index = 0; index < Math.max(before.length, after.length); index++) {
      yield* changes(before[index], after[index], `${path}[${index}]`);
    }
  } else {
    if (before !== undefined) {
      yield { sign: "-", path, value: before };
    }
    if (after !== undefined) {
      yield { sign: "+", path, value: after };
    }
  }
}
