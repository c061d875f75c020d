import { isJsonObject, type JsonObject } from "../objects/json-value.js";
import { listOf } from "../resources/definition.js";
import type { TableColumn } from "../resources/table-column.js";
import { ageText } from "../response/table/age.js";
import { nameColumn } from "../response/table/make-column.js";

/** Returns the printer columns of a version, its name first; `undefined` when it declares none. */
export function printerColumns(version: JsonObject): TableColumn[] | undefined {
  const declared = listOf(version["additionalPrinterColumns"]);
  return declared.length === 0 ? undefined : [nameColumn, ...declared.map(columnOf)];
}

function columnOf({
  name,
  type,
  format,
  description,
  priority,
  jsonPath,
}: JsonObject): TableColumn {
  const path = String(jsonPath);
  let find: ReturnType<typeof pathReader> | undefined;
  const shown = String(type);
  return {
    name: String(name),
    type: shown,
    format: typeof format === "string" ? format : "",
    description:
      typeof description === "string" && description !== ""
        ? description
        : `Custom resource definition column (in JSONPath format): ${path}`,
    priority: typeof priority === "number" ? priority : 0,
    cell(object, now) {
      // Most definitions are never shown as a table.
      find ??= pathReader(path);
      return cellOf(find(object), shown, now);
    },
  };
}

/**
 * Formats a value for a column of a type. Values of another type show as empty, except in string columns, which accept
 * any value.
 */
function cellOf(value: unknown, type: string, now: number): unknown {
  if (value === undefined) {
    return null;
  }
  switch (type) {
    case "string":
      return textOf(value);
    case "integer":
      return typeof value === "number"
        ? Math.trunc(value)
        : typeof value === "bigint"
          ? value
          : null;
    case "number":
      return typeof value === "number" || typeof value === "bigint" ? value : null;
    case "boolean":
      return typeof value === "boolean" ? value : null;
    case "date":
      return typeof value === "string" ? ageOf(value, now) : null;
    default:
      return null;
  }
}

function textOf(value: unknown): string {
  if (value === null) {
    return "<nil>";
  }
  return typeof value === "object"
    ? JSON.stringify(value, (_key, inner: unknown) =>
        typeof inner === "bigint" ? Number(inner) : inner,
      )
    : String(value as bigint | boolean | number | string);
}

function ageOf(text: string, now: number): string {
  const time = Date.parse(text);
  return Number.isNaN(time) ? "<invalid>" : ageText(Math.floor((now - time) / 1000));
}

const step =
  /\.((?:[^.[\]\\]|\\.)+)|\[(-?\d+|\*)\]|\[['"]([^'"]*)['"]\]|\[\?\(\s*@\.([^\s=]+)\s*==\s*["']?([^"')]*)["']?\s*\)\]/y;

/**
 * Reads the first value at a path. Supports keys, indices, `[*]` and the filter `[?(@.type=="Ready")]`; other paths
 * yield nothing.
 */
export function pathReader(path: string): (object: unknown) => unknown {
  const steps: ((value: unknown) => unknown)[] = [];
  let at = 0;
  while (at < path.length) {
    step.lastIndex = at;
    const match = step.exec(path);
    if (match === null) {
      return () => undefined;
    }
    steps.push(stepOf(match));
    at = step.lastIndex;
  }
  return (object) =>
    steps.reduce<unknown>((value, next) => (value === undefined ? undefined : next(value)), object);
}

function stepOf([, key, index, quoted, field = "", equals]: RegExpExecArray) {
  const name = key?.replace(/\\(.)/g, "$1") ?? quoted;
  if (name !== undefined) {
    return (value: unknown) =>
      isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }
  if (index !== undefined) {
    return (value: unknown) =>
      Array.isArray(value) ? (value.at(index === "*" ? 0 : Number(index)) as unknown) : undefined;
  }
  const keys = field.split(".");
  return (value: unknown) =>
    Array.isArray(value)
      ? (value.find((item: unknown) => {
          const found = keys.reduce<unknown>(
            (inner, one) => (isJsonObject(inner) ? inner[one] : undefined),
            item,
          );
          return found !== undefined && String(found) === equals;
        }) as unknown)
      : undefined;
}
