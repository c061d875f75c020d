import { answerReview } from "../access/reviews.js";
import { requestToken } from "../access/token-request.js";
import { existing } from "../read/read-objects.js";
import type { ResourceRequest } from "../request/request-info.js";
import type { WriteOptions } from "../request/write-options.js";
import { failure } from "../response/status-errors.js";
import type { ServerContext } from "../server-context.js";
import type { JsonObject } from "../store/json-value.js";
import { objectKey } from "../store/store.js";
import { assertBinding, assertOfName, boundPod } from "../write/bind-pod.js";
import { evictPod } from "../write/evict-pod.js";
import { assertSameNamespace } from "../write/update-preconditions.js";
import { assertNamespaceOpen } from "./namespaces.js";

const accepted: JsonObject = {
  kind: "Status",
  apiVersion: "v1",
  metadata: {},
  status: "Success",
  code: 201,
};

/** Answers what is posted to a virtual kind. */
export function answerVirtual(
  server: ServerContext,
  request: ResourceRequest,
  body: JsonObject,
): JsonObject {
  return answerReview(server, request, body);
}

/** Answers a POST to a subresource: eviction, binding, token. */
export function createSubresource(
  server: ServerContext,
  request: ResourceRequest,
  body: JsonObject,
  { dryRun }: WriteOptions,
): JsonObject {
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
      evictPod(server, request, object, body, dryRun);
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

/**
 * For what only a node or a running container could answer.
 *
 * @param handler - the handler of `pods` that would answer it.
 */
export function notServed(subresource: string, handler?: string): Error {
  const wayOut = handler ? ` unless it is started with a handler: { pods: { ${handler} } }` : "";
  return failure(
    501,
    undefined,
    `the embedded server does not serve the subresource "${subresource}"${wayOut}`,
  );
}
