import type { ServerContext } from "../../context/server-context.js";
import { notServed } from "../../errors/not-served.js";
import { badRequest } from "../../errors/status-errors.js";
import { getPath, type JsonObject } from "../../objects/json-value.js";
import { existing } from "../../phases/read/read-objects.js";
import { assertBinding, assertOfName, boundPod } from "../../phases/write/bind-pod.js";
import { assertNamespaceOpen } from "../../phases/write/namespaces.js";
import { assertSameNamespace } from "../../phases/write/update-preconditions.js";
import type { ResourceRequest } from "../../request/request-info.js";
import type { WriteOptions } from "../../request/write-options.js";
import { objectKey } from "../../store/store.js";
import { evictPod } from "./evict-pod.js";
import { handleReview } from "./reviews.js";
import { requestToken } from "./token-request.js";

const accepted: JsonObject = {
  kind: "Status",
  apiVersion: "v1",
  metadata: {},
  status: "Success",
  code: 201,
};

/**
 * Admits a virtual object and returns it, changed or not.
 *
 * @param of - the request that it is admitted for. Default: the one received.
 */
export type AdmitVirtual = (object: JsonObject, of?: ResourceRequest) => Promise<JsonObject>;

/** Handles a POST to a virtual kind: a review, or a Binding of the legacy form without a pod subresource. */
export async function handleVirtual(
  server: ServerContext,
  request: ResourceRequest,
  body: JsonObject,
  options: WriteOptions,
  admit: AdmitVirtual,
): Promise<JsonObject> {
  if (request.resource.storage !== "bindings") {
    return handleReview(server, request, await admit(body));
  }
  const pods = server.registry.find("", "v1", "pods");
  const name = getPath(body, "metadata", "name");
  if (typeof name !== "string" || name === "" || pods === undefined) {
    throw badRequest("Name parameter required.");
  }
  const binding = { ...request, resource: pods, name, subresource: "binding" };
  return createSubresource(server, binding, body, options, (object) => admit(object, request));
}

/** Handles a POST to a subresource: eviction, binding, token. */
export async function createSubresource(
  server: ServerContext,
  request: ResourceRequest,
  body: JsonObject,
  { dryRun }: WriteOptions,
  admit: AdmitVirtual,
): Promise<JsonObject> {
  const { resource, namespace, name, subresource } = request;
  assertSameNamespace(body, namespace);
  assertNamespaceOpen(server, resource, namespace, name);
  if (subresource === "binding") {
    assertBinding(body, name);
  }
  if (subresource === "eviction") {
    assertOfName(body, name, "Eviction");
  }
  const admitted = await admit(body);
  const object = existing(server, resource, namespace, name);
  switch (subresource) {
    case "eviction":
      await evictPod(server, request, admitted, dryRun);
      return accepted;
    case "binding": {
      const bound = boundPod(server, object, admitted);
      if (!dryRun) {
        server.store.put(resource.storage, objectKey(namespace, name), bound);
      }
      return accepted;
    }
    case "token":
      return requestToken(server, request, object, admitted);
    default:
      throw notServed(subresource);
  }
}
