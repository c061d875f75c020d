import { containers, type FieldType, type MessageType, valueKinds } from "./message-type.js";

/** Returns whether Go's JSON omits a single value that is not a pointer: omitempty for scalars, omitzero for structs. */
export function isEmpty(field: FieldType, value: unknown): boolean {
  // Switches on the kind, because V8 compares values of one type inline and calls a function for values of any type.
  switch (field.kind) {
    case valueKinds.string:
    case valueKinds.bytes:
      return (value as string).length === 0;
    case valueKinds.bool:
      return value === false;
    case valueKinds.message:
      return value === null || isZeroStruct(field.message, value);
    default:
      return value === 0;
  }
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
    return present === undefined || (!field.pointer && isEmptyField(field, present));
  });
}

/** Returns whether a field is empty. A list or map with entries is not, whatever they are. */
function isEmptyField(field: FieldType, present: unknown): boolean {
  const isSingle = field.container !== containers.list && field.container !== containers.map;
  return present === null || (isSingle && isEmpty(field, present));
}

/** Returns the value that Go's JSON has for an unset scalar. */
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

/**
 * Returns whether a server that knows the field may leave it out: an empty list or map, or a pointer without a value.
 * Go writes every other field, whatever its value. If one is missing, the server is older than the field, and its JSON
 * lacks the field too.
 */
export function mayBeUnwritten(field: FieldType): boolean {
  const { container, pointer, kind } = field;
  const isPlural = container === containers.list || container === containers.map;
  const isSlice =
    kind === valueKinds.bytes || (kind === valueKinds.message && field.message.form === "items");
  return isPlural || isSlice || pointer;
}

/** Returns whether Go's JSON has null for an unset field: a pointer, a list, a map, or a message that holds a list. */
export function isNullWhenUnset(field: FieldType): boolean {
  const { container, pointer, kind } = field;
  const isPlural = container === containers.list || container === containers.map;
  return pointer || isPlural || (kind === valueKinds.message && field.message.form === "items");
}
