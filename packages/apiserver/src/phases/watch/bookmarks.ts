import type { WireWatchEvent } from "@typekube/core/internal";
import type { ApiObject } from "../../objects/api-object.js";
import { isJsonObject, type JsonObject, omitKeys } from "../../objects/json-value.js";
import type { ServedResource } from "../../resources/served-resource.js";

/** Returns a bookmark with kind and resourceVersion only; other fields are added when it is encoded. */
export function bookmark(
  { descriptor }: ServedResource,
  revision: bigint,
  initialEventsEnd: boolean,
): WireWatchEvent {
  const metadata = {
    resourceVersion: String(revision),
    ...(initialEventsEnd ? { annotations: { "k8s.io/initial-events-end": "true" } } : {}),
  };
  return {
    type: "BOOKMARK",
    object: { kind: descriptor.kind, apiVersion: descriptor.apiVersion, metadata },
  };
}

/** Returns whether an event is a bookmark. */
export function isBookmark({ type }: Pick<WireWatchEvent, "type">): boolean {
  return type === "BOOKMARK";
}

/**
 * Returns the bookmark as Go writes it: an otherwise empty object of the kind.
 *
 * @param empty - the fields that Go writes for an empty object; absent for kinds without a Go type.
 */
export function filledBookmark(
  event: WireWatchEvent,
  empty: JsonObject | undefined,
  { storage }: ServedResource,
): WireWatchEvent {
  if (empty === undefined) {
    return event;
  }
  const { metadata, ...object } = event.object as ApiObject;
  const { spec, ...rest } = omitKeys(empty, "metadata");
  const annotations = { ...annotationsOf[storage], ...metadata.annotations };
  return {
    ...event,
    object: {
      ...object,
      metadata: Object.keys(annotations).length > 0 ? { ...metadata, annotations } : metadata,
      ...(isJsonObject(spec) ? { spec: { ...specOf[storage], ...spec } } : {}),
      ...rest,
    },
  };
}

/**
 * Values that real servers write in otherwise empty objects, because the field is optional in one of the internal and
 * served types only.
 */
const specOf: Readonly<Record<string, JsonObject>> = {
  "deployments.apps": { replicas: 0 },
  "replicasets.apps": { replicas: 0 },
  "statefulsets.apps": { replicas: 0 },
};
const annotationsOf: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "daemonsets.apps": { "deprecated.daemonset.template.generation": "0" },
};
