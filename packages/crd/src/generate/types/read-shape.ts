import { getOwn, isJsonObject, type JsonObject } from "@typekube/core/internal";
import { readStructuralSchema, type StructuralSchema } from "@typekube/schema";
import { describeField, describeItems } from "./describe-schema.js";
import { knownComponent } from "./known-components.js";
import { enumOf } from "./read-enum.js";
import { readVariants } from "./read-variants.js";
import {
  type Declaration,
  type Field,
  itemPart,
  type Shape,
  textShape,
  valuePart,
} from "./shape.js";

/** The schemas of one module, and the declarations that its shapes need so far. */
export interface ShapeContext {
  /** Type of integers of 64 bits. */
  readonly int64: "bigint" | "number";
  /** Schemas that `$ref`s name; `undefined` for those of a definition, in which nothing is referenced. */
  readonly components: Readonly<Record<string, JsonObject>> | undefined;
  readonly declarations: Declaration[];
  /** Shapes of components, by their names: each is declared once, and may contain itself. */
  readonly byComponent: Map<string, Shape>;
}

/** Returns the shape of the values that a schema allows. */
export function readShape(
  schema: StructuralSchema,
  path: readonly string[],
  context: ShapeContext,
): Shape {
  const shape = readNotNull(schema, path, context);
  return schema.nullable ? { type: "union", of: [shape, textShape("null")] } : shape;
}

function readNotNull(
  schema: StructuralSchema,
  path: readonly string[],
  context: ShapeContext,
): Shape {
  const component = referenceOf(schema);
  if (component !== undefined) {
    return readComponent(component, context);
  }
  const { source, type, properties } = schema;
  if (schema.intOrString || source["format"] === "int-or-string") {
    return isQuantity(schema) ? quantity : textShape("number | string");
  }
  const values = enumOf(schema);
  if (values !== undefined && type !== "object" && type !== "array") {
    return textShape(values);
  }
  switch (type) {
    case "string":
    case "boolean":
      return textShape(type);
    case "number":
      return textShape("number");
    case "integer":
      return textShape(
        context.int64 === "bigint" && source["format"] !== "int32" ? "bigint | number" : "number",
      );
    case "array": {
      const items = schema.items ?? emptySchema;
      return { type: "list", of: readShape(items, [...path, itemPart], context) };
    }
    case "object":
      return readObject(schema, path, context);
    default:
      return properties.size > 0 || schema.embeddedResource
        ? readObject(schema, path, context)
        : readUntyped(schema, path, context);
  }
}

/** Returns the shape of a schema without a type: that of its alternatives, where it has some, else `unknown`. */
function readUntyped(
  schema: StructuralSchema,
  path: readonly string[],
  context: ShapeContext,
): Shape {
  const alternatives = schema.oneOf.length > 0 ? schema.oneOf : schema.anyOf;
  const isTyped = ({ type, source }: StructuralSchema) =>
    type !== "" || typeof source["$ref"] === "string";
  return alternatives.length > 0 && alternatives.every(isTyped) && !schema.preserveUnknownFields
    ? { type: "union", of: alternatives.map((one) => readShape(one, path, context)) }
    : textShape("unknown");
}

function readObject(
  schema: StructuralSchema,
  path: readonly string[],
  context: ShapeContext,
): Shape {
  const { properties, additionalProperties, preserveUnknownFields, embeddedResource } = schema;
  if (properties.size > 0) {
    return declare(schema, path, context);
  }
  if (embeddedResource) {
    return { type: "import", name: "UnknownKind" };
  }
  if (typeof additionalProperties === "object") {
    return { type: "map", of: readShape(additionalProperties, [...path, valuePart], context) };
  }
  // A server drops all fields of an object for which a definition allows none.
  const isEmpty = context.components === undefined && !preserveUnknownFields;
  const of = textShape(isEmpty && additionalProperties !== true ? "never" : "unknown");
  return { type: "map", of };
}

/** Declares the type of an object with properties, and returns its shape. */
function declare(
  schema: StructuralSchema,
  path: readonly string[],
  context: ShapeContext,
  known?: (shape: Shape) => void,
): Shape {
  const fields: Field[] = [];
  const isEmbedded = schema.embeddedResource;
  const last = path.at(-1);
  const declaration: Declaration = {
    path,
    comment: last === itemPart || last === valuePart ? describeItems(schema) : [],
    fields,
    isOpen: schema.preserveUnknownFields || schema.additionalProperties !== undefined,
    isEmbedded,
    variants: readVariants(schema),
  };
  context.declarations.push(declaration);
  const shape: Shape = { type: "declared", declaration };
  known?.(shape);
  const inherited = isEmbedded ? ["apiVersion", "kind", "metadata"] : [];
  fields.push(...readFields(schema, path, context, inherited));
  return shape;
}

/** Returns the fields of an object schema, except for those that its type has from elsewhere. */
export function readFields(
  schema: StructuralSchema,
  path: readonly string[],
  context: ShapeContext,
  inherited: readonly string[],
): Field[] {
  const required = new Set([schema, ...schema.allOf].flatMap((one) => one.required));
  return [...schema.properties]
    .filter(([name]) => !inherited.includes(name))
    .sort(([a], [b]) => rankOf(a, path) - rankOf(b, path) || (a < b ? -1 : 1))
    .map(([name, property]) => ({
      name,
      isRequired: required.has(name),
      shape: readShape(property, [...path, name], context),
      comment: describeField(property),
    }));
}

/** Puts `spec` and `status` of a kind before other fields. */
function rankOf(name: string, path: readonly string[]): number {
  const rank = path.length === 1 ? ["spec", "status"].indexOf(name) : -1;
  return rank < 0 ? 2 : rank;
}

function readComponent(name: string, context: ShapeContext): Shape {
  const known = knownComponent(name) ?? context.byComponent.get(name);
  if (known !== undefined) {
    return known;
  }
  const source = getOwn((context.components ?? {}) as JsonObject, name);
  if (!isJsonObject(source)) {
    return textShape("unknown");
  }
  const schema = readStructuralSchema(source);
  const path = [name.split(".").at(-1) ?? name];
  const remember = (shape: Shape) => context.byComponent.set(name, shape);
  if (schema.properties.size > 0) {
    return declare(schema, path, context, remember);
  }
  // Without properties only a component that names itself could contain itself.
  remember(textShape("unknown"));
  const shape = readShape(schema, path, context);
  remember(shape);
  return shape;
}

/** Returns the name of the component that a schema stands for. Servers wrap references beside other keywords. */
function referenceOf({ source, allOf }: StructuralSchema): string | undefined {
  const reference = source["$ref"] ?? (allOf.length === 1 ? allOf[0]?.source["$ref"] : undefined);
  return typeof reference === "string" ? reference.split("/").at(-1) : undefined;
}

const quantity: Shape = {
  type: "union",
  of: [{ type: "import", name: "Quantity" }, textShape("number")],
};

const emptySchema = readStructuralSchema({});

/** Returns whether a schema is that of a quantity, which controller-gen writes with a pattern of its suffixes. */
function isQuantity({ source, anyOf, allOf }: StructuralSchema): boolean {
  return [source, ...[...anyOf, ...allOf].map((one) => one.source)].some(
    (one) =>
      isJsonObject(one) &&
      typeof one["pattern"] === "string" &&
      one["pattern"].includes("[KMGTPE]i)|[numkMGTPE]"),
  );
}
