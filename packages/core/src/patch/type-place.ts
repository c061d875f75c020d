import type { FieldSchema, SchemaTable, TypeSchema } from "@typekube/api/schema";

/** A type of the API, and the table that contains it. */
export interface TypePlace {
  readonly table: SchemaTable;
  readonly type: TypeSchema;
}

/** Schema of a field, and the type of its value, items or map values if that is an object with named fields. */
export interface FieldPlace {
  readonly schema: FieldSchema;
  readonly place: TypePlace | undefined;
}

/**
 * Finds a type by its name in a table: `PodSpec`, or `meta/v1.ObjectMeta` of an imported table. `undefined` for scalars
 * and free-form values.
 */
export function typePlace(table: SchemaTable, name: string): TypePlace | undefined {
  const dot = name.lastIndexOf(".");
  if (dot > 0) {
    const imported = table.imports[name.slice(0, dot)];
    return imported && typePlace(imported, name.slice(dot + 1));
  }
  const type = Object.hasOwn(table.types, name) ? table.types[name] : undefined;
  return type && { table, type };
}

/** Finds a field of a type; `undefined` when the type is unknown or lacks the field. */
export function fieldPlace(place: TypePlace | undefined, name: string): FieldPlace | undefined {
  if (place === undefined || !Object.hasOwn(place.type.fields, name)) {
    return undefined;
  }
  const schema = place.type.fields[name] as FieldSchema;
  return { schema, place: typePlace(place.table, schema.type) };
}
