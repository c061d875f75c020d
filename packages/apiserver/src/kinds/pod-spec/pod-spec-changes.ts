import { collectErrors, type FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import {
  getPath,
  isJsonObject,
  type JsonObject,
  jsonEqual,
  omitKeys,
} from "../../objects/json-value.js";
import { mapOf } from "../../objects/parts.js";
import type { StrategyWrite } from "../../resources/kind-strategy.js";
import { validateEphemeralContainer } from "./ephemeral-containers.js";
import { qosClass } from "./qos-class.js";
import { surroundings } from "./validate-pod-spec.js";

/** Pod spec fields that can always change. */
const alwaysOpen = ["activeDeadlineSeconds"];

/** Functions by subresource that return a container without the fields that may change. */
const closedOfContainers: Readonly<Record<string, (container: JsonObject) => JsonObject>> = {
  "": (container) => omitKeys(container, "image"),
  resize: (container) => {
    const resources = mapOf(container["resources"]);
    const closed = ["limits", "requests"].map((list) => [
      list,
      omitKeys(mapOf(resources[list]), "cpu", "memory"),
    ]);
    return {
      ...omitKeys(container, "resizePolicy"),
      resources: { ...resources, ...Object.fromEntries(closed) },
    };
  },
};

const allowed =
  "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)";
const fixedToleration = "existing toleration can not be modified except its tolerationSeconds";
const allowedByResize = "only cpu and memory resources are mutable";

/** Checks which fields of a pod spec may change through a subresource. */
export function validatePodChange(
  pod: ApiObject,
  old: ApiObject | undefined,
  errors: FieldErrors,
  { subresource }: StrategyWrite,
): void {
  if (old !== undefined) {
    errors.push(
      ...collectErrors((found) =>
        validatePodSpec(subresource, pod, old, errors.length === 0, found),
      ),
    );
  }
}

/**
 * Appends errors for forbidden changes of a pod spec.
 *
 * @param isValid - `false` when the pod has other errors; these then hide most of the change errors.
 */
function validatePodSpec(
  subresource: string,
  object: ApiObject,
  before: ApiObject,
  isValid: boolean,
  errors: FieldErrors,
): void {
  if (subresource === "ephemeralcontainers") {
    const spec = specOf(object);
    validateEphemeralContainer(spec, surroundings(spec), errors);
    validateEphemeralChange(spec, specOf(before), errors);
    return;
  }
  const closed = closedOfContainers[subresource];
  if (closed === undefined) {
    return;
  }
  const now = specOf(object);
  const then = specOf(before);
  const lists = changedLists(now, then);
  if (subresource === "" && lists.length > 0) {
    for (const key of lists) {
      errors.push(cause.forbidden(`spec.${key}`, "pod updates may not add or remove containers"));
    }
    return;
  }
  if (!isValid) {
    return;
  }
  const isGated = listOf(then["schedulingGates"]).length > 0;
  const open: FieldErrors = [];
  if (subresource === "") {
    validateMutableFields(now, then, open);
    if (isGated) {
      validateGatedChange(now, then, open);
    }
  } else {
    validateQosChange(now, then, open);
  }
  const kept = (spec: JsonObject) => fixed(spec, subresource, closed, isGated);
  const isSame = jsonEqual(kept(now), kept(then));
  const refused = cause.forbidden("spec", subresource === "" ? allowed : allowedByResize);
  if (isSame) {
    errors.push(...open);
  } else {
    errors.push(...open);
    errors.push(refused);
  }
}

/** Checks that existing ephemeral containers are unchanged. */
function validateEphemeralChange(now: JsonObject, then: JsonObject, errors: FieldErrors): void {
  const key = "ephemeralContainers";
  const kept = listOf(now[key]);
  for (const container of listOf(then[key])) {
    const name = getPath(container, "name");
    const same = kept.find((one) => getPath(one, "name") === name);
    if (jsonEqual(same, container)) {
      continue;
    }
    const what = same === undefined ? "removed" : "changed";
    const why = `existing ephemeral containers ${JSON.stringify(name)} may not be ${what}\n`;
    errors.push(cause.forbidden(`spec.${key}`, why));
  }
}

function specOf(object: ApiObject): JsonObject {
  return isJsonObject(object["spec"]) ? object["spec"] : {};
}

/** Returns the container lists whose length changed. */
function changedLists(now: JsonObject, then: JsonObject): string[] {
  return ["containers", "initContainers"].filter(
    (key) => listOf(now[key]).length !== listOf(then[key]).length,
  );
}

/** Returns errors in fields that may change. */
function validateMutableFields(now: JsonObject, then: JsonObject, errors: FieldErrors): void {
  validateDeadlineChange(now["activeDeadlineSeconds"], then["activeDeadlineSeconds"], errors);
  if (!keepsTolerations(now, then)) {
    errors.push(cause.forbidden("spec.tolerations", fixedToleration));
  }
  validateGate(listOf(now["schedulingGates"]), listOf(then["schedulingGates"]), errors);
}

/** Checks that an active deadline is only added or shortened. */
function validateDeadlineChange(now: unknown, then: unknown, errors: FieldErrors): void {
  const field = "spec.activeDeadlineSeconds";
  if (typeof then !== "number") {
    return;
  }
  if (typeof now !== "number") {
    errors.push(cause.invalid(field, null, "must not update from a positive integer to nil value"));
    return;
  }
  if (now > then) {
    errors.push(cause.invalid(field, now, "must be less than or equal to previous value"));
  }
}

const ruledTerms =
  "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms";

/** Checks that node selection of a pod with scheduling gates only becomes narrower. */
function validateGatedChange(now: JsonObject, then: JsonObject, errors: FieldErrors): void {
  const [labels, old] = [mapOf(now["nodeSelector"]), mapOf(then["nodeSelector"])];
  const isNarrower = Object.keys(old).every((key) => labels[key] === old[key]);
  const why = "only additions to spec.nodeSelector are allowed (no mutations or deletions)";
  if (!isNarrower) {
    errors.push(cause.invalid("spec.nodeSelector", now["nodeSelector"] ?? null, why));
  }
  validateTermChange(termsOf(now), errors, termsOf(then));
}

function termsOf(spec: JsonObject): readonly unknown[] | undefined {
  const path = ["affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution"];
  const terms = getPath(spec, ...path, "nodeSelectorTerms");
  return Array.isArray(terms) ? terms : undefined;
}

function validateTermChange(
  now: readonly unknown[] | undefined,
  errors: FieldErrors,
  then: readonly unknown[] = [],
): void {
  if (then.length === 0) {
    return;
  }
  if (now?.length !== then.length) {
    const why = "no additions/deletions to non-empty NodeSelectorTerms list are allowed";
    errors.push(cause.invalid(ruledTerms, now?.map(goTerm) ?? null, why));
    return;
  }
  for (const [at, term] of now.entries()) {
    const isNarrower = ["matchExpressions", "matchFields"].every((list) => {
      const wanted = listOf(getPath(then[at], list));
      const given = listOf(getPath(term, list));
      return wanted.every((one, place) => jsonEqual(one, given[place]));
    });
    const why = "only additions are allowed (no mutations or deletions)";
    if (!isNarrower) {
      errors.push(cause.invalid(`${ruledTerms}[${at}]`, goTerm(term), why));
    }
  }
}

/** Formats a node selector term like Go. */
export function goTerm(term: unknown): JsonObject {
  const shown = (list: string) => {
    const requirements = listOf(getPath(term, list)).map((one) => ({
      Key: getPath(one, "key") ?? "",
      Operator: getPath(one, "operator") ?? "",
      Values: getPath(one, "values") ?? null,
    }));
    return requirements.length === 0 ? null : requirements;
  };
  return { MatchExpressions: shown("matchExpressions"), MatchFields: shown("matchFields") };
}

function validateQosChange(now: JsonObject, then: JsonObject, errors: FieldErrors): void {
  const before = qosClass(then);
  const why = "Pod QOS Class may not change as a result of resizing";
  if (qosClass(now) !== before) {
    errors.push(cause.invalid("spec", before, why));
  }
}

function validateGate(
  now: readonly unknown[],
  then: readonly unknown[],
  errors: FieldErrors,
): void {
  for (const [at, gate] of now.entries()) {
    if (then.some((one) => jsonEqual(one, gate))) {
      continue;
    }
    const name = isJsonObject(gate) ? String(gate["name"]) : "";
    const why = `only deletion is allowed, but found new scheduling gate '${name}'`;
    errors.push(cause.forbidden(`spec.schedulingGates[${at}].name`, why));
  }
}

/** Returns a spec without the fields that may change. */
function fixed(
  spec: JsonObject,
  subresource: string,
  closed: (container: JsonObject) => JsonObject,
  isGated: boolean,
): JsonObject {
  const rest =
    subresource === ""
      ? omitKeys(
          spec,
          "schedulingGates",
          "tolerations",
          ...alwaysOpen,
          ...(isGated ? ["nodeSelector"] : []),
        )
      : spec;
  const affinity = mapOf(rest["affinity"]);
  return {
    ...rest,
    ...(isGated ? { affinity: omitKeys(affinity, "nodeAffinity") } : {}),
    containers: closedOf(rest["containers"], closed),
    initContainers: closedOf(rest["initContainers"], closed),
  };
}

function closedOf(containers: unknown, closed: (container: JsonObject) => JsonObject): unknown {
  return listOf(containers).map((one) => (isJsonObject(one) ? closed(one) : one));
}

function keepsTolerations(now: JsonObject, then: JsonObject): boolean {
  const all = listOf(now["tolerations"]);
  const plain = (one: unknown) => (isJsonObject(one) ? omitKeys(one, "tolerationSeconds") : one);
  return listOf(then["tolerations"]).every((kept) =>
    all.some((one) => jsonEqual(plain(one), plain(kept))),
  );
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
