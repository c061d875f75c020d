import {
  formatLabelSelector,
  type LabelRequirement,
  matchesLabels,
  parseLabelSelector,
} from "@typekube/core";
import { isJsonObject } from "@typekube/core/internal";
import type { ApiObject } from "./api-object.js";
import { specOf } from "./parts.js";

const parsed = new WeakMap<object, LabelRequirement[]>();

/** Returns whether a LabelSelector matches an object. A missing selector matches nothing. */
export function selects(selector: unknown, { metadata }: ApiObject): boolean {
  if (!isJsonObject(selector)) {
    return false;
  }
  let requirements = parsed.get(selector);
  if (requirements === undefined) {
    requirements = parseLabelSelector(formatLabelSelector(selector));
    parsed.set(selector, requirements);
  }
  return matchesLabels(requirements, metadata.labels);
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
