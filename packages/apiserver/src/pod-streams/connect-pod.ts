import type { HttpResponse } from "@typekube/core/internal";
import type { WebSocketConnection } from "@typekube/transport/internal";
import type { ServerContext } from "../context/server-context.js";
import { notServed } from "../errors/not-served.js";
import { badRequest } from "../errors/status-errors.js";
import type { ApiObject } from "../objects/api-object.js";
import { getPath } from "../objects/json-value.js";
import { existing } from "../phases/read/read-objects.js";
import { isOn, type ResourceRequest } from "../request/request-info.js";
import type { Upgrade } from "../request/upgrade.js";
import { textResponse } from "../response/responses.js";
import { switched } from "../response/switched.js";
import { assertHasLog } from "./assert-has-log.js";
import { chooseContainer } from "./choose-container.js";
import { endOf } from "./container-ends.js";
import { forwardPorts, portProtocols } from "./forward-ports.js";
import type { PodHandlers } from "./pod-handlers.js";
import { podLog } from "./pod-log.js";
import { readPodLogOptions } from "./pod-log-options.js";
import { runSession, sessionProtocols } from "./pod-session.js";
import { tunnelPorts, tunnelProtocol } from "./tunnel-ports.js";

/** Maximum ports of one connection: each port takes two channels, and a channel number is one byte. */
const maxPorts = 128;

/** A request to a container of a pod. */
export interface PodConnection {
  readonly server: ServerContext;
  readonly pods: PodHandlers;
  readonly request: ResourceRequest;
  readonly signal: AbortSignal;
  readonly upgrade: Upgrade | undefined;
}

/**
 * Serves log, exec, attach and port-forward of pods through the user's handlers; `undefined` for other requests.
 *
 * @throws {StatusError} 400, 404 and 422 as real servers; 501 without a handler.
 */
export function connectPod(requested: PodConnection): HttpResponse | undefined {
  const { resource, subresource } = requested.request;
  if (resource.storage !== "pods") {
    return undefined;
  }
  const signal = AbortSignal.any([requested.signal, requested.server.closing]);
  const connection = { ...requested, signal };
  switch (subresource) {
    case "log":
      return log(connection);
    case "exec":
    case "attach":
      return session(connection, subresource);
    case "portforward":
      return portForward(connection);
    default:
      return undefined;
  }
}

function log({ server, pods, request, signal }: PodConnection): HttpResponse {
  const { namespace, name, query, resource } = request;
  const now = server.clock.now();
  const options = readPodLogOptions(query, name, now);
  const pod = existing(server, resource, namespace, name);
  const container = chooseContainer(pod, query.get("container") ?? "");
  if (pods.log === undefined) {
    if (!isScheduled(pod)) {
      return textResponse(200, "");
    }
    throw notServed("log", "log");
  }
  assertHasLog(pod, container, options.previous);
  const target = { pod, namespace, name, container, signal, ended: endOf(server, pod, container) };
  return podLog(pods.log, { ...options, ...target }, now);
}

function session(
  { server, pods, request, signal, upgrade }: PodConnection,
  kind: "attach" | "exec",
): HttpResponse {
  const { namespace, name, query, resource } = request;
  const pod = existing(server, resource, namespace, name);
  const container = chooseContainer(pod, query.get("container") ?? "");
  const handler = pods[kind];
  if (handler === undefined) {
    if (!isScheduled(pod)) {
      throw badRequest(`pod ${name} does not have a host assigned`);
    }
    throw notServed(kind, kind);
  }
  const flag = (key: string) => isOn(query.get(key));
  if (!["stdin", "stdout", "stderr"].some(flag)) {
    throw badRequest("you must specify at least 1 of stdin, stdout, stderr");
  }
  const connection = accepted(upgrade, sessionProtocols);
  const target = { pod, namespace, name, container, signal, ended: endOf(server, pod, container) };
  const command = kind === "exec" ? query.getAll("command") : [];
  return switched(
    runSession(connection, handler, {
      ...target,
      command,
      tty: flag("tty"),
      hasStdin: flag("stdin"),
    }),
  );
}

/** Returns whether a pod has a node. Without one it has no containers and an empty log. */
function isScheduled(pod: ApiObject): boolean {
  return Boolean(getPath(pod, "spec", "nodeName"));
}

function portForward({ server, pods, request, signal, upgrade }: PodConnection): HttpResponse {
  const { namespace, name, query, resource } = request;
  const pod = existing(server, resource, namespace, name);
  if (pods.portForward === undefined) {
    throw notServed("portforward", "portForward");
  }
  const connection = accepted(upgrade, [tunnelProtocol, ...portProtocols], () =>
    // With the tunnel protocol each stream names its port; with channels the query lists the ports.
    readPorts(query),
  );
  const target = { pod, namespace, name, signal, ended: endOf(server, pod) };
  return switched(
    connection.protocol === tunnelProtocol
      ? tunnelPorts(connection, pods.portForward, target)
      : forwardPorts(connection, pods.portForward, readPorts(query), target),
  );
}

function readPorts(query: URLSearchParams): number[] {
  const ports = query
    .getAll("ports")
    .flatMap((list) => list.split(","))
    .map(Number);
  const isPort = (port: number) => Number.isInteger(port) && port >= 1 && port <= 65_535;
  if (ports.length === 0 || ports.length > maxPorts || !ports.every(isPort)) {
    throw badRequest('query parameter "ports" must name ports between 1 and 65535');
  }
  return ports;
}

function accepted(
  upgrade: Upgrade | undefined,
  known: readonly string[],
  check?: () => unknown,
): WebSocketConnection {
  if (upgrade === undefined) {
    throw badRequest("Upgrade request required");
  }
  const protocol = known.find((one) => upgrade.protocols.includes(one));
  if (protocol === undefined) {
    throw badRequest(
      `unable to upgrade: unable to negotiate a protocol; the server speaks: ${known.join(", ")}`,
    );
  }
  if (protocol !== tunnelProtocol) {
    check?.();
  }
  return upgrade.accept(protocol);
}
