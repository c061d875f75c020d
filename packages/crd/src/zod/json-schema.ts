import type { $ZodType, $ZodTypes } from "zod/v4/core";

const jsonTypes = "array,boolean,null,number,record,string";

/** Returns whether a schema is `z.json()`, which is a recursive union of all JSON types. */
export function isJsonSchema(schema: $ZodType): boolean {
  const { def } = (schema as $ZodTypes)._zod;
  if (def.type !== "lazy") {
    return false;
  }
  const { def: inner } = (def.getter() as $ZodTypes)._zod;
  return (
    inner.type === "union" &&
    inner.options
      .map((option) => option._zod.def.type)
      .sort()
      .join(",") === jsonTypes &&
    inner.options.some(({ _zod }) => (_zod.def as { element?: unknown }).element === schema)
  );
}
