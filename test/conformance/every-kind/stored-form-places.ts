import type { KubeObject } from "@typekube/api";
import { type FieldSchema, loadSchema, type SchemaTable } from "@typekube/api/schema";

/** Texts that a server stores in another form, by the format of the field. */
export const oddTexts: Readonly<Record<string, readonly string[]>> = {
  byte: ["YQ\r\n==\n", "YR=="],
  "date-time": ["2026-03-04T05:06:07.891Z", "2026-03-04T00:06:07+01:00"],
  "micro-time": ["2026-01-01T02:00:00.123456+02:00"],
  quantity: ["0.0001", "1024Mi", "+7", "0.1Mi"],
};

/** A step into a field, the first item of a list, or a value of a map. */
type Step = string;

const listStep = "[]";
const mapStep = "{}";

/** A field whose values have a stored form. */
export interface Place {
  readonly path: readonly Step[];
  readonly format: string;
}

/** Finds every time, quantity and bytes field of a kind at any depth; a recursive type is entered once. */
export async function placesOf({ apiVersion = "", kind = "" }: KubeObject): Promise<Place[]> {
  const table = await loadSchema(apiVersion);
  return table === undefined ? [] : [...placesIn(table, kind, [])];
}

function* placesIn(table: SchemaTable, name: string, above: readonly string[]): Generator<Place> {
  const place = typeAt(table, name);
  if (place === undefined || above.includes(`${place.table.name}.${place.name}`)) {
    return;
  }
  const here = [...above, `${place.table.name}.${place.name}`];
  for (const [field, schema] of Object.entries(place.type.fields)) {
    const container = schema.container === "list" ? [listStep] : [mapStep];
    const path = [field, ...(schema.container === undefined ? [] : container)];
    if (schema.format !== undefined && Object.hasOwn(oddTexts, schema.format)) {
      yield { path, format: schema.format };
    } else {
      for (const inner of placesIn(place.table, schema.type, here)) {
        yield { ...inner, path: [...path, ...inner.path] };
      }
    }
  }
}

function typeAt(
  table: SchemaTable,
  name: string,
): { table: SchemaTable; name: string; type: SchemaTable["types"][string] } | undefined {
  const dot = name.lastIndexOf(".");
  if (dot > 0) {
    const imported = table.imports[name.slice(0, dot)];
    return imported === undefined ? undefined : typeAt(imported, name.slice(dot + 1));
  }
  const type = Object.hasOwn(table.types, name) ? table.types[name] : undefined;
  return type === undefined ? undefined : { table, name, type };
}

/** Returns the object with a value at a place; creates lists, maps and structs on the way, with their required fields. */
export async function withValueAt(
  object: KubeObject,
  { path }: Place,
  value: string,
): Promise<KubeObject> {
  const { apiVersion = "", kind = "" } = object;
  const table = await loadSchema(apiVersion);
  return table === undefined
    ? object
    : (setIn(object, { type: kind }, table, path, value) as KubeObject);
}

type Tree = Record<string, unknown>;

function setIn(
  current: unknown,
  schema: FieldSchema,
  table: SchemaTable,
  [step, ...rest]: readonly Step[],
  value: string,
): unknown {
  if (step === undefined) {
    return value;
  }
  const { container, ...inner } = schema;
  if (step === listStep) {
    const [first, ...others] = Array.isArray(current) ? (current as unknown[]) : [];
    return [setIn(first, inner, table, rest, value), ...others];
  }
  if (step === mapStep) {
    const map = (current ?? {}) as Tree;
    const [key = schema.format === "quantity" ? "cpu" : "a"] = Object.keys(map);
    return { ...map, [key]: setIn(map[key], inner, table, rest, value) };
  }
  const place = typeAt(table, schema.type);
  const field = place?.type.fields[step];
  if (place === undefined || field === undefined) {
    throw new Error(`${schema.type} has no field ${step}`);
  }
  const struct = (current ?? required(place.table, place.name)) as Tree;
  return { ...struct, [step]: setIn(struct[step], field, place.table, rest, value) };
}

/** Returns the smallest object of a type: its required fields. */
function required(table: SchemaTable, name: string): Tree {
  const place = typeAt(table, name);
  const fields = Object.entries(place?.type.fields ?? {}).filter(([, { required }]) => required);
  return Object.fromEntries(
    fields.map(([key, schema]) => [key, smallest(place?.table ?? table, schema)]),
  );
}

function smallest(table: SchemaTable, schema: FieldSchema): unknown {
  if (schema.container !== undefined) {
    return schema.container === "list" ? [] : {};
  }
  if (typeAt(table, schema.type) !== undefined) {
    return required(table, schema.type);
  }
  switch (schema.type) {
    case "boolean":
      return true;
    case "integer":
    case "number":
      return 1;
    default:
      return schema.enum?.[0] ?? texts[schema.format ?? ""] ?? "a";
  }
}

const texts: Readonly<Record<string, unknown>> = {
  byte: "YQ==",
  "date-time": "2026-01-01T00:00:00Z",
  "int-or-string": 1,
  "micro-time": "2026-01-01T00:00:00.000000Z",
  quantity: "1",
};
