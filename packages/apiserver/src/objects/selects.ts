import type { ApiObject } from "./api-object.js";
import { isJsonObject, stringsOf } from "./json-value.js";
import { mapOf, objectsOf, specOf } from "./parts.js";

/** Returns whether a LabelSelector matches labels. A missing selector matches nothing. */
export function selectsLabels(selector: unknown, given: unknown): boolean {
  const has = mapOf(given);
  const { matchLabels, matchExpressions } = mapOf(selector);
  return (
    isJsonObject(selector) &&
    Object.entries(mapOf(matchLabels)).every(([key, value]) => has[key] === value) &&
    objectsOf(matchExpressions).every(({ key, operator, values }) => {
      const value = has[String(key)];
      switch (operator) {
        case "In":
          return typeof value === "string" && stringsOf(values).includes(value);
        case "NotIn":
          return typeof value !== "string" || !stringsOf(values).includes(value);
        case "Exists":
          return value !== undefined;
        default:
          return value === undefined;
      }
    })
  );
}

/** Returns whether a LabelSelector matches an object. */
export function selects(selector: unknown, { metadata }: ApiObject): boolean {
  return selectsLabels(selector, metadata.labels);
}

/**
 * Returns whether a controller's selector matches an object. Only ReplicationControllers use a plain map as their
 * selector.
 */
export function selectsAsOwner(owner: ApiObject, object: ApiObject): boolean {
  const { selector } = specOf(owner);
  return owner["kind"] === "ReplicationController"
    ? selectsByMap(selector, object)
    : selects(selector, object);
}

/** Returns whether a plain map selector (of a Service or ReplicationController) matches an object. */
export function selectsByMap(selector: unknown, { metadata }: ApiObject): boolean {
  return (
    isJsonObject(selector) &&
    Object.keys(selector).length > 0 &&
    Object.entries(selector).every(([key, value]) => metadata.labels?.[key] === value)
  );
}
