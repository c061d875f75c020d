import { mapOf, objectsOf, specOf } from "../kinds/parts.js";
import { cause } from "../response/status-errors.js";
import { isJsonObject, type JsonObject } from "../store/json-value.js";
import type { ApiObject } from "../store/stored-object.js";
import {
  type Causes,
  dnsLabel,
  givenOneOf,
  isUnset,
  labels,
  notNegative,
  oneOf,
  subdomain,
} from "./checks.js";
import { pathSegmentTexts } from "./metadata.js";
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
  const { controller, parameters } = specOf(object);
  const text = String(controller ?? "");
  const wrong = /^[^/]+\/.+$/.test(text)
    ? []
    : [
        cause.invalid(
          "spec.controller",
          controller,
          'must be a domain-prefixed path (such as "acme.io/foo")',
        ),
      ];
  return [
    ...(text.length > maxControllerBytes
      ? [cause.tooLong("spec.controller", maxControllerBytes)]
      : []),
    ...(text === "" ? [cause.required("spec.controller")] : wrong),
    ...(isJsonObject(parameters) ? parameterCauses(parameters, "spec.parameters") : []),
  ];
}

const maxControllerBytes = 250;

function parameterCauses(parameters: JsonObject, field: string): Causes {
  const { scope, namespace } = parameters;
  const path = `${field}.namespace`;
  const isNamed = namespace !== undefined && namespace !== null;
  return [
    ...namedKindCauses(parameters, field),
    ...givenOneOf(`${field}.scope`, scope, ["Cluster", "Namespace"]),
    ...(scope === "Namespace" && !isNamed
      ? [cause.required(path, "`parameters.scope` is set to 'Namespace'")]
      : []),
    ...(scope === "Namespace" && isNamed ? dnsLabel(path, namespace) : []),
    ...(scope === "Cluster" && isNamed
      ? [cause.forbidden(path, "`parameters.scope` is set to 'Cluster'")]
      : []),
  ];
}

/** An object of any kind that another names. */
export function namedKindCauses({ apiGroup, kind, name }: JsonObject, field: string): Causes {
  const segment = (key: string, value: unknown) =>
    isUnset(value)
      ? [cause.required(`${field}.${key}`)]
      : pathSegmentTexts(String(value)).map((why) => cause.invalid(`${field}.${key}`, value, why));
  return [
    ...(typeof apiGroup === "string" ? subdomain(`${field}.apiGroup`, apiGroup) : []),
    ...segment("kind", kind),
    ...segment("name", name),
  ];
}
