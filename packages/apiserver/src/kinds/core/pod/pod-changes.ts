import { cause, type FieldErrors } from "../../../errors/field-errors.js";
import type { ApiObject } from "../../../objects/api-object.js";
import {
  getPath,
  isJsonObject,
  type JsonObject,
  jsonEqual,
  omitKeys,
} from "../../../objects/json-value.js";
import { mapOf, specOf } from "../../../objects/parts.js";
import type { StrategyWrite } from "../../../resources/kind-strategy.js";
import { validateEphemeralContainers } from "../../pod-spec/ephemeral-containers.js";
import { surroundings } from "../../pod-spec/pod-surroundings.js";
import { qosClass } from "../../pod-spec/qos-class.js";
import { validateGatedChange, validateMutableFields } from "./mutable-fields.js";

const allowedByUpdate =
  "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)";

const allowedByResize = "only cpu and memory resources are mutable";

/** Appends errors for forbidden changes of a pod spec. Errors in values hide most of them. */
export function validatePodChange(
  pod: ApiObject,
  old: ApiObject | undefined,
  errors: FieldErrors,
  { subresource }: StrategyWrite,
): void {
  if (old === undefined) {
    return;
  }
  const [spec, oldSpec] = [specOf(pod), specOf(old)];
  switch (subresource) {
    case "":
      validateUpdate(spec, oldSpec, errors);
      break;
    case "ephemeralcontainers":
      validateEphemeralContainers(spec, "spec", errors, surroundings(spec));
      validateEphemeralChange(spec, oldSpec, errors);
      break;
    case "resize":
      if (errors.length === 0) {
        validateResize(spec, oldSpec, errors);
      }
      break;
    default:
  }
}

function validateUpdate(spec: JsonObject, old: JsonObject, errors: FieldErrors): void {
  const lists = ["containers", "initContainers"].filter(
    (list) => listOf(spec[list]).length !== listOf(old[list]).length,
  );
  for (const list of lists) {
    errors.push(cause.forbidden(`spec.${list}`, "pod updates may not add or remove containers"));
  }
  if (errors.length > 0) {
    return;
  }
  const isGated = listOf(old["schedulingGates"]).length > 0;
  validateMutableFields(spec, old, errors);
  if (isGated) {
    validateGatedChange(spec, old, errors);
  }
  const open = ["schedulingGates", "tolerations", "activeDeadlineSeconds"];
  const closed = (of: JsonObject) =>
    withClosedContainers(
      isGated ? withoutPlacement(omitKeys(of, ...open)) : omitKeys(of, ...open),
      (container) => omitKeys(container, "image"),
    );
  if (!jsonEqual(closed(spec), closed(old))) {
    errors.push(cause.forbidden("spec", allowedByUpdate));
  }
}

function validateResize(spec: JsonObject, old: JsonObject, errors: FieldErrors): void {
  const qos = qosClass(old);
  const closed = (of: JsonObject) => withClosedContainers(of, withoutResize);
  if (qosClass(spec) !== qos) {
    const why = "Pod QOS Class may not change as a result of resizing";
    errors.push(cause.invalid("spec", qos, why));
  }
  if (!jsonEqual(closed(spec), closed(old))) {
    errors.push(cause.forbidden("spec", allowedByResize));
  }
}

/** Removes the fields of node selection, which may change while a pod has scheduling gates. */
function withoutPlacement(spec: JsonObject): JsonObject {
  const affinity = omitKeys(mapOf(spec["affinity"]), "nodeAffinity");
  return { ...omitKeys(spec, "nodeSelector"), affinity };
}

/** Removes the fields that may change from each container. */
function withClosedContainers(
  spec: JsonObject,
  closed: (container: JsonObject) => JsonObject,
): JsonObject {
  const lists = ["containers", "initContainers"].map((list) => [
    list,
    listOf(spec[list]).map((one) => (isJsonObject(one) ? closed(one) : one)),
  ]);
  return { ...spec, ...Object.fromEntries(lists) };
}

function withoutResize(container: JsonObject): JsonObject {
  const resources = mapOf(container["resources"]);
  const lists = ["limits", "requests"].map((list) => [
    list,
    omitKeys(mapOf(resources[list]), "cpu", "memory"),
  ]);
  return {
    ...omitKeys(container, "resizePolicy"),
    resources: { ...resources, ...Object.fromEntries(lists) },
  };
}

/** Checks that existing ephemeral containers are unchanged. */
function validateEphemeralChange(spec: JsonObject, old: JsonObject, errors: FieldErrors): void {
  const containers = listOf(spec["ephemeralContainers"]);
  for (const container of listOf(old["ephemeralContainers"])) {
    const name = getPath(container, "name");
    const same = containers.find((one) => getPath(one, "name") === name);
    if (!jsonEqual(same, container)) {
      const what = same === undefined ? "removed" : "changed";
      const why = `existing ephemeral containers ${JSON.stringify(name)} may not be ${what}\n`;
      errors.push(cause.forbidden("spec.ephemeralContainers", why));
    }
  }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
