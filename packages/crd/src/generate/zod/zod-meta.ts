import { isJsonObject, type JsonObject } from "@typekube/core/internal";
import type { StructuralSchema } from "@typekube/schema";
import { inOrder } from "../text/in-order.js";
import { literal } from "../text/source-text.js";

/** Keywords that the structure of a schema expresses. */
const structural: ReadonlySet<string> = new Set(
  (
    "type properties items additionalProperties required nullable default " +
    "x-kubernetes-preserve-unknown-fields"
  ).split(" "),
);

/**
 * Returns the keywords of a schema for which zod has no method, as an object literal; `undefined` without any.
 *
 * @param used - keywords that have been expressed.
 */
export function zodMeta(
  { source, type }: StructuralSchema,
  used: readonly string[],
): string | undefined {
  const keepsUnknown = source["x-kubernetes-preserve-unknown-fields"] === true && type === "";
  const rest: JsonObject = Object.fromEntries(
    Object.entries(source).filter(
      ([key, value]) =>
        value !== undefined &&
        value !== null &&
        !used.includes(key) &&
        (!structural.has(key) || (keepsUnknown && key === "x-kubernetes-preserve-unknown-fields")),
    ),
  );
  return isJsonObject(rest) && Object.keys(rest).length > 0 ? literal(inOrder(rest)) : undefined;
}
