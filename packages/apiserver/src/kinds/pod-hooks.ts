import { type ServerContext, timestamp } from "../context/server-context.js";
import type { ApiObject } from "../objects/api-object.js";
import { isJsonObject, type JsonObject } from "../objects/json-value.js";
import { mapOf, objectsOf, specOf, withSpec } from "../objects/parts.js";
import type { KindHooks } from "./kind-hooks.js";
import { keepPriority, withPriority } from "./pod-classes.js";
import { qosClass } from "./qos-class.js";
import { withRuntimeClass } from "./runtime-class.js";

/** Hooks of pods. */
export const podHooks: Readonly<Record<string, KindHooks>> = {
  pods: {
    defaults: withPodDefaults,
    create: (pod, server) => {
      const admitted = withRuntimeClass(withTolerations(withPriority(pod, server)), server);
      const spec = specOf(admitted);
      const conditions =
        objectsOf(spec["schedulingGates"]).length > 0 ? [gated(server)] : undefined;
      const status = {
        phase: "Pending",
        ...(conditions && { conditions }),
        qosClass: qosClass(spec),
      };
      return { ...admitted, status };
    },
    update: (pod, before) => withTolerations(keepPriority(pod, before)),
  },
};

/** Seconds for which a pod stays on an unreachable node. */
const tolerationSeconds = 300;

function withPodDefaults(pod: ApiObject): ApiObject {
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
function gated({ clock }: ServerContext): JsonObject {
  return {
    type: "PodScheduled",
    status: "False",
    lastProbeTime: null,
    lastTransitionTime: timestamp(clock),
    reason: "SchedulingGated",
    message: "Scheduling is blocked due to non-empty scheduling gates",
  };
}

/** Adds tolerations for the two taints of an unresponsive node to pods without such tolerations. */
function withTolerations(pod: ApiObject): ApiObject {
  const given = objectsOf(specOf(pod)["tolerations"]);
  const added = ["not-ready", "unreachable"]
    .map((state) => ({
      key: `node.kubernetes.io/${state}`,
      operator: "Exists",
      effect: "NoExecute",
      tolerationSeconds,
    }))
    .filter(
      ({ key, effect }) =>
        !given.some(
          (one) =>
            ((one["key"] ?? "") === "" || one["key"] === key) &&
            ((one["effect"] ?? "") === "" || one["effect"] === effect),
        ),
    );
  return added.length === 0 ? pod : withSpec(pod, { tolerations: [...given, ...added] });
}
