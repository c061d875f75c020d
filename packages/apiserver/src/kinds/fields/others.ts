import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { isJsonObject, type JsonObject } from "../../objects/json-value.js";
import { mapOf, objectsOf, specOf } from "../../objects/parts.js";
import {
  isUnset,
  validateDnsLabel,
  validateGivenOneOf,
  validateItems,
  validateLabels,
  validateNotNegative,
  validateOneOf,
  validateRequiredWith,
  validateSubdomain,
} from "../../phases/validate/checks.js";
import { pathSegmentTexts } from "../../phases/validate/name-texts.js";
import { validateResource } from "./resource-amounts.js";
import { validateToleration } from "./scheduling.js";

const maxPriority = 1_000_000_000;
const systemPriorities = ["system-cluster-critical", "system-node-critical"];

/** Appends the field errors of a Lease. */
export function validateLease(lease: ApiObject, errors: FieldErrors): void {
  const { leaseDurationSeconds, leaseTransitions } = specOf(lease);
  const isShort = typeof leaseDurationSeconds === "number" && leaseDurationSeconds <= 0;
  if (isShort) {
    errors.push(
      cause.invalid("spec.leaseDurationSeconds", leaseDurationSeconds, "must be greater than 0"),
    );
  }
  validateNotNegative(leaseTransitions, "spec.leaseTransitions", errors);
}

/** Appends the field errors of a PriorityClass. */
export function validatePriorityClass(
  { metadata, value, preemptionPolicy }: ApiObject,
  errors: FieldErrors,
): void {
  const { name = "" } = metadata;
  const isSystem = name.startsWith("system-");
  const isKnown = systemPriorities.includes(name);
  if (isSystem && !isKnown) {
    errors.push(
      cause.forbidden(
        "metadata.name",
        `priority class names with 'system-' prefix are reserved for system use only. error: ${name} is not a known system priority class`,
      ),
    );
  }
  if (!isSystem && typeof value === "number" && value > maxPriority) {
    errors.push(
      cause.forbidden(
        "value",
        `maximum allowed value of a user defined priority is ${maxPriority}`,
      ),
    );
  }
  validateOneOf(preemptionPolicy, ["PreemptLowerPriority", "Never"], "preemptionPolicy", errors);
}

/** Appends the field errors of a RuntimeClass. */
export function validateRuntimeClass(
  { handler, overhead, scheduling }: ApiObject,
  errors: FieldErrors,
): void {
  const { nodeSelector, tolerations } = mapOf(scheduling);
  validateRequiredWith(handler, validateDnsLabel, "handler", errors);
  validateResource({ limits: mapOf(overhead)["podFixed"] }, "overhead", errors);
  validateLabels(nodeSelector, "scheduling.nodeSelector", errors);
  validateItems(objectsOf(tolerations), validateToleration, "scheduling.tolerations", errors);
}

/** Appends the field errors of a ControllerRevision. */
export function validateRevision({ revision, data }: ApiObject, errors: FieldErrors): void {
  validateNotNegative(revision, "revision", errors);
  if (data === undefined || data === null) {
    errors.push(cause.required("data", "data is mandatory"));
  }
}

/** Appends the field errors of an IngressClass. */
export function validateIngressClass(object: ApiObject, errors: FieldErrors): void {
  const { controller, parameters } = specOf(object);
  const text = String(controller ?? "");
  const wrong: FieldErrors = [];
  if (!/^[^/]+\/.+$/.test(text)) {
    wrong.push(
      cause.invalid(
        "spec.controller",
        controller,
        'must be a domain-prefixed path (such as "acme.io/foo")',
      ),
    );
  }
  if (text.length > maxControllerBytes) {
    errors.push(cause.tooLong("spec.controller", maxControllerBytes));
  }
  if (text === "") {
    errors.push(cause.required("spec.controller"));
  } else {
    errors.push(...wrong);
  }
  if (isJsonObject(parameters)) {
    validateParameter(parameters, "spec.parameters", errors);
  }
}

const maxControllerBytes = 250;

function validateParameter(parameters: JsonObject, field: string, errors: FieldErrors): void {
  const { scope, namespace } = parameters;
  const path = `${field}.namespace`;
  const isNamed = namespace !== undefined && namespace !== null;
  validateNamedKind(parameters, field, errors);
  validateGivenOneOf(scope, ["Cluster", "Namespace"], `${field}.scope`, errors);
  if (scope === "Namespace" && !isNamed) {
    errors.push(cause.required(path, "`parameters.scope` is set to 'Namespace'"));
  }
  if (scope === "Namespace" && isNamed) {
    validateDnsLabel(namespace, path, errors);
  }
  if (scope === "Cluster" && isNamed) {
    errors.push(cause.forbidden(path, "`parameters.scope` is set to 'Cluster'"));
  }
}

/** Appends the field errors of a reference to an object of any kind. */
export function validateNamedKind(
  { apiGroup, kind, name }: JsonObject,
  path: string,
  errors: FieldErrors,
): void {
  const segment = (key: string, value: unknown) =>
    isUnset(value)
      ? [cause.required(`${path}.${key}`)]
      : pathSegmentTexts(String(value)).map((why) => cause.invalid(`${path}.${key}`, value, why));
  if (typeof apiGroup === "string") {
    validateSubdomain(apiGroup, `${path}.apiGroup`, errors);
  }
  errors.push(...segment("kind", kind));
  errors.push(...segment("name", name));
}
