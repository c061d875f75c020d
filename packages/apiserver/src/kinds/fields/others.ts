import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { isJsonObject, type JsonObject } from "../../objects/json-value.js";
import { mapOf, objectsOf, specOf } from "../../objects/parts.js";
import { isUnset } from "../../phases/validate/checks.js";
import { pathSegmentTexts } from "../../phases/validate/metadata.js";
import {
  dnsLabel,
  givenOneOf,
  labels,
  notNegative,
  oneOf,
  subdomain,
} from "../../phases/validate/old-checks.js";
import { validateResource } from "./resource-amounts.js";
import { validateToleration } from "./scheduling.js";

const maxPriority = 1_000_000_000;
const systemPriorities = ["system-cluster-critical", "system-node-critical"];

/** Returns the field errors of a Lease. */
export function validateLease(lease: ApiObject): FieldErrors {
  const { leaseDurationSeconds, leaseTransitions } = specOf(lease);
  const isShort = typeof leaseDurationSeconds === "number" && leaseDurationSeconds <= 0;
  return [
    ...(isShort
      ? [cause.invalid("spec.leaseDurationSeconds", leaseDurationSeconds, "must be greater than 0")]
      : []),
    ...notNegative("spec.leaseTransitions", leaseTransitions),
  ];
}

/** Returns the field errors of a PriorityClass. */
export function validatePriorityClass({
  metadata,
  value,
  preemptionPolicy,
}: ApiObject): FieldErrors {
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

/** Returns the field errors of a RuntimeClass. */
export function validateRuntimeClass({ handler, overhead, scheduling }: ApiObject): FieldErrors {
  const { nodeSelector, tolerations } = mapOf(scheduling);
  return [
    ...(isUnset(handler) ? [cause.required("handler")] : dnsLabel("handler", handler)),
    // The pod overhead is validated like the limits of a container.
    ...validateResource({ limits: mapOf(overhead)["podFixed"] }, "overhead"),
    ...labels("scheduling.nodeSelector", nodeSelector),
    ...objectsOf(tolerations).flatMap((one, at) =>
      validateToleration(one, `scheduling.tolerations[${at}]`),
    ),
  ];
}

/** Returns the field errors of a ControllerRevision. */
export function validateRevision({ revision, data }: ApiObject): FieldErrors {
  return [
    ...notNegative("revision", revision),
    ...(data === undefined || data === null ? [cause.required("data", "data is mandatory")] : []),
  ];
}

/** Returns the field errors of an IngressClass. */
export function validateIngressClass(object: ApiObject): FieldErrors {
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
    ...(isJsonObject(parameters) ? validateParameter(parameters, "spec.parameters") : []),
  ];
}

const maxControllerBytes = 250;

function validateParameter(parameters: JsonObject, field: string): FieldErrors {
  const { scope, namespace } = parameters;
  const path = `${field}.namespace`;
  const isNamed = namespace !== undefined && namespace !== null;
  return [
    ...validateNamedKind(parameters, field),
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

/** Returns the field errors of a reference to an object of any kind. */
export function validateNamedKind(
  { apiGroup, kind, name }: JsonObject,
  field: string,
): FieldErrors {
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
