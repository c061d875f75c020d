import { isStatus } from "../errors/status.js";
import { isJsonObject } from "../objects/json-value.js";
import { setOwn } from "../objects/own-property.js";
import { mark } from "./projected-objects.js";
import type { Projection } from "./projection.js";
import type { Selection } from "./selection.js";

/**
 * Returns what a selection keeps of a decoded value. Objects and lists on a path are kept even when they become empty,
 * items keep their positions, and a value that has no fields is kept as it is. An API object must be marked next, by
 * `markProjected`: it and its metadata are new objects then, unless the metadata is kept as a whole.
 */
export function projectValue(value: unknown, selection: Selection): unknown {
  if (selection.whole) {
    return value;
  }
  if (Array.isArray(value)) {
    return value.map((item) => projectValue(item, selection));
  }
  if (!isJsonObject(value)) {
    return value;
  }
  const kept: Record<string, unknown> = {};
  if (selection.isMarked) {
    mark(kept);
  }
  for (const [name, field] of Object.entries(value)) {
    const chosen = selection.fields.get(name);
    if (chosen !== undefined) {
      setOwn(kept, name, projectValue(field, chosen));
    }
  }
  return kept;
}

/** Returns what a projection keeps of a decoded body: an object, or the items of a list. A Status is kept whole. */
export function projectBody(body: unknown, projection: Projection | undefined): unknown {
  if (projection === undefined || !isJsonObject(body) || isStatus(body)) {
    return body;
  }
  return projectValue(body, isList(body) ? projection.list : projection.root);
}

/** Returns whether a body is a list of objects: an object of a kind such as IPList may have items too, and has a name. */
function isList(body: Readonly<Record<string, unknown>>): boolean {
  const { kind, items, metadata } = body;
  if (isJsonObject(metadata) && metadata["name"] !== undefined) {
    return false;
  }
  return (
    typeof kind === "string" && kind.endsWith("List") && (items === null || Array.isArray(items))
  );
}

/**
 * Returns whether a projection applies to the object of an event. It does not to the Status of an `ERROR`, nor to a
 * bookmark, whose annotations tell the end of the initial events.
 */
export function hasProjectedObject(eventType: unknown): boolean {
  return eventType === "ADDED" || eventType === "MODIFIED" || eventType === "DELETED";
}

/** Returns a watch event with what a projection keeps of its object. */
export function projectEvent<E extends { readonly type: unknown; readonly object: unknown }>(
  event: E,
  projection: Projection | undefined,
): E {
  return projection !== undefined && hasProjectedObject(event.type)
    ? { ...event, object: projectValue(event.object, projection.root) }
    : event;
}
