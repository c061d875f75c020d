import type { WireWatchEvent } from "@typekube/core/internal";
import type { ServedResource } from "../resources/served-resource.js";
import { isJsonObject, type JsonObject, omitKeys } from "../store/json-value.js";
import type { ApiObject } from "../store/stored-object.js";

/** The bookmark of a resource: nothing but its kind and a version, until it is written. */
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

/** Whether an event is one. */
export function isBookmark({ type }: Pick<WireWatchEvent, "type">): boolean {
  return type === "BOOKMARK";
}

/**
 * The bookmark as Go writes it: an object of the kind in which nobody set anything but the version.
 *
 * @param empty - what the Go type writes when nothing is set; absent for kinds that have none.
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
 * Real servers keep some kinds in another form than they show. What may be left out in the one and not in the other has a
 * value when an object is made from nothing.
 */
const specOf: Readonly<Record<string, JsonObject>> = {
  "deployments.apps": { replicas: 0 },
  "replicasets.apps": { replicas: 0 },
  "statefulsets.apps": { replicas: 0 },
};
const annotationsOf: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "daemonsets.apps": { "deprecated.daemonset.template.generation": "0" },
};
