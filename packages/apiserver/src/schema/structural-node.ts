import type { FieldSchema, SchemaTable } from "@typekube/api/schema";
import type { StructuralSchema } from "@typekube/schema";
import { type SchemaField, type SchemaNode, type StructNode, typeNode } from "./schema-node.js";

const leaf: SchemaNode = { form: "leaf" };
/** Value without a schema: objects are merged by key. */
const free: SchemaNode = { form: "untyped" };

/**
 * Converts the schema of a custom resource for patches and applies. Metadata, also that of embedded resources, always
 * has the schema of ObjectMeta, whatever the custom schema declares.
 *
 * @param meta - the table of the `meta/v1` types.
 */
export function structuralNode(
  schema: StructuralSchema,
  meta: SchemaTable | undefined,
): SchemaNode {
  const metadata: SchemaField = {
    name: "metadata",
    node: meta === undefined ? free : typeNode(meta, "ObjectMeta"),
    schema: { type: "ObjectMeta" },
  };
  const node = nodeOf(schema, metadata);
  const root = node.form === "struct" ? node : structOf(schema, metadata);
  return {
    ...root,
    open: schema.preserveUnknownFields,
    fieldNames: [...new Set([...root.fieldNames, "metadata"])],
    field: (name) => (name === "metadata" ? metadata : root.field(name)),
  };
}

function nodeOf(schema: StructuralSchema, metadata: SchemaField): SchemaNode {
  const { type, items, additionalProperties, properties } = schema;
  if (type === "array") {
    return {
      form: "list",
      type: schema.listType ?? "atomic",
      keys: schema.listMapKeys,
      items: items === undefined ? free : nodeOf(items, metadata),
    };
  }
  if (schema.intOrString) {
    return leaf;
  }
  if (properties.size > 0 || schema.embeddedResource) {
    return structOf(schema, metadata);
  }
  if (additionalProperties !== undefined && additionalProperties !== false) {
    const values =
      typeof additionalProperties === "object" ? nodeOf(additionalProperties, metadata) : free;
    return { form: "map", atomic: schema.mapType === "atomic", values };
  }
  if (schema.preserveUnknownFields) {
    return schema.mapType === "atomic" ? leaf : free;
  }
  return type === "object" ? structOf(schema, metadata) : type === "" ? free : leaf;
}

function structOf(schema: StructuralSchema, metadata: SchemaField): StructNode {
  const fields = new Map<string, SchemaField>();
  const known = schema.embeddedResource ? ["apiVersion", "kind", "metadata"] : [];
  return {
    form: "struct",
    typeName: "",
    atomic: schema.mapType === "atomic",
    open: schema.preserveUnknownFields || undefined,
    fieldNames: [...new Set([...schema.properties.keys(), ...known])],
    field(name) {
      if (schema.embeddedResource && name === "metadata") {
        return metadata;
      }
      let field = fields.get(name);
      const property = schema.properties.get(name);
      if (field === undefined && (property !== undefined || known.includes(name))) {
        const node = property === undefined ? free : nodeOf(property, metadata);
        field = { name, node, schema: fieldSchema(property) };
        fields.set(name, field);
      }
      return field;
    },
  };
}

function fieldSchema(property: StructuralSchema | undefined): FieldSchema {
  const { type = "any" } = property ?? {};
  return {
    type: type === "" ? "any" : type,
    ...(property?.default === undefined ? {} : { default: property.default as never }),
  };
}
