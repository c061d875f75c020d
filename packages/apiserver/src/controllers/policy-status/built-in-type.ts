import type { FieldSchema, SchemaTable } from "@typekube/api/schema";
import type { CelType } from "@typekube/cel";

/** The types of CEL, as an argument: the package is loaded with the first policy. */
export type CelTypes = Pick<
  typeof import("@typekube/cel"),
  | "boolType"
  | "bytesType"
  | "doubleType"
  | "dynType"
  | "intType"
  | "listType"
  | "mapType"
  | "StructType"
  | "stringType"
  | "timestampType"
>;

/** Returns the types of CEL for built-in kinds by their schema tables. */
export class BuiltInTypes {
  readonly #cel: CelTypes;
  /** Types by package and name. A type is known before its fields are: types may be recursive. */
  readonly #known = new Map<string, CelType>();

  constructor(cel: CelTypes) {
    this.#cel = cel;
  }

  /** Returns the type of a Go type of a table; `undefined` for an unknown one. */
  typeOf(table: SchemaTable, type: string): CelType | undefined {
    const dot = type.lastIndexOf(".");
    if (dot > 0) {
      const owner = table.imports[type.slice(0, dot)];
      return owner && this.typeOf(owner, type.slice(dot + 1));
    }
    const name = `${table.name}.${type}`;
    const known = this.#known.get(name);
    const schema = Object.hasOwn(table.types, type) ? table.types[type] : undefined;
    if (known !== undefined || schema === undefined) {
      return known;
    }
    const fields = new Map<string, CelType>();
    const struct = new this.#cel.StructType(name, fields);
    this.#known.set(name, struct);
    for (const [field, fieldSchema] of Object.entries(schema.fields)) {
      const fieldType = this.#field(table, fieldSchema);
      fields.set(field, fieldType);
      if (field === "namespace") {
        fields.set("__namespace__", fieldType);
      }
    }
    return struct;
  }

  #field(table: SchemaTable, field: FieldSchema): CelType {
    const { listType, mapType, stringType } = this.#cel;
    const value = this.#value(table, field);
    switch (field.container) {
      case "list":
        return listType(value);
      case "map":
        return mapType(stringType, value);
      default:
        return value;
    }
  }

  #value(table: SchemaTable, { type, format }: FieldSchema): CelType {
    const { boolType, bytesType, doubleType, dynType, intType, stringType, timestampType } =
      this.#cel;
    switch (type) {
      case "boolean":
        return boolType;
      case "integer":
        return intType;
      case "number":
        return doubleType;
      case "string":
        return format === "byte"
          ? bytesType
          : format === "date-time" || format === "micro-time"
            ? timestampType
            : format === "int-or-string"
              ? dynType
              : stringType;
      default:
        return this.typeOf(table, type) ?? dynType;
    }
  }
}
