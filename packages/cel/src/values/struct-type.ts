import { CelType } from "./cel-type.js";

/** A struct type whose fields are known. */
export class StructType extends CelType {
  /** Types of the fields by their names. */
  readonly fields: ReadonlyMap<string, CelType>;

  constructor(name: string, fields: ReadonlyMap<string, CelType>) {
    super("struct", name);
    this.fields = fields;
  }
}

/**
 * Returns the type of objects with declared fields.
 *
 * @param name - Name in error messages, for example "Widget".
 * @param fields - Types by name, for example `{ replicas: intType, names: listType(stringType) }`.
 */
export function objectType(name: string, fields: Readonly<Record<string, CelType>>): StructType {
  return new StructType(name, new Map(Object.entries(fields)));
}

/** Collects the struct types that a type is made of, by their names. */
export function collectStructs(type: CelType, into: Map<string, StructType>): void {
  if (type instanceof StructType && !into.has(type.name)) {
    into.set(type.name, type);
    for (const field of type.fields.values()) {
      collectStructs(field, into);
    }
  }
  for (const parameter of type.parameters) {
    collectStructs(parameter, into);
  }
}
