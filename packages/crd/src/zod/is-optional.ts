import type { $ZodType, $ZodTypes } from "zod/v4/core";
import { isJsonSchema } from "./json-schema.js";

/** Returns whether the value of a property may be missing in a write. */
export function isOptional(schema: $ZodType): boolean {
  const { def, optin } = (schema as $ZodTypes)._zod;
  switch (def.type) {
    case "any":
    case "unknown":
    case "undefined":
      return true;
    case "pipe":
      // The first half of z.preprocess() takes anything; what is stored has the form of the second one.
      return isOptional(def.in._zod.def.type === "transform" ? def.out : def.in);
    case "nonoptional":
      return false;
    case "nullable":
    case "readonly":
      return isOptional(def.innerType);
    case "union":
      return def.options.some(isOptional);
    case "lazy":
      return optin !== undefined || isJsonSchema(schema);
    default:
      return optin !== undefined;
  }
}
