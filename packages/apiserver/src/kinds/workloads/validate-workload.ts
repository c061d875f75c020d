import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { isJsonObject, type JsonObject, jsonEqual } from "../../objects/json-value.js";
import { mapOf, objectsOf, specOf } from "../../objects/parts.js";
import {
  isUnset,
  validateCountOrPercent,
  validateDnsLabel,
  validateNotNegative,
  validateOneOf,
} from "../../phases/validate/checks.js";
import { isEmptySelector, selects, validateSelector } from "../fields/selectors.js";
import { validateTemplate } from "../pod-spec/validate-pod-spec.js";
import { validateClaimSpec } from "../volumes/validate-claim.js";

const mismatch = "`selector` does not match template `labels`";

/** Differences between the workload kinds. */
interface WorkloadKind {
  /** Kind named in the error about an empty selector. */
  readonly selectorOf: string;
  /** Kind named in the error about an active deadline of its pods. */
  readonly deadlineOf: string;
  /** `false` when a missing selector is not reported itself, only the labels that it does not match. */
  readonly needsSelector: boolean;
  extra?(spec: JsonObject, errors: FieldErrors, before?: JsonObject): void;
  last?(spec: JsonObject, errors: FieldErrors): void;
}

type WorkloadName = "daemonSet" | "deployment" | "replicaSet" | "statefulSet";

const kinds: Readonly<Record<WorkloadName, WorkloadKind>> = {
  deployment: {
    selectorOf: "deployment",
    deadlineOf: "ReplicaSet",
    needsSelector: true,
    last: validateDeployment,
  },
  replicaSet: { selectorOf: "deployment", deadlineOf: "ReplicaSet", needsSelector: true },
  daemonSet: {
    selectorOf: "daemonset",
    deadlineOf: "DaemonSet",
    needsSelector: false,
    last: validateDaemonSet,
  },
  statefulSet: {
    selectorOf: "statefulset",
    deadlineOf: "StatefulSet",
    needsSelector: true,
    extra: validateStatefulSet,
  },
};

/**
 * Appends the field errors of a Deployment, ReplicaSet, DaemonSet or StatefulSet.
 *
 * @param before - the old object of an update. An unchanged template is not validated again.
 */
export function validateWorkload(
  kind: WorkloadName,
  object: ApiObject,
  errors: FieldErrors,
  before?: ApiObject,
): void {
  const { selectorOf, deadlineOf, needsSelector, extra, last } = kinds[kind];
  const spec = specOf(object);
  const { selector } = spec;
  const template = mapOf(spec["template"]);
  const given = mapOf(template["metadata"])["labels"];
  const podSpec = mapOf(template["spec"]);
  const wrongSelector: FieldErrors = [];
  validateSelector(selector, "spec.selector", wrongSelector);
  const isMissing = !isJsonObject(selector);
  const claimed = kind === "statefulSet" ? withClaimedVolumes(spec, template) : template;
  const numbers: FieldErrors = [];
  for (const key of ["replicas", "minReadySeconds"]) {
    validateNotNegative(spec[key], `spec.${key}`, numbers);
  }
  const old = before === undefined ? undefined : specOf(before);
  const isKept = old !== undefined && jsonEqual(template, mapOf(old["template"]));
  const fits = wrongSelector.length > 0 || selects(selector, given);
  extra?.(spec, errors, old);
  if (kind === "replicaSet" || kind === "statefulSet") {
    errors.push(...numbers);
  }
  if (kind === "deployment") {
    validateNotNegative(spec["replicas"], "spec.replicas", errors);
  }
  if (isMissing && needsSelector) {
    errors.push(cause.required("spec.selector"));
  }
  if (!isMissing) {
    errors.push(...wrongSelector);
  }
  if (!isMissing && isEmptySelector(selector)) {
    errors.push(cause.invalid("spec.selector", {}, `empty selector is invalid for ${selectorOf}`));
  }
  if (wrongSelector.length > 0 && kind !== "daemonSet") {
    errors.push(
      kind === "statefulSet"
        ? unexplained("spec.selector", selector)
        : cause.invalid("spec.selector", selector, "invalid label selector"),
    );
  }
  if (!fits) {
    errors.push(cause.invalid("spec.template.metadata.labels", given ?? null, mismatch));
  }
  if (!isKept) {
    validateTemplate(claimed, "spec.template", errors);
  }
  validateTemplatePolicy(podSpec, deadlineOf, errors);
  last?.(spec, errors);
}

/** Returns an Invalid error without an explanation. */
function unexplained(field: string, value: unknown) {
  const refusal = cause.invalid(field, value, "");
  return { ...refusal, message: String(refusal.message).replace(/: $/, "") };
}

/** Adds the volumes of a StatefulSet's claims to its template; they replace template volumes of the same name. */
function withClaimedVolumes(spec: JsonObject, template: JsonObject): JsonObject {
  const names = new Set(
    objectsOf(spec["volumeClaimTemplates"]).map(({ metadata }) => mapOf(metadata)["name"]),
  );
  const claimed = [...names].map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  const podSpec = mapOf(template["spec"]);
  const own = objectsOf(podSpec["volumes"]).filter(({ name }) => !names.has(name));
  return claimed.length === 0
    ? template
    : { ...template, spec: { ...podSpec, volumes: [...claimed, ...own] } };
}

function validateTemplatePolicy(
  { restartPolicy, activeDeadlineSeconds }: JsonObject,
  kind: string,
  errors: FieldErrors,
): void {
  const field = "spec.template.spec";
  validateOneOf(restartPolicy, ["Always"], `${field}.restartPolicy`, errors);
  if (activeDeadlineSeconds !== undefined) {
    errors.push(
      cause.forbidden(
        `${field}.activeDeadlineSeconds`,
        `activeDeadlineSeconds in ${kind} is not Supported`,
      ),
    );
  }
}

function validateDeployment(spec: JsonObject, errors: FieldErrors): void {
  const { minReadySeconds, progressDeadlineSeconds } = spec;
  const strategy = mapOf(spec["strategy"]);
  const { type, rollingUpdate } = strategy;
  const shown = { Type: type, RollingUpdate: shownRolling(rollingUpdate) };
  const isTooShort =
    typeof progressDeadlineSeconds === "number" &&
    progressDeadlineSeconds <= Number(minReadySeconds ?? 0);
  if (type === "Recreate" && isJsonObject(rollingUpdate)) {
    errors.push(
      cause.forbidden(
        "spec.strategy.rollingUpdate",
        "may not be specified when strategy `type` is 'Recreate'",
      ),
    );
  }
  if (type !== "Recreate" && type !== "RollingUpdate") {
    errors.push(cause.notSupported("spec.strategy", shown, ["Recreate", "RollingUpdate"]));
  }
  if (type === "RollingUpdate") {
    validateRollingUpdate(mapOf(rollingUpdate), errors);
  }
  validateNotNegative(minReadySeconds, "spec.minReadySeconds", errors);
  validateNotNegative(spec["revisionHistoryLimit"], "spec.revisionHistoryLimit", errors);
  validateNotNegative(progressDeadlineSeconds, "spec.progressDeadlineSeconds", errors);
  if (isTooShort) {
    errors.push(
      cause.invalid(
        "spec.progressDeadlineSeconds",
        progressDeadlineSeconds,
        "must be greater than minReadySeconds",
      ),
    );
  }
}

/** Returns whether a number or percentage is zero; an invalid percentage counts as zero. */
function isZero(value: unknown): boolean {
  return typeof value === "string"
    ? !/^[0-9]+%$/.test(value) || Number.parseInt(value, 10) === 0
    : value === 0;
}

/** Formats the parameters of a rolling update like Go. */
function shownRolling(rollingUpdate: unknown): JsonObject | null {
  if (!isJsonObject(rollingUpdate)) {
    return null;
  }
  const { maxUnavailable = 0, maxSurge = 0 } = rollingUpdate;
  return { MaxUnavailable: maxUnavailable, MaxSurge: maxSurge };
}

function validateRollingUpdate(
  { maxSurge, maxUnavailable }: JsonObject,
  errors: FieldErrors,
): void {
  const field = "spec.strategy.rollingUpdate";
  validateCountOrPercent(maxUnavailable, `${field}.maxUnavailable`, errors);
  validateCountOrPercent(maxSurge, `${field}.maxSurge`, errors);
  if (isZero(maxSurge) && isZero(maxUnavailable)) {
    errors.push(
      cause.invalid(`${field}.maxUnavailable`, maxUnavailable, "may not be 0 when `maxSurge` is 0"),
    );
  }
  if (typeof maxUnavailable === "string") {
    validatePercentAtMost100(maxUnavailable, field, errors);
  }
}

function validatePercentAtMost100(value: string, path: string, errors: FieldErrors): void {
  if (/^[0-9]+%$/.test(value)) {
    validateCountOrPercent(value, `${path}.maxUnavailable`, errors, 100);
  }
}

function validateDaemonSet(spec: JsonObject, errors: FieldErrors): void {
  const { type, rollingUpdate } = mapOf(spec["updateStrategy"]);
  const { maxSurge, maxUnavailable } = mapOf(rollingUpdate);
  const field = "spec.updateStrategy";
  const shown = { Type: type, RollingUpdate: shownRolling(rollingUpdate) };
  const isStuck = type === "RollingUpdate" && isZero(maxSurge) && isZero(maxUnavailable);
  validateNotNegative(spec["minReadySeconds"], "spec.minReadySeconds", errors);
  if (type !== "RollingUpdate" && type !== "OnDelete") {
    errors.push(cause.notSupported(field, shown, ["RollingUpdate", "OnDelete"]));
  }
  if (type === "RollingUpdate") {
    validateCountOrPercent(maxUnavailable, `${field}.rollingUpdate.maxUnavailable`, errors, 100);
  }
  if (type === "RollingUpdate" && maxSurge !== undefined) {
    validateCountOrPercent(maxSurge, `${field}.rollingUpdate.maxSurge`, errors);
  }
  if (isStuck) {
    errors.push(
      cause.required(`${field}.rollingUpdate.maxUnavailable`, "cannot be 0 when maxSurge is 0"),
    );
  }
  if (
    type === "RollingUpdate" &&
    maxSurge !== undefined &&
    !isZero(maxSurge) &&
    !isZero(maxUnavailable)
  ) {
    errors.push(
      cause.invalid(
        `${field}.rollingUpdate.maxSurge`,
        maxSurge,
        "may not be set when maxUnavailable is non-zero",
      ),
    );
  }
  validateNotNegative(spec["revisionHistoryLimit"], "spec.revisionHistoryLimit", errors);
}

/**
 * Checks the StatefulSet-specific fields. The immutable service name is validated only on create, claim templates only
 * when they change.
 */
function validateStatefulSet(spec: JsonObject, errors: FieldErrors, before?: JsonObject): void {
  const { podManagementPolicy, serviceName } = spec;
  const claims = objectsOf(spec["volumeClaimTemplates"]);
  const areKept =
    before !== undefined && jsonEqual(claims, objectsOf(before["volumeClaimTemplates"]));
  const { type, rollingUpdate } = mapOf(spec["updateStrategy"]);
  const field = "spec.updateStrategy";
  const { partition = null, maxUnavailable = null } = mapOf(rollingUpdate);
  const shown = isJsonObject(rollingUpdate)
    ? { Partition: partition, MaxUnavailable: maxUnavailable }
    : null;
  const most = `${field}.rollingUpdate.maxUnavailable`;
  if (!isUnset(serviceName) && before === undefined) {
    validateDnsLabel(serviceName, "spec.serviceName", errors);
  }
  if (podManagementPolicy !== "OrderedReady" && podManagementPolicy !== "Parallel") {
    errors.push(
      cause.invalid(
        "spec.podManagementPolicy",
        podManagementPolicy,
        "must be 'OrderedReady' or 'Parallel'",
      ),
    );
  }
  if (type !== "RollingUpdate" && type !== "OnDelete") {
    errors.push(
      cause.invalid(
        field,
        { Type: type, RollingUpdate: shown },
        "must be 'RollingUpdate' or 'OnDelete'",
      ),
    );
  }
  if (type === "OnDelete" && isJsonObject(rollingUpdate)) {
    errors.push(
      cause.invalid(
        `${field}.rollingUpdate`,
        shown,
        "only allowed for updateStrategy 'RollingUpdate'",
      ),
    );
  }
  validateNotNegative(partition, `${field}.rollingUpdate.partition`, errors);
  if (maxUnavailable !== null) {
    validateCountOrPercent(maxUnavailable, most, errors, 100);
    if (isZero(maxUnavailable)) {
      errors.push(cause.invalid(most, maxUnavailable, "cannot be 0"));
    }
  }
  for (const [at, claim] of (areKept ? [] : claims).entries()) {
    validateClaimSpec(specOf(claim), `spec.volumeClaimTemplates[${at}].spec`, errors);
  }
  validateNotNegative(mapOf(spec["ordinals"])["start"], "spec.ordinals.start", errors);
  for (const when of ["whenDeleted", "whenScaled"]) {
    validateOneOf(
      mapOf(spec["persistentVolumeClaimRetentionPolicy"])[when],
      ["Retain", "Delete"],
      `spec.persistentVolumeClaimRetentionPolicy.${when}`,
      errors,
    );
  }
}

/** Appends the field errors of a ReplicationController, whose selector is a plain map. */
export function validateController(object: ApiObject, errors: FieldErrors): void {
  const spec = specOf(object);
  const { selector, template } = spec;
  const given = mapOf(mapOf(template)["metadata"])["labels"];
  const numbers: FieldErrors = [];
  for (const key of ["minReadySeconds", "replicas"]) {
    validateNotNegative(spec[key], `spec.${key}`, numbers);
  }
  const isUnselecting = Object.keys(mapOf(selector)).length === 0;
  if (!isJsonObject(template)) {
    errors.push(...numbers);
    if (isUnselecting) {
      errors.push(cause.required("spec.selector"));
    }
    errors.push(cause.required("spec.template"));
    return;
  }
  errors.push(...numbers);
  if (isUnselecting) {
    errors.push(cause.required("spec.selector"));
  }
  if (!isUnselecting && !selects({ matchLabels: selector }, given)) {
    errors.push(cause.invalid("spec.template.metadata.labels", given ?? null, mismatch));
  }
  validateTemplate(template, "spec.template", errors);
  validateOneOf(
    mapOf(mapOf(template)["spec"])["restartPolicy"],
    ["Always"],
    "spec.template.spec.restartPolicy",
    errors,
  );
}
