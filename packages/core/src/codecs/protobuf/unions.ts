import { decodeError } from "../decode-error.js";
import type { MessageType } from "./message-type.js";

/**
 * What stands in JSON for a wrapper message: the list that it holds, or the one of two fields that is set.
 *
 * @param parts - the fields of the message by their names in JSON.
 * @throws {KubeError} `Decode` for a form that the tables should not have.
 */
export function unionValue(type: MessageType, parts: Readonly<Record<string, unknown>>): unknown {
  const [first, second] = type.fields.map((field) => parts[field.jsonName]);
  switch (type.form) {
    case "items":
      // Where the message is, Go has a list, if an empty one.
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
