import { isJsonObject, type JsonObject } from "@typekube/core/internal";

/**
 * Returns a definition without its conversion webhook, and every other object unchanged. A check never uses the network: objects of such
 * a definition change their version alone.
 */
export function withoutConversionWebhook<T extends object>(object: T): T {
  const { kind, spec } = object as JsonObject;
  if (kind !== "CustomResourceDefinition" || !isJsonObject(spec) || !("conversion" in spec)) {
    return object;
  }
  const { conversion: _conversion, ...rest } = spec;
  return { ...object, spec: rest };
}
