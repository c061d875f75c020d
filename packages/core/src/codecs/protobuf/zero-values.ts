import { containers, type FieldType, type MessageType, valueKinds } from "./message-type.js";

/** Whether Go's JSON leaves a value that is no pointer out: omitempty for scalars, omitzero for structs. */
export function isEmpty(field: FieldType, value: unknown): boolean {
  if (field.kind !== valueKinds.message) {
    return value === "" || value === 0 || value === false;
  }
  return value === null || isZeroStruct(field.message, value);
}

function isZeroStruct(type: MessageType, value: unknown): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return value === null;
  }
  const object = value as Record<string, unknown>;
  return type.fields.every((field) => {
    if (field.container === containers.inline) {
      return isZeroStruct(field.message, value);
    }
    const present = object[field.jsonName];
    return present === undefined || (!field.pointer && isEmpty(field, present));
  });
}

/** What Go's JSON shows for a scalar that nobody set. */
export function zeroOfScalar({ kind, container }: FieldType): unknown {
  switch (kind) {
    case valueKinds.string:
      return "";
    case valueKinds.bytes:
      return container === containers.map ? "" : null;
    case valueKinds.bool:
      return false;
    default:
      return 0;
  }
}
