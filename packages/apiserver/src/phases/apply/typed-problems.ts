import type { FieldSchema } from "@typekube/api/schema";
import { stringifyJson } from "@typekube/core/internal";
import { goSyntax, goText, goTypeName } from "../../errors/go-value.js";
import { getOwn, isJsonObject } from "../../objects/json-value.js";
import type { ListNode, SchemaNode } from "../../schema/schema-node.js";
import { keyDefault } from "../managed-fields/typed-value.js";

/**
 * Returns the schema violations of an applied configuration, each with its path. Like a real server it reports only one
 * undeclared field per object and stops there: the first one, where a real server picks any.
 *
 * @param schema - the type of a scalar, where known.
 */
export function typedProblems(
  value: unknown,
  node: SchemaNode,
  path = "",
  schema?: FieldSchema,
): string[] {
  if (value === null || value === undefined) {
    return [];
  }
  switch (node.form) {
    case "struct":
    case "map":
      return isJsonObject(value)
        ? fieldsProblems(value, node, path, schema)
        : [`${path}: expected map, got &{${goText(value)}}`];
    case "list":
      return Array.isArray(value)
        ? itemsProblems(value, node, path, schema)
        : [`${path}: expected list, got &{${goText(value)}}`];
    case "leaf":
      return scalarProblem(value, schema).map((why) => `${path}: ${why}`);
    case "untyped":
      return [];
    default:
      return node satisfies never;
  }
}

function fieldsProblems(
  value: Readonly<Record<string, unknown>>,
  node: SchemaNode & { readonly form: "map" | "struct" },
  path: string,
  schema: FieldSchema | undefined,
): string[] {
  const problems: string[] = [];
  for (const key of Object.keys(value)) {
    const below = `${path}.${key}`;
    if (node.form === "map") {
      problems.push(...typedProblems(value[key], node.values, below, schema));
      continue;
    }
    const field = node.field(key);
    if (field !== undefined) {
      problems.push(...typedProblems(value[key], field.node, below, field.schema));
    } else if (!node.open && !(path === "" && (key === "apiVersion" || key === "kind"))) {
      return [...problems, `${below}: field not declared in schema`];
    }
  }
  return problems;
}

function itemsProblems(
  items: readonly unknown[],
  node: ListNode,
  path: string,
  schema: FieldSchema | undefined,
): string[] {
  const problems: string[] = [];
  const seen = new Set<string>();
  for (const [at, item] of items.entries()) {
    const unfit = node.type === "atomic" ? undefined : unfitItem(item, node);
    if (unfit !== undefined) {
      return [...problems, `${path}: element ${at}: ${unfit}`];
    }
    const step = itemStep(item, at, node);
    if (seen.has(step)) {
      problems.push(`${path}: duplicate entries for key ${step}`);
    }
    seen.add(step);
    problems.push(...typedProblems(item, node.items, path + step, schema));
  }
  return problems;
}

/** Explains why an item can't be identified in its list; `undefined` when it can. */
function unfitItem(item: unknown, { type }: ListNode): string | undefined {
  if (type === "map") {
    return item === null
      ? "associative list with keys may not have a null element"
      : isJsonObject(item)
        ? undefined
        : "associative list with keys may not have non-map elements";
  }
  if (Array.isArray(item)) {
    return "not supported: associative list with lists as elements";
  }
  return item === null
    ? "associative list without keys has an element that's an explicit null"
    : isJsonObject(item)
      ? "associative list without keys has an element that's a map type"
      : undefined;
}

function itemStep(item: unknown, at: number, { type, keys, items }: ListNode): string {
  if (type === "atomic") {
    return `[${at}]`;
  }
  if (!isJsonObject(item)) {
    return `[=${stringifyJson(item)}]`;
  }
  const shown = [...keys].sort().flatMap((key) => {
    const value = getOwn(item, key) ?? keyDefault(items, key);
    return value === undefined ? [] : [`${key}=${stringifyJson(value)}`];
  });
  return `[${shown.join(",")}]`;
}

function scalarProblem(value: unknown, schema: FieldSchema | undefined): string[] {
  if (schema?.format === "int-or-string") {
    return [];
  }
  const isWhole = typeof value !== "object";
  if (schema?.format === "quantity") {
    return isWhole ? [] : [`expected any scalar, got &{${goText(value)}}`];
  }
  const isNumber = typeof value === "number" || typeof value === "bigint";
  switch (schema?.type) {
    case "string":
      return typeof value === "string" ? [] : [`expected string, got ${goSyntax(value)}`];
    case "boolean":
      return typeof value === "boolean" ? [] : [`expected boolean, got &{${goText(value)}}`];
    case "integer":
    case "number":
      return isNumber ? [] : [`expected numeric (int or float), got ${goTypeName(value)}`];
    default:
      return [];
  }
}
