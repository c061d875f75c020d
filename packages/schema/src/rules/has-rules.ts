import type { StructuralSchema } from "../structural/structural-schema.js";
import { rulesOf } from "./validation-rule.js";

const known = new WeakMap<StructuralSchema, boolean>();

/** Returns true if a schema or one below it has rules; those in `allOf` alone do not count, as in Kubernetes. */
export function hasRules(schema: StructuralSchema): boolean {
  let found = known.get(schema);
  if (found === undefined) {
    found = searchRules(schema);
    known.set(schema, found);
  }
  return found;
}

function searchRules(schema: StructuralSchema): boolean {
  const { additionalProperties: values } = schema;
  return (
    rulesOf(schema).length > 0 ||
    (schema.items !== undefined && hasRules(schema.items)) ||
    (typeof values === "object" && hasRules(values)) ||
    [...schema.properties.values()].some(hasRules)
  );
}
