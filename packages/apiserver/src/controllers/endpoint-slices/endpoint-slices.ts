import type { ApiObject } from "../../objects/api-object.js";
import { getPath, type JsonObject, jsonEqual, omitKeys } from "../../objects/json-value.js";
import { controllerReference, isGoing } from "../../objects/owner-references.js";
import { mapOf, objectsOf, specOf } from "../../objects/parts.js";
import { selectsByMap } from "../../objects/selects.js";
import { timestamp } from "../../objects/timestamp.js";
import { splitKey } from "../pods/owned-pods.js";
import { compareText, isReady, phaseOf } from "../pods/pods.js";
import type { Controller, Reconciled } from "../runtime/controller.js";
import type { ControllerParts } from "../runtime/controller-parts.js";

const changeTime = "endpoints.kubernetes.io/last-change-trigger-time";
const storage = "endpointslices.discovery.k8s.io";

/** Maintains one EndpointSlice with the pods of each Service that has a selector; IPv4 only. */
export function createEndpointSliceController({
  server,
  index,
  writer,
}: ControllerParts): Controller {
  const reconcile = (key: string): Reconciled => {
    const service = writer.get("services", ...splitKey(key));
    const { selector, type } = service === undefined ? {} : specOf(service);
    if (
      service === undefined ||
      selector === undefined ||
      type === "ExternalName" ||
      isGoing(service)
    ) {
      return undefined;
    }
    const { name = "", namespace = "", uid = "" } = service.metadata;
    const pods = writer
      .list("pods", namespace)
      .filter((pod) => selectsByMap(selector, pod) && hasAddress(pod) && !hasEnded(pod));
    const slice: ApiObject = {
      apiVersion: "discovery.k8s.io/v1",
      kind: "EndpointSlice",
      metadata: {
        generateName: `${name}-`,
        namespace,
        labels: {
          ...service.metadata.labels,
          "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io",
          "kubernetes.io/service-name": name,
          ...(specOf(service)["clusterIP"] === "None"
            ? { "service.kubernetes.io/headless": "" }
            : {}),
        },
        annotations: { [changeTime]: timestamp(server.clock) },
        ownerReferences: [controllerReference(service)],
      },
      addressType: "IPv4",
      endpoints: pods.map((pod) =>
        endpointOf(pod, specOf(service)["publishNotReadyAddresses"] === true),
      ),
      ports:
        pods.length === 0
          ? []
          : objectsOf(specOf(service)["ports"]).flatMap((port) => portOf(port, pods)),
    };
    const [before] = index.ownedIn(storage, uid);
    if (before === undefined) {
      writer.create(storage, slice);
    } else if (
      ["endpoints", "ports"].some((field) => !jsonEqual(before[field] ?? [], slice[field]))
    ) {
      const annotations = { ...before.metadata.annotations, ...slice.metadata.annotations };
      const metadata = { ...before.metadata, annotations };
      writer.update(storage, { ...before, ...omitKeys(slice, "metadata"), metadata } as ApiObject);
    }
    return undefined;
  };

  return {
    name: "endpoint-slices",
    follows: ["services", "pods", storage],
    *keysOf({ key, namespace, object, previous, type }, from) {
      if (from === "services") {
        yield key;
      } else if (from === storage) {
        const name = object.metadata.labels?.["kubernetes.io/service-name"];
        if (type === "DELETED" && name !== undefined) {
          yield `${namespace}/${name}`;
        }
      } else {
        for (const service of writer.list("services", namespace)) {
          const { selector } = specOf(service);
          if (
            selectsByMap(selector, object) ||
            (previous !== undefined && selectsByMap(selector, previous))
          ) {
            yield `${namespace}/${service.metadata.name}`;
          }
        }
      }
    },
    reconcile,
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

function hasAddress(pod: ApiObject): boolean {
  return (getPath(pod, "status", "podIP") ?? "") !== "";
}

function hasEnded(pod: ApiObject): boolean {
  return phaseOf(pod) === "Succeeded" || phaseOf(pod) === "Failed";
}
