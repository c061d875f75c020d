import type { FieldSchema, SchemaTable } from "@typekube/api/schema";

/**
 * Schema of one place in an object, as patches and applies need it: atomic values (`leaf`), structs with fields, maps
 * of one type, and lists with or without keys.
 */
export type SchemaNode = LeafNode | ListNode | MapNode | StructNode | UntypedNode;

/** A scalar or another value that is always replaced as a whole. */
export interface LeafNode {
  readonly form: "leaf";
}

/** Any value: objects are merged by key, lists are replaced. Used for custom resources without a schema. */
export interface UntypedNode {
  readonly form: "untyped";
}

/** An object with named fields. */
export interface StructNode {
  readonly form: "struct";
  readonly typeName: string;
  /** Package of the Go type (`core/v1`); absent for types from the schema of a custom resource. */
  readonly packageName?: string | undefined;
  readonly atomic: boolean;
  /** `true` when undeclared fields may have any value. */
  readonly open?: boolean | undefined;
  field(name: string): SchemaField | undefined;
  readonly fieldNames: readonly string[];
}

/** An object with arbitrary keys. */
export interface MapNode {
  readonly form: "map";
  readonly atomic: boolean;
  readonly values: SchemaNode;
}

/** A list. */
export interface ListNode {
  readonly form: "list";
  readonly type: "atomic" | "map" | "set";
  readonly keys: readonly string[];
  readonly items: SchemaNode;
}

/** A field of a struct. */
export interface SchemaField {
  readonly name: string;
  readonly node: SchemaNode;
  readonly schema: FieldSchema;
}

const leaf: LeafNode = { form: "leaf" };

/** The node of values without a schema. */
export const untyped: UntypedNode = { form: "untyped" };

const scalars = new Set(["boolean", "integer", "number", "string"]);
const structs = new WeakMap<SchemaTable, Map<string, SchemaNode>>();

/** Returns the node of a type in a table: `PodSpec`, or `meta/v1.ObjectMeta` for an imported type. */
export function typeNode(table: SchemaTable, name: string): SchemaNode {
  if (scalars.has(name)) {
    return leaf;
  }
  if (name === "any") {
    return leaf;
  }
  const dot = name.lastIndexOf(".");
  if (dot > 0) {
    const imported = table.imports[name.slice(0, dot)];
    return imported === undefined ? untyped : typeNode(imported, name.slice(dot + 1));
  }
  let known = structs.get(table);
  if (known === undefined) {
    known = new Map();
    structs.set(table, known);
  }
  let node = known.get(name);
  if (node === undefined) {
    node = structNode(table, name);
    known.set(name, node);
  }
  return node;
}

function structNode(table: SchemaTable, name: string): SchemaNode {
  const type = Object.hasOwn(table.types, name) ? table.types[name] : undefined;
  if (type === undefined) {
    return leaf;
  }
  const fields = new Map<string, SchemaField>();
  return {
    form: "struct",
    typeName: name,
    packageName: table.name,
    atomic: type.mapType === "atomic",
    fieldNames: Object.keys(type.fields),
    field(fieldName) {
      let field = fields.get(fieldName);
      const schema = Object.hasOwn(type.fields, fieldName) ? type.fields[fieldName] : undefined;
      if (field === undefined && schema !== undefined) {
        field = { name: fieldName, node: fieldNode(table, schema), schema };
        fields.set(fieldName, field);
      }
      return field;
    },
  };
}

function fieldNode(table: SchemaTable, schema: FieldSchema): SchemaNode {
  const inner = typeNode(table, schema.type);
  if (schema.container === "map") {
    return { form: "map", atomic: schema.mapType === "atomic", values: inner };
  }
  if (schema.container === "list") {
    return listNode(schema, inner);
  }
  if (schema.mapType === "atomic" && inner.form === "struct") {
    return { ...inner, atomic: true };
  }
  return inner;
}

function listNode(schema: FieldSchema, items: SchemaNode): ListNode {
  const merged = schema.patchStrategy?.includes("merge") === true;
  const type =
    schema.listType ?? (merged ? (schema.patchMergeKey === undefined ? "set" : "map") : "atomic");
  const keys =
    schema.listMapKeys ?? (schema.patchMergeKey === undefined ? [] : [schema.patchMergeKey]);
  return { form: "list", type: type === "map" && keys.length === 0 ? "atomic" : type, keys, items };
}
