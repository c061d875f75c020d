import { mapOf, objectsOf, specOf } from "../kinds/parts.js";
import { cause } from "../response/status-errors.js";
import type { ApiObject } from "../store/stored-object.js";
import { type Causes, dnsLabel, isUnset, labels, notNegative, oneOf } from "./checks.js";
import { resourceCauses } from "./resources.js";
import { tolerationCauses } from "./scheduling.js";

const maxPriority = 1_000_000_000;
const systemPriorities = ["system-cluster-critical", "system-node-critical"];

/** What is wrong with a Lease. */
export function leaseCauses(lease: ApiObject): Causes {
  const { leaseDurationSeconds, leaseTransitions } = specOf(lease);
  const isShort = typeof leaseDurationSeconds === "number" && leaseDurationSeconds <= 0;
  return [
    ...(isShort
      ? [cause.invalid("spec.leaseDurationSeconds", leaseDurationSeconds, "must be greater than 0")]
      : []),
    ...notNegative("spec.leaseTransitions", leaseTransitions),
  ];
}

/** What is wrong with a PriorityClass. */
export function priorityClassCauses({ metadata, value, preemptionPolicy }: ApiObject): Causes {
  const { name = "" } = metadata;
  const isSystem = name.startsWith("system-");
  const isKnown = systemPriorities.includes(name);
  return [
    ...(isSystem && !isKnown
      ? [
          cause.forbidden(
            "metadata.name",
            `priority class names with 'system-' prefix are reserved for system use only. error: ${name} is not a known system priority class`,
          ),
        ]
      : []),
    ...(!isSystem && typeof value === "number" && value > maxPriority
      ? [
          cause.forbidden(
            "value",
            `maximum allowed value of a user defined priority is ${maxPriority}`,
          ),
        ]
      : []),
    ...oneOf("preemptionPolicy", preemptionPolicy, ["PreemptLowerPriority", "Never"]),
  ];
}

/** What is wrong with a RuntimeClass. */
export function runtimeClassCauses({ handler, overhead, scheduling }: ApiObject): Causes {
  const { nodeSelector, tolerations } = mapOf(scheduling);
  return [
    ...(isUnset(handler) ? [cause.required("handler")] : dnsLabel("handler", handler)),
    // What a pod costs is looked at as the limits of a container.
    ...resourceCauses({ limits: mapOf(overhead)["podFixed"] }, "overhead"),
    ...labels("scheduling.nodeSelector", nodeSelector),
    ...objectsOf(tolerations).flatMap((one, at) =>
      tolerationCauses(one, `scheduling.tolerations[${at}]`),
    ),
  ];
}

/** What is wrong with a ControllerRevision. */
export function revisionCauses({ revision, data }: ApiObject): Causes {
  return [
    ...notNegative("revision", revision),
    ...(data === undefined || data === null ? [cause.required("data", "data is mandatory")] : []),
  ];
}

/** What is wrong with an IngressClass. */
export function ingressClassCauses(object: ApiObject): Causes {
  const { controller } = specOf(object);
  return isUnset(controller)
    ? [cause.required("spec.controller")]
    : /^[^/]+\/.+$/.test(String(controller))
      ? []
      : [
          cause.invalid(
            "spec.controller",
            controller,
            'must be a domain-prefixed path (such as "acme.io/foo")',
          ),
        ];
}
