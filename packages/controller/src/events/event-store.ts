import type { KubeObject } from "@typekube/api";
import { type ClientCore, mergePatch } from "@typekube/client";
import { contextOf, operationsOf } from "@typekube/client/internal";

/** The events of a cluster, in one of the two API groups. */
export interface EventStore {
  create(event: KubeObject, signal: AbortSignal): Promise<void>;
  patch(name: string, namespace: string, patch: object, signal: AbortSignal): Promise<void>;
}

// Descriptors of our own: those of @typekube/api would load all other kinds of their groups.
const ofEvents = {
  kind: "Event",
  plural: "events",
  singular: "event",
  shortNames: [],
  categories: [],
  scope: "Namespaced",
  verbs: ["create", "patch"],
  subresources: {},
  protobuf: false,
} as const;
const newEvent = {
  ...ofEvents,
  group: "events.k8s.io",
  version: "v1",
  apiVersion: "events.k8s.io/v1",
};
const coreEvent = { ...ofEvents, group: "", version: "v1", apiVersion: "v1" };

/** Returns the events of the group events.k8s.io. */
export function newEvents(client: ClientCore): EventStore {
  return storeOf(client, newEvent);
}

/** Returns the events of the core group, which lets the note of an event change. */
export function coreEvents(client: ClientCore): EventStore {
  return storeOf(client, coreEvent);
}

function storeOf(client: ClientCore, kind: typeof coreEvent): EventStore {
  const operations = (namespace: string) => operationsOf(contextOf(client), kind, namespace);
  return {
    async create(event, signal) {
      await operations(event.metadata?.namespace ?? "").create(event, { signal });
    },
    async patch(name, namespace, patch, signal) {
      await operations(namespace).patch(name, mergePatch(patch), { signal });
    },
  };
}
