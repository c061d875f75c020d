import { isJsonObject, jsonEqual } from "@typekube/core/internal";

/**
 * Returns `true` when an object has all fields of another with their values, as after a server-side apply: more fields
 * don't matter, and items of lists are found by their name.
 */
export function contains(whole: unknown, part: unknown): boolean {
  if (Array.isArray(whole) && Array.isArray(part)) {
    const isNamed = part.length > 0 && part.every((item) => nameOf(item) !== undefined);
    return isNamed
      ? part.every((item) =>
          contains(
            whole.find((other) => nameOf(other) === nameOf(item)),
            item,
          ),
        )
      : whole.length === part.length && part.every((item, at) => contains(whole[at], item));
  }
  if (isJsonObject(whole) && isJsonObject(part)) {
    return Object.keys(part).every((key) => contains(whole[key], part[key]));
  }
  return jsonEqual(whole, part);
}

function nameOf(item: unknown): string | undefined {
  const name = isJsonObject(item) ? item["name"] : undefined;
  return typeof name === "string" ? name : undefined;
}
