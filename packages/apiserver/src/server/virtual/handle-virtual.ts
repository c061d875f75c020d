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

/** Handles a POST to a virtual kind: a review, or a Binding of the legacy form without a pod subresource. */
export async function handleVirtual(
  server: ServerContext,
  request: ResourceRequest,
  body: JsonObject,
  options: WriteOptions,
): Promise<JsonObject> {
  if (request.resource.storage !== "bindings") {
    return handleReview(server, request, body);
  }
  const pods = server.registry.find("", "v1", "pods");
  const name = getPath(body, "metadata", "name");
  if (typeof name !== "string" || name === "" || pods === undefined) {
    throw badRequest("Name parameter required.");
  }
  const binding = { ...request, resource: pods, name, subresource: "binding" };
  return createSubresource(server, binding, body, options);
}

/** Handles a POST to a subresource: eviction, binding, token. */
export async function createSubresource(
  server: ServerContext,
  request: ResourceRequest,
  body: JsonObject,
  { dryRun }: WriteOptions,
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
  const object = existing(server, resource, namespace, name);
  switch (subresource) {
    case "eviction":
      await evictPod(server, request, body, dryRun);
      return accepted;
    case "binding": {
      const bound = boundPod(server, object, body);
      if (!dryRun) {
        server.store.put(resource.storage, objectKey(namespace, name), bound);
      }
      return accepted;
    }
    case "token":
      return requestToken(server, request, object, body);
    default:
      throw notServed(subresource);
  }
}
