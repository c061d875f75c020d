import type { ApiObject } from "../../objects/api-object.js";
import type { ServedResource } from "../../resources/served-resource.js";
import type { SchemaNode } from "../../schema/schema-node.js";
import { canonicalMetadata, fillDefaults } from "./fill-defaults.js";

/** Fills in the defaults of an object before validation. They are owned by the writer. */
export function withDefaults(
  { rules, strategy }: ServedResource,
  object: ApiObject,
  schema: SchemaNode,
): ApiObject {
  if (rules.custom) {
    return canonicalMetadata(object, schema);
  }
  const filled = fillDefaults(object, schema);
  return strategy.defaults?.(filled) ?? filled;
}
