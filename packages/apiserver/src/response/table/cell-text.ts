import { isJsonObject, type JsonObject } from "../../objects/json-value.js";
import { mapOf, objectsOf } from "../../objects/parts.js";

/** Placeholder for an empty cell. */
export const none = "<none>";

/** Returns a value, or the placeholder if it is empty. */
export function orNone(value: unknown): unknown {
  return value === undefined || value === null || value === "" ? none : value;
}

/** Formats labels as `a=b,c=d`. */
export function labelsText(labels: unknown): string {
  const pairs = Object.entries(mapOf(labels))
    .map(([key, value]) => `${key}=${String(value)}`)
    .sort();
  return pairs.length === 0 ? none : pairs.join(",");
}

const noValues: Readonly<Record<string, string>> = { Exists: "", DoesNotExist: "!" };
const operators: Readonly<Record<string, string>> = { In: "in", NotIn: "notin" };

/** Formats a label selector as `a=b,c in (d)`. */
export function selectorText(selector: unknown): string {
  if (!isJsonObject(selector)) {
    return none;
  }
  const labels = Object.entries(mapOf(selector["matchLabels"])).map(([key, value]) => ({
    key,
    written: `${key}=${String(value)}`,
  }));
  const expressions = objectsOf(selector["matchExpressions"]).map(expressionText);
  const all = [...labels, ...expressions].sort((a, b) =>
    a.key < b.key ? -1 : a.key > b.key ? 1 : 0,
  );
  return all.length === 0 ? none : all.map(({ written }) => written).join(",");
}

function expressionText({ key, operator, values }: JsonObject): { key: string; written: string } {
  const name = String(key);
  const sign = noValues[String(operator)];
  if (sign !== undefined) {
    return { key: name, written: `${sign}${name}` };
  }
  const list = Array.isArray(values) ? [...values].sort().join(",") : "";
  return { key: name, written: `${name} ${operators[String(operator)] ?? ""} (${list})` };
}

/** Joins the first items of a list and the number of further ones. */
export function firstFew(items: readonly string[], most = 3): string {
  const more = items.length > most ? ` + ${items.length - most} more...` : "";
  return `${items.slice(0, most).join(",")}${more}`;
}

/** Joins the names or images of containers. */
export function containersText(podSpec: unknown, field: "image" | "name"): string {
  return objectsOf(mapOf(podSpec)["containers"])
    .map((container) => String(container[field] ?? ""))
    .join(",");
}

/** Returns a number, or 0 for anything else. */
export function numberOf(value: unknown): unknown {
  return typeof value === "number" || typeof value === "bigint" ? value : 0;
}
