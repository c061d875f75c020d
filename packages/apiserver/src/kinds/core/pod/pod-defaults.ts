import type { ApiObject } from "../../../objects/api-object.js";
import { isJsonObject, type JsonObject } from "../../../objects/json-value.js";
import { mapOf, objectsOf, specOf, withSpec } from "../../../objects/parts.js";
import { timestamp } from "../../../objects/timestamp.js";
import type { StrategyServer, StrategyWrite } from "../../../resources/kind-strategy.js";
import { qosClass } from "../../pod-spec/qos-class.js";

/** Sets the status of a new pod. */
export function asPendingPod(pod: ApiObject, { server }: StrategyWrite): ApiObject {
  const spec = specOf(pod);
  const isGated = objectsOf(spec["schedulingGates"]).length > 0;
  const status = {
    phase: "Pending",
    ...(isGated ? { conditions: [gated(server)] } : {}),
    qosClass: qosClass(spec),
  };
  return { ...pod, status };
}

/** Fills in the defaults of a pod that depend on several fields. */
export function withPodDefaults(pod: ApiObject): ApiObject {
  const spec = specOf(pod);
  const changed: JsonObject = {};
  if (spec["enableServiceLinks"] === undefined || spec["enableServiceLinks"] === null) {
    changed["enableServiceLinks"] = true;
  }
  if (Number(spec["terminationGracePeriodSeconds"] ?? 0) < 0) {
    changed["terminationGracePeriodSeconds"] = 1;
  }
  for (const list of ["containers", "initContainers"]) {
    const containers = spec[list];
    if (Array.isArray(containers)) {
      const filled = containers.map((one: unknown) =>
        isJsonObject(one) ? withHostPorts(withRequests(one), spec["hostNetwork"] === true) : one,
      );
      if (filled.some((one, at) => one !== containers[at])) {
        changed[list] = filled;
      }
    }
  }
  const whole = Object.keys(changed).length === 0 ? pod : withSpec(pod, changed);
  const { status } = whole;
  return isJsonObject(status) ? withAddresses(whole, status) : whole;
}

/** Keeps `podIP` and the first of `podIPs` equal, whichever of them was written. */
function withAddresses(pod: ApiObject, status: JsonObject): ApiObject {
  const { podIP, podIPs } = status;
  const first = objectsOf(podIPs)[0]?.["ip"];
  if (typeof podIP === "string" && podIP !== "" && first !== podIP) {
    return { ...pod, status: { ...status, podIPs: [{ ip: podIP }] } };
  }
  return (podIP ?? "") === "" && typeof first === "string"
    ? { ...pod, status: { ...status, podIP: first } }
    : pod;
}

/** Defaults the requests of a container to its limits. */
function withRequests(container: JsonObject): JsonObject {
  const resources = mapOf(container["resources"]);
  const { limits } = resources;
  if (!isJsonObject(limits)) {
    return container;
  }
  const requests = mapOf(resources["requests"]);
  return Object.keys(limits).every((name) => Object.hasOwn(requests, name))
    ? container
    : { ...container, resources: { ...resources, requests: { ...limits, ...requests } } };
}

function withHostPorts(container: JsonObject, hostNetwork: boolean): JsonObject {
  const ports = objectsOf(container["ports"]);
  if (!hostNetwork || ports.every(({ hostPort = 0 }) => hostPort !== 0)) {
    return container;
  }
  const filled = ports.map((port) => ({
    ...port,
    hostPort: port["hostPort"] || port["containerPort"],
  }));
  return { ...container, ports: filled };
}

/** Returns the condition of a pod with scheduling gates. */
function gated({ clock }: StrategyServer): JsonObject {
  return {
    type: "PodScheduled",
    status: "False",
    lastProbeTime: null,
    lastTransitionTime: timestamp(clock),
    reason: "SchedulingGated",
    message: "Scheduling is blocked due to non-empty scheduling gates",
  };
}
