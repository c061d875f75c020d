import { KubeError } from "@typekube/core";
import { array, type ZodArray } from "zod";
import type { $ZodObject, $ZodType, $ZodTypes, input } from "zod/v4/core";
import { annotated } from "./annotated.js";
import type { ListMapKeys } from "./list-map-keys.js";

const listType = "x-kubernetes-list-type";

/**
 * Defines a list whose items are found by keys: server-side apply merges them one by one, and a key occurs once. In an
 * object that is applied, the compiler demands the keys of each item.
 *
 * @param keys - names of required fields of the items that have a simple type, or a default.
 * @example
 * ```ts
 * import * as z from "zod";
 *
 * const ports = listMap(["name"], z.object({ name: z.string(), port: z.int() }));
 * ```
 */
export function listMap<
  const Item extends $ZodObject,
  const Key extends keyof input<Item> & string,
>(keys: readonly [Key, ...Key[]], item: Item): ZodArray<Item> & ListMapKeys<Key> {
  return annotated(array(item), "listMap()", {
    [listType]: "map",
    "x-kubernetes-list-map-keys": [...keys],
  });
}

/** Defines a list in which each value occurs once: server-side apply merges the items of several appliers. */
export function listSet<Item extends $ZodType>(item: Item): ZodArray<Item> {
  return annotated(array(item), "listSet()", { [listType]: "set" });
}

/**
 * Makes a list, an object or a record belong to one applier as a whole: server-side apply replaces it.
 *
 * @throws {KubeError} `InvalidArgument` for a schema of another type.
 */
export function atomic<S extends $ZodType>(schema: S): S {
  switch (innerType(schema)) {
    case "array":
    case "tuple":
      return annotated(schema, "atomic()", { [listType]: "atomic" });
    case "object":
    case "record":
    case "union":
      return annotated(schema, "atomic()", { "x-kubernetes-map-type": "atomic" });
    default:
      throw new KubeError("InvalidArgument", "atomic() needs a list, an object or a record");
  }
}

function innerType(schema: $ZodType): string {
  const { def } = (schema as $ZodTypes)._zod;
  return "innerType" in def ? innerType(def.innerType) : def.type;
}
