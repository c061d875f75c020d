import type { StructuralSchema } from "./structural-schema.js";

const known = new WeakMap<StructuralSchema, boolean>();

/** Returns true for a value that must not be shown: one with `format: password`, also in a part of `allOf`, `anyOf` or `oneOf`. */
export function isSecret({ source, allOf, anyOf, oneOf }: StructuralSchema): boolean {
  return (
    source["format"] === "password" ||
    allOf.some(isSecret) ||
    anyOf.some(isSecret) ||
    oneOf.some(isSecret)
  );
}

/** Returns true if values of a schema are secrets or contain some. */
export function hasSecret(schema: StructuralSchema): boolean {
  const found =
    known.get(schema) ?? (isSecret(schema) || childrenOf(schema).some((child) => hasSecret(child)));
  known.set(schema, found);
  return found;
}

function childrenOf({
  properties,
  items,
  additionalProperties,
}: StructuralSchema): readonly StructuralSchema[] {
  return [
    ...properties.values(),
    ...(items === undefined ? [] : [items]),
    ...(typeof additionalProperties === "object" ? [additionalProperties] : []),
  ];
}
