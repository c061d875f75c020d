import { stringifyJson } from "@typekube/core/internal";
import { getOwn, isJsonObject, type JsonObject } from "../../objects/json-value.js";
import { type ListNode, type SchemaNode, untyped } from "../../schema/schema-node.js";

/** Granularity of a value: atomic, by key, or by item. */
export type Shape =
  | { readonly form: "whole" }
  | { readonly form: "keyed" }
  | { readonly form: "items"; readonly node: ListNode };

const whole: Shape = { form: "whole" };
const keyed: Shape = { form: "keyed" };

/** Returns the shape of a place from its schema or, without a schema, from its values. */
export function shapeOf(node: SchemaNode, ...values: readonly unknown[]): Shape {
  switch (node.form) {
    case "leaf":
      return whole;
    case "struct":
    case "map":
      return node.atomic ? whole : keyed;
    case "list":
      return node.type === "atomic" ? whole : { form: "items", node };
    case "untyped":
      return values.every((value) => value === undefined || value === null || isJsonObject(value))
        ? keyed
        : whole;
    default:
      return node satisfies never;
  }
}

/** Returns the schema node of a field or key. */
export function childNode(node: SchemaNode, key: string): SchemaNode {
  switch (node.form) {
    case "struct":
      return node.field(key)?.node ?? untyped;
    case "map":
      return node.values;
    default:
      return untyped;
  }
}

/** Returns whether a key is a field declared by the schema, rather than a key of a map. */
export function isNamedField(node: SchemaNode, key: string): boolean {
  return node.form === "struct" && node.field(key) !== undefined;
}

/** Returns the items of a list by path element. Of items with equal keys, the last one counts. */
export function keyedItems(list: unknown, node: ListNode): Map<string, unknown> {
  const items = new Map<string, unknown>();
  for (const item of Array.isArray(list) ? (list as unknown[]) : []) {
    items.set(itemElement(item, node), item);
  }
  return items;
}

/** Returns the path element of a list item. */
export function itemElement(item: unknown, { type, keys, items }: ListNode): string {
  if (type === "set" || !isJsonObject(item)) {
    return `v:${stringifyJson(item)}`;
  }
  const values: JsonObject = {};
  for (const key of [...keys].sort()) {
    const given = getOwn(item, key) ?? keyDefault(items, key);
    if (given !== undefined) {
      values[key] = given;
    }
  }
  return `k:${stringifyJson(values)}`;
}

/** Defaults that a server fills in for omitted list keys; without them `k:` would not be unique. */
const wellKnownDefaults: Readonly<Record<string, unknown>> = { protocol: "TCP" };

/** Returns the default of an omitted list key. */
export function keyDefault(items: SchemaNode, key: string): unknown {
  const declared = items.form === "struct" ? items.field(key)?.schema.default : undefined;
  return declared ?? wellKnownDefaults[key];
}
