import { stringifyJson } from "@typekube/core/internal";
import { type ListNode, type SchemaNode, untyped } from "../schema/schema-node.js";
import { getOwn, isJsonObject, type JsonObject } from "../store/json-value.js";

/** How a value is looked at: as a whole, key by key, or item by item. */
export type Shape =
  | { readonly form: "whole" }
  | { readonly form: "keyed" }
  | { readonly form: "items"; readonly node: ListNode };

const whole: Shape = { form: "whole" };
const keyed: Shape = { form: "keyed" };

/** The shape of a place, from its schema, or from its values where there is no schema. */
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

/** The node of a field or key. */
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

/** Whether a key is a field that the schema names, not a free key of a map. */
export function isNamedField(node: SchemaNode, key: string): boolean {
  return node.form === "struct" && node.field(key) !== undefined;
}

/** The items of a list with the path element of each. Of items with equal keys the last one counts. */
export function keyedItems(list: unknown, node: ListNode): Map<string, unknown> {
  const items = new Map<string, unknown>();
  for (const item of Array.isArray(list) ? (list as unknown[]) : []) {
    items.set(itemElement(item, node), item);
  }
  return items;
}

/** The path element of a list item. */
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

/** Keys that a server fills in when an item leaves them out; without them `k:` would not be unique. */
const wellKnownDefaults: Readonly<Record<string, unknown>> = { protocol: "TCP" };

/** What stands for a key that an item leaves out. */
export function keyDefault(items: SchemaNode, key: string): unknown {
  const declared = items.form === "struct" ? items.field(key)?.schema.default : undefined;
  return declared ?? wellKnownDefaults[key];
}
