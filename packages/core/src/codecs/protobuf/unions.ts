import { decodeError } from "../decode-error.js";
import type { MessageType } from "./message-type.js";

/**
 * Returns the JSON value of a wrapper message: the list that it holds, or whichever of its two fields is set.
 *
 * @param parts - fields of the message by their names in JSON.
 * @throws {KubeError} `Decode` for a form that the tables should not have.
 */
export function unionValue(type: MessageType, parts: Readonly<Record<string, unknown>>): unknown {
  const [first, second] = type.fields.map((field) => parts[field.jsonName]);
  switch (type.form) {
    case "items":
      // If the message is present, Go has a list, possibly an empty one.
      return first ?? [];
    case "schemaOrBool": // fields: allows, schema
      return second ?? first ?? false;
    case "schemaOrArray": // fields: schema, jSONSchemas
    case "schemaOrStrings": // fields: schema, property
      return second ?? first ?? null;
    default:
      throw decodeError(`the tables give ${type.name} the unknown form ${type.form}`);
  }
}
