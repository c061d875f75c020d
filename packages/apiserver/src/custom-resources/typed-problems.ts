import { stringifyJson } from "@typekube/core";
import type { ListNode, SchemaNode } from "../schema/schema-node.js";
import { getOwn, isJsonObject } from "../store/json-value.js";

/** Why an applied configuration is no value of its schema, with the path to each problem. */
export function typedProblems(value: unknown, node: SchemaNode, path = ""): string[] {
  if (value === null || value === undefined) {
    return [];
  }
  switch (node.form) {
    case "struct":
    case "map":
      return isJsonObject(value)
        ? Object.keys(value).flatMap((key) => fieldProblems(value[key], key, node, path))
        : [`${path}: expected map, got &{${shown(value)}}`];
    case "list":
      return Array.isArray(value)
        ? value.flatMap((item: unknown, at) =>
            typedProblems(item, node.items, `${path}${itemStep(item, at, node)}`),
          )
        : [`${path}: expected list, got &{${shown(value)}}`];
    case "leaf":
    case "untyped":
      return [];
    default:
      return node satisfies never;
  }
}

function fieldProblems(
  value: unknown,
  key: string,
  node: SchemaNode & { readonly form: "map" | "struct" },
  path: string,
): string[] {
  const below = `${path}.${key}`;
  if (node.form === "map") {
    return typedProblems(value, node.values, below);
  }
  const field = node.field(key);
  if (field !== undefined) {
    return typedProblems(value, field.node, below);
  }
  const isTypeMeta = path === "" && (key === "apiVersion" || key === "kind");
  return node.open || isTypeMeta ? [] : [`${below}: field not declared in schema`];
}

function itemStep(item: unknown, at: number, { type, keys }: ListNode): string {
  if (type !== "map" || !isJsonObject(item)) {
    return `[${at}]`;
  }
  const shownKeys = [...keys]
    .sort()
    .map((key) => `${key}=${stringifyJson(getOwn(item, key) ?? null)}`);
  return `[${shownKeys.join(",")}]`;
}

/** Go shows what it found; of an object only that it is one. */
function shown(value: unknown): string {
  return typeof value === "object" ? "map[]" : String(value as string);
}
