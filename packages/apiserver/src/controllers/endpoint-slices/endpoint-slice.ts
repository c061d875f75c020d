import type { ApiObject } from "../../objects/api-object.js";
import { getPath, type JsonObject } from "../../objects/json-value.js";
import { controllerReference, isGoing } from "../../objects/owner-references.js";
import { mapOf, objectsOf, specOf } from "../../objects/parts.js";
import { compareText, hasEnded, isReady } from "../pods/pods.js";

/** Label of a slice with the name of its Service. */
export const serviceNameLabel = "kubernetes.io/service-name";

const changeTime = "endpoints.kubernetes.io/last-change-trigger-time";

/** Returns whether a pod has an endpoint: an address, and containers that may run. */
export function hasEndpoint(pod: ApiObject): boolean {
  return (getPath(pod, "status", "podIP") ?? "") !== "" && !hasEnded(pod);
}

/** Returns the EndpointSlice of a Service with the endpoints of its pods. */
export function endpointSliceOf(
  service: ApiObject,
  pods: readonly ApiObject[],
  now: string,
): ApiObject {
  const { name = "", namespace = "", labels } = service.metadata;
  const { clusterIP, publishNotReadyAddresses, ports } = specOf(service);
  return {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: {
      generateName: `${name}-`,
      namespace,
      labels: {
        ...labels,
        "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io",
        [serviceNameLabel]: name,
        ...(clusterIP === "None" ? { "service.kubernetes.io/headless": "" } : {}),
      },
      annotations: { [changeTime]: now },
      ownerReferences: [controllerReference(service)],
    },
    addressType: "IPv4",
    endpoints: pods.map((pod) => endpointOf(pod, publishNotReadyAddresses === true)),
    ports: pods.length === 0 ? [] : objectsOf(ports).flatMap((port) => portOf(port, pods)),
  };
}

function endpointOf(pod: ApiObject, isAlwaysReady: boolean): JsonObject {
  const serving = isReady(pod) || isAlwaysReady;
  const nodeName = getPath(pod, "spec", "nodeName");
  const { name, namespace, uid } = pod.metadata;
  return {
    addresses: [getPath(pod, "status", "podIP")],
    conditions: { ready: serving && !isGoing(pod), serving, terminating: isGoing(pod) },
    targetRef: { kind: "Pod", namespace, name, uid },
    ...(nodeName === undefined ? {} : { nodeName }),
  };
}

/** Resolves a port of the Service: a named port is looked up in the pods, and the first match counts. */
function portOf(port: JsonObject, pods: readonly ApiObject[]): JsonObject[] {
  const { name = "", protocol = "TCP", appProtocol } = port;
  const target = port["targetPort"] ?? port["port"];
  const number =
    typeof target === "number" ? target : pods.map((pod) => named(pod, target)).find(Boolean);
  return number === undefined
    ? []
    : [{ name, port: number, protocol, ...(appProtocol === undefined ? {} : { appProtocol }) }];
}

function named(pod: ApiObject, name: unknown): unknown {
  const ports = objectsOf(specOf(pod)["containers"]).flatMap((one) =>
    objectsOf(mapOf(one)["ports"]),
  );
  return ports
    .sort((a, b) => compareText(String(a["name"]), String(b["name"])))
    .find((one) => one["name"] === name)?.["containerPort"];
}
