import type { ServerContext } from "../context/server-context.js";
import { serviceNameLabel } from "../controllers/endpoint-slices/endpoint-slice.js";
import { isReady } from "../controllers/pods/pods.js";
import { failure, type StatusError } from "../errors/status-errors.js";
import type { ApiObject } from "../objects/api-object.js";
import { getPath, type JsonObject } from "../objects/json-value.js";
import { mapOf, objectsOf, specOf } from "../objects/parts.js";
import { selectsByMap } from "../objects/selects.js";
import { objectKey } from "../store/store.js";

/** A pod behind a Service, and its port. */
export interface ServiceEndpoint {
  readonly pod: ApiObject;
  readonly port: number;
}

/** Pods with the ports of the Service on them, by name. */
interface Endpoints {
  readonly pods: readonly ApiObject[];
  readonly portOf: (name: string, pod: ApiObject) => number | undefined;
}

/**
 * Returns the first ready pod behind a Service that has the port. Endpoints count before EndpointSlices; where nothing
 * writes either, because no controllers run, the Service's selector decides. (kubernetes `core/service/storage`)
 *
 * @param port - number or name of the Service's port; empty for its unnamed one.
 * @throws {StatusError} 503 as real servers.
 */
export function serviceEndpoint(
  server: ServerContext,
  service: ApiObject,
  port: string,
): ServiceEndpoint {
  const name = service.metadata.name ?? "";
  const portName = /^\d+$/.test(port) ? namedPort(service, Number(port)) : port;
  for (const { pods, portOf } of endpointsOf(server, service)) {
    for (const pod of pods) {
      const number = portOf(portName, pod);
      if (number !== undefined) {
        return { pod, port: number };
      }
    }
  }
  throw unavailable(`no endpoints available for service ${JSON.stringify(name)}`);
}

function namedPort(service: ApiObject, number: number): string {
  const found = objectsOf(specOf(service)["ports"]).find(({ port }) => port === number);
  if (found === undefined) {
    const name = JSON.stringify(service.metadata.name);
    throw unavailable(`no service port ${number} found for service ${name}`);
  }
  return String(found["name"] ?? "");
}

function unavailable(message: string): StatusError {
  return failure(503, "ServiceUnavailable", message);
}

function endpointsOf(server: ServerContext, service: ApiObject): Endpoints[] {
  const { name = "", namespace = "" } = service.metadata;
  const pods = objectsIn(server, "pods", namespace);
  const podAt = (address: unknown, target: unknown): ApiObject[] => {
    const targetName = mapOf(target)["name"];
    const found = pods.find(({ metadata, status }) =>
      targetName === undefined ? mapOf(status)["podIP"] === address : metadata.name === targetName,
    );
    return found === undefined ? [] : [found];
  };
  const listed = server.store.collection("endpoints").get(objectKey(namespace, name));
  if (listed !== undefined) {
    return objectsOf(listed["subsets"]).map(({ addresses, ports }) => ({
      pods: objectsOf(addresses).flatMap(({ ip, targetRef }) => podAt(ip, targetRef)),
      portOf: portIn(ports),
    }));
  }
  const slices = objectsIn(server, "endpointslices.discovery.k8s.io", namespace).filter(
    ({ metadata }) => metadata.labels?.[serviceNameLabel] === name,
  );
  if (slices.length > 0) {
    return slices.map(({ endpoints, ports }) => ({
      pods: objectsOf(endpoints)
        .filter(({ conditions }) => mapOf(conditions)["ready"] !== false)
        .flatMap(({ addresses, targetRef }) => podAt(getPath(addresses, "0"), targetRef)),
      portOf: portIn(ports),
    }));
  }
  const { selector, ports } = specOf(service);
  return [
    {
      pods: pods.filter((pod) => selectsByMap(selector, pod) && isReady(pod)),
      portOf: (portName, pod) => targetPort(objectsOf(ports), portName, pod),
    },
  ];
}

function objectsIn({ store }: ServerContext, storage: string, namespace: string): ApiObject[] {
  return store
    .collection(storage)
    .entries(`${namespace}/`)
    .map(([, object]) => object);
}

function portIn(ports: unknown): Endpoints["portOf"] {
  return (name) => numberOf(objectsOf(ports).find((one) => (one["name"] ?? "") === name)?.["port"]);
}

function targetPort(ports: readonly JsonObject[], name: string, pod: ApiObject) {
  const port = ports.find((one) => (one["name"] ?? "") === name);
  const target = port?.["targetPort"] ?? port?.["port"];
  const ofPod = objectsOf(specOf(pod)["containers"]).flatMap((one) => objectsOf(one["ports"]));
  return numberOf(
    typeof target === "string"
      ? ofPod.find((one) => one["name"] === target)?.["containerPort"]
      : target,
  );
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
