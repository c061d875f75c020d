import {
  formatLabelSelector,
  type LabelRequirement,
  matchesLabels,
  parseLabelSelector,
} from "@typekube/core";
import { isJsonObject } from "@typekube/core/internal";
import { specOf } from "../kinds/parts.js";
import type { ApiObject } from "../store/stored-object.js";

const parsed = new WeakMap<object, LabelRequirement[]>();

/** Whether a label selector, as objects carry it, chooses an object. One that is missing chooses nothing. */
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

/** Reports whether a controller selects an object. Only ReplicationControllers have a plain map as their selector. */
export function selectsAsOwner(owner: ApiObject, object: ApiObject): boolean {
  const { selector } = specOf(owner);
  return owner["kind"] === "ReplicationController"
    ? selectsByMap(selector, object)
    : selects(selector, object);
}

/** Whether the selector of a Service or of a controller of the old kind, which is a plain map, chooses an object. */
export function selectsByMap(selector: unknown, { metadata }: ApiObject): boolean {
  return (
    isJsonObject(selector) &&
    Object.keys(selector).length > 0 &&
    Object.entries(selector).every(([key, value]) => metadata.labels?.[key] === value)
  );
}
