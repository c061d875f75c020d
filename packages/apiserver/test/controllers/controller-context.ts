import { builtInResources } from "@typekube/api/resources";
import type { ControllerParts } from "../../src/controllers/runtime/controller-parts.js";
import { createControllerParts } from "../../src/controllers/runtime/create-parts.js";
import {
  controllerManager,
  createObjectWriter,
} from "../../src/controllers/runtime/object-writer.js";
import type { ApiObject } from "../../src/objects/api-object.js";
import type { JsonObject } from "../../src/objects/json-value.js";
import { createContext } from "../../src/server/create-context.js";
import { createNamespaces } from "../../src/server/fresh-cluster/create-namespaces.js";

/** Namespace of the test objects. */
export const namespace = "default";

/**
 * Returns the context of controllers on a server that runs none, with a virtual clock: only the steps that a test calls
 * happen.
 *
 * @param storages - storages that the test or its steps write, besides pods and Events.
 */
export async function createControllerContext(...storages: string[]): Promise<ControllerParts> {
  const { context: server } = createContext(
    { clock: "virtual", controllers: true },
    builtInResources,
  );
  const writer = createObjectWriter(server, controllerManager);
  const context = createControllerParts(server, writer, () => "PEM");
  server.store.onCommit((event, storage) => context.index.record(event, storage));
  createNamespaces(server);
  await writer.prepare(["namespaces", "pods", "events", ...storages]);
  return context;
}

/** Returns an object as a controller reads it. */
export function objectOf(
  apiVersion: string,
  kind: string,
  name: string,
  fields: JsonObject = {},
  metadata: JsonObject = {},
): ApiObject {
  return { apiVersion, kind, metadata: { name, namespace, ...metadata }, ...fields } as ApiObject;
}

/** Pod template of the test objects, and its selector. */
export const template: JsonObject = {
  metadata: { labels: { app: "web" } },
  spec: { containers: [{ name: "main", image: "registry.k8s.io/pause:3.10" }] },
};
export const selector: JsonObject = { matchLabels: { app: "web" } };

/** Returns a pod, by default an unscheduled one without a status. */
export function podOf(name: string, fields: JsonObject = {}, metadata: JsonObject = {}): ApiObject {
  return objectOf("v1", "Pod", name, { spec: template["spec"], ...fields }, metadata);
}

/** Status of a running pod that has been ready since the start of time. */
export const readyStatus: JsonObject = {
  phase: "Running",
  conditions: [{ type: "Ready", status: "True", lastTransitionTime: "1970-01-01T00:00:00Z" }],
};

/** Sets the status of a stored pod. */
export function setPodStatus(
  { writer }: ControllerParts,
  name: string,
  status: JsonObject,
): ApiObject {
  const pod = writer.get("pods", namespace, name);
  if (pod === undefined) {
    throw new Error(`pod ${name} does not exist`);
  }
  return writer.update("pods", { ...pod, status }, "status");
}

/** Returns the names of the stored objects. */
export function namesIn({ writer }: ControllerParts, storage: string): (string | undefined)[] {
  return writer.list(storage, namespace).map(({ metadata }) => metadata.name);
}
