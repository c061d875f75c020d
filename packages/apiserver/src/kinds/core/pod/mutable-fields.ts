import { cause, type FieldErrors } from "../../../errors/field-errors.js";
import { getPath, type JsonObject, jsonEqual, omitKeys } from "../../../objects/json-value.js";
import { mapOf, objectsOf } from "../../../objects/parts.js";
import { goTerm } from "../../fields/node-selectors.js";

/** Appends errors for forbidden changes of pod fields that may change. */
export function validateMutableFields(
  spec: JsonObject,
  old: JsonObject,
  errors: FieldErrors,
): void {
  validateDeadlineChange(spec["activeDeadlineSeconds"], old["activeDeadlineSeconds"], errors);
  validateTolerationChange(objectsOf(spec["tolerations"]), objectsOf(old["tolerations"]), errors);
  const oldGates = objectsOf(old["schedulingGates"]);
  for (const [at, gate] of objectsOf(spec["schedulingGates"]).entries()) {
    if (!oldGates.some((one) => jsonEqual(one, gate))) {
      const why = `only deletion is allowed, but found new scheduling gate '${String(gate["name"])}'`;
      errors.push(cause.forbidden(`spec.schedulingGates[${at}].name`, why));
    }
  }
}

/** Checks that an active deadline is only added or shortened. */
function validateDeadlineChange(deadline: unknown, old: unknown, errors: FieldErrors): void {
  const path = "spec.activeDeadlineSeconds";
  if (typeof old !== "number") {
    return;
  }
  if (typeof deadline !== "number") {
    errors.push(cause.invalid(path, null, "must not update from a positive integer to nil value"));
  } else if (deadline > old) {
    errors.push(cause.invalid(path, deadline, "must be less than or equal to previous value"));
  }
}

/** Checks that tolerations are only added or limited in time. */
function validateTolerationChange(
  tolerations: readonly JsonObject[],
  old: readonly JsonObject[],
  errors: FieldErrors,
): void {
  const plain = (toleration: JsonObject) => omitKeys(toleration, "tolerationSeconds");
  const isKept = (one: JsonObject) =>
    tolerations.some((other) => jsonEqual(plain(other), plain(one)));
  if (!old.every(isKept)) {
    const why = "existing toleration can not be modified except its tolerationSeconds";
    errors.push(cause.forbidden("spec.tolerations", why));
  }
}

const termsPath =
  "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms";

/** Appends errors for changes of a pod with scheduling gates by which it fits on more nodes. */
export function validateGatedChange(spec: JsonObject, old: JsonObject, errors: FieldErrors): void {
  const { nodeSelector } = spec;
  const isNarrower = Object.entries(mapOf(old["nodeSelector"])).every(
    ([key, value]) => mapOf(nodeSelector)[key] === value,
  );
  if (!isNarrower) {
    const why = "only additions to spec.nodeSelector are allowed (no mutations or deletions)";
    errors.push(cause.invalid("spec.nodeSelector", nodeSelector ?? null, why));
  }
  validateTermChange(termsOf(spec), termsOf(old) ?? [], errors);
}

function termsOf(spec: JsonObject): JsonObject[] | undefined {
  const terms = getPath({ spec }, ...termsPath.split("."));
  return Array.isArray(terms) ? objectsOf(terms) : undefined;
}

function validateTermChange(
  terms: readonly JsonObject[] | undefined,
  old: readonly JsonObject[],
  errors: FieldErrors,
): void {
  if (old.length > 0 && terms?.length !== old.length) {
    const why = "no additions/deletions to non-empty NodeSelectorTerms list are allowed";
    errors.push(cause.invalid(termsPath, terms?.map(goTerm) ?? null, why));
    return;
  }
  for (const [at, oldTerm] of old.entries()) {
    const { [at]: term = {} } = terms ?? [];
    const isNarrower = ["matchExpressions", "matchFields"].every((list) => {
      const requirements = objectsOf(term[list]);
      return objectsOf(oldTerm[list]).every((one, place) => jsonEqual(one, requirements[place]));
    });
    if (!isNarrower) {
      const why = "only additions are allowed (no mutations or deletions)";
      errors.push(cause.invalid(`${termsPath}[${at}]`, goTerm(term), why));
    }
  }
}
