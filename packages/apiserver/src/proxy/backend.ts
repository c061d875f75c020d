import type { Duplex } from "node:stream";
import type { ServerContext } from "../context/server-context.js";
import { notServed } from "../errors/not-served.js";
import { badRequest, failure } from "../errors/status-errors.js";
import type { ApiObject } from "../objects/api-object.js";
import { getPath } from "../objects/json-value.js";
import { objectsOf, specOf } from "../objects/parts.js";
import { existing } from "../phases/read/read-objects.js";
import { endOf } from "../pod-streams/container-ends.js";
import type { PodHandlers } from "../pod-streams/pod-handlers.js";
import type { ResourceRequest } from "../request/request-info.js";
import { type BackendName, readBackendName } from "./backend-name.js";
import { portSocket } from "./port-socket.js";
import { serviceEndpoint } from "./service-endpoint.js";

/** The target of a proxied request: a port of a pod or of a node. */
export interface Backend {
  readonly scheme: "http" | "https";
  /** Address for the `Host` header. */
  readonly host: string;
  connect(): Duplex;
}

/** The server of a proxied request, and the handlers that stand in for its nodes. */
export interface BackendSources {
  readonly server: ServerContext;
  readonly pods: PodHandlers;
}

/** Kinds with the subresource `proxy`, by the collection of their objects. */
const finders: Readonly<
  Record<string, (sources: BackendSources, request: ResourceRequest) => Backend>
> = { pods: podBackend, services: serviceBackend, nodes: nodeBackend };

/**
 * Finds the backend of a request; `undefined` for a resource without backends.
 *
 * @throws {StatusError} 400, 404 and 503 as real servers; 501 without a handler.
 */
export function findBackend(
  sources: BackendSources,
  request: ResourceRequest,
): Backend | undefined {
  return finders[request.resource.storage]?.(sources, request);
}

function podBackend(sources: BackendSources, request: ResourceRequest): Backend {
  const { namespace, resource } = request;
  const id = readBackendName(request.name, "pod");
  const pod = existing(sources.server, resource, namespace, id.name);
  return portOfPod(sources, pod, id, id.port === "" ? firstPort(pod) : id.port);
}

function serviceBackend(sources: BackendSources, request: ResourceRequest): Backend {
  const { namespace, resource } = request;
  const id = readBackendName(request.name, "service");
  const service = existing(sources.server, resource, namespace, id.name);
  const { pod, port } = serviceEndpoint(sources.server, service, id.port);
  return portOfPod(sources, pod, id, String(port));
}

/** Returns the first port that a pod declares, else the one of the scheme. */
function firstPort(pod: ApiObject): string {
  const ports = objectsOf(specOf(pod)["containers"]).flatMap((one) => objectsOf(one["ports"]));
  return String(ports[0]?.["containerPort"] ?? 80);
}

function portOfPod(
  { server, pods }: BackendSources,
  pod: ApiObject,
  { scheme }: BackendName,
  portText: string,
): Backend {
  const { name = "", namespace = "" } = pod.metadata;
  const { portForward } = pods;
  const address = getPath(pod, "status", "podIP");
  if (portForward === undefined) {
    throw address === undefined
      ? badRequest("address not allowed")
      : notServed("proxy", "portForward");
  }
  const port = portNumber(portText);
  return {
    scheme,
    host: `${address ?? name}:${port}`,
    connect: () =>
      portSocket((connection) =>
        portForward({ ...connection, pod, name, namespace, port, ended: endOf(server, pod) }),
      ),
  };
}

function nodeBackend(sources: BackendSources, request: ResourceRequest): Backend {
  const { scheme, name, port: portText } = readBackendName(request.name, "node");
  const node = existing(sources.server, request.resource, "", name);
  const { nodePort } = sources.pods;
  if (nodePort === undefined) {
    throw notServed("proxy", "nodePort");
  }
  const declared = getPath(node, "status", "daemonEndpoints", "kubeletEndpoint", "Port");
  const port = portNumber(portText || String(declared || 10_250));
  return {
    scheme,
    host: `${name}:${port}`,
    connect: () => portSocket((connection) => nodePort({ ...connection, node, name, port })),
  };
}

function portNumber(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw failure(
      503,
      "ServiceUnavailable",
      `error trying to reach service: ${JSON.stringify(text)} is not a port number`,
    );
  }
  return port;
}
