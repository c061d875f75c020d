import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import type { JsonObject } from "../../objects/json-value.js";
import { isJsonObject, jsonEqual } from "../../objects/json-value.js";
import { mapOf, objectsOf, specOf } from "../../objects/parts.js";
import { isUnset } from "../../phases/validate/checks.js";
import { countOrPercent, dnsLabel, notNegative, oneOf } from "../../phases/validate/old-checks.js";
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
  extra?(spec: JsonObject, before?: JsonObject): FieldErrors;
  last?(spec: JsonObject): FieldErrors;
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
 * Returns the field errors of a Deployment, ReplicaSet, DaemonSet or StatefulSet.
 *
 * @param before - the old object of an update. An unchanged template is not validated again.
 */
export function validateWorkload(
  kind: WorkloadName,
  object: ApiObject,
  before?: ApiObject,
): FieldErrors {
  const { selectorOf, deadlineOf, needsSelector, extra, last } = kinds[kind];
  const spec = specOf(object);
  const { selector } = spec;
  const template = mapOf(spec["template"]);
  const given = mapOf(template["metadata"])["labels"];
  const podSpec = mapOf(template["spec"]);
  const wrongSelector = validateSelector(selector, "spec.selector");
  const isMissing = !isJsonObject(selector);
  const claimed = kind === "statefulSet" ? withClaimedVolumes(spec, template) : template;
  const numbers = ["replicas", "minReadySeconds"].flatMap((key) =>
    notNegative(`spec.${key}`, spec[key]),
  );
  const old = before === undefined ? undefined : specOf(before);
  const isKept = old !== undefined && jsonEqual(template, mapOf(old["template"]));
  const fits = wrongSelector.length > 0 || selects(selector, given);
  return [
    ...(extra?.(spec, old) ?? []),
    ...(kind === "replicaSet" || kind === "statefulSet" ? numbers : []),
    ...(kind === "deployment" ? notNegative("spec.replicas", spec["replicas"]) : []),
    ...(isMissing && needsSelector ? [cause.required("spec.selector")] : []),
    ...(isMissing ? [] : wrongSelector),
    ...(isMissing || !isEmptySelector(selector)
      ? []
      : [cause.invalid("spec.selector", {}, `empty selector is invalid for ${selectorOf}`)]),
    ...(wrongSelector.length > 0 && kind !== "daemonSet"
      ? [
          kind === "statefulSet"
            ? unexplained("spec.selector", selector)
            : cause.invalid("spec.selector", selector, "invalid label selector"),
        ]
      : []),
    ...(fits ? [] : [cause.invalid("spec.template.metadata.labels", given ?? null, mismatch)]),
    ...(isKept ? [] : validateTemplate(claimed, "spec.template")),
    ...validateTemplatePolicy(podSpec, deadlineOf),
    ...(last?.(spec) ?? []),
  ];
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
): FieldErrors {
  const field = "spec.template.spec";
  return [
    ...oneOf(`${field}.restartPolicy`, restartPolicy, ["Always"]),
    ...(activeDeadlineSeconds === undefined
      ? []
      : [
          cause.forbidden(
            `${field}.activeDeadlineSeconds`,
            `activeDeadlineSeconds in ${kind} is not Supported`,
          ),
        ]),
  ];
}

function validateDeployment(spec: JsonObject): FieldErrors {
  const { minReadySeconds, progressDeadlineSeconds } = spec;
  const strategy = mapOf(spec["strategy"]);
  const { type, rollingUpdate } = strategy;
  const shown = { Type: type, RollingUpdate: shownRolling(rollingUpdate) };
  const isTooShort =
    typeof progressDeadlineSeconds === "number" &&
    progressDeadlineSeconds <= Number(minReadySeconds ?? 0);
  return [
    ...(type === "Recreate" && isJsonObject(rollingUpdate)
      ? [
          cause.forbidden(
            "spec.strategy.rollingUpdate",
            "may not be specified when strategy `type` is 'Recreate'",
          ),
        ]
      : []),
    ...(type === "Recreate" || type === "RollingUpdate"
      ? []
      : [cause.notSupported("spec.strategy", shown, ["Recreate", "RollingUpdate"])]),
    ...(type === "RollingUpdate" ? validateRollingUpdate(mapOf(rollingUpdate)) : []),
    ...notNegative("spec.minReadySeconds", minReadySeconds),
    ...notNegative("spec.revisionHistoryLimit", spec["revisionHistoryLimit"]),
    ...notNegative("spec.progressDeadlineSeconds", progressDeadlineSeconds),
    ...(isTooShort
      ? [
          cause.invalid(
            "spec.progressDeadlineSeconds",
            progressDeadlineSeconds,
            "must be greater than minReadySeconds",
          ),
        ]
      : []),
  ];
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

function validateRollingUpdate({ maxSurge, maxUnavailable }: JsonObject): FieldErrors {
  const field = "spec.strategy.rollingUpdate";
  return [
    ...countOrPercent(`${field}.maxUnavailable`, maxUnavailable),
    ...countOrPercent(`${field}.maxSurge`, maxSurge),
    ...(isZero(maxSurge) && isZero(maxUnavailable)
      ? [
          cause.invalid(
            `${field}.maxUnavailable`,
            maxUnavailable,
            "may not be 0 when `maxSurge` is 0",
          ),
        ]
      : []),
    ...(typeof maxUnavailable === "string" ? validatePercentAtMost100(maxUnavailable, field) : []),
  ];
}

function validatePercentAtMost100(value: string, field: string): FieldErrors {
  return /^[0-9]+%$/.test(value) ? countOrPercent(`${field}.maxUnavailable`, value, 100) : [];
}

function validateDaemonSet(spec: JsonObject): FieldErrors {
  const { type, rollingUpdate } = mapOf(spec["updateStrategy"]);
  const { maxSurge, maxUnavailable } = mapOf(rollingUpdate);
  const field = "spec.updateStrategy";
  const shown = { Type: type, RollingUpdate: shownRolling(rollingUpdate) };
  const isStuck = type === "RollingUpdate" && isZero(maxSurge) && isZero(maxUnavailable);
  return [
    ...notNegative("spec.minReadySeconds", spec["minReadySeconds"]),
    ...(type === "RollingUpdate" || type === "OnDelete"
      ? []
      : [cause.notSupported(field, shown, ["RollingUpdate", "OnDelete"])]),
    ...(type === "RollingUpdate"
      ? countOrPercent(`${field}.rollingUpdate.maxUnavailable`, maxUnavailable, 100)
      : []),
    ...(type === "RollingUpdate" && maxSurge !== undefined
      ? countOrPercent(`${field}.rollingUpdate.maxSurge`, maxSurge)
      : []),
    ...(isStuck
      ? [cause.required(`${field}.rollingUpdate.maxUnavailable`, "cannot be 0 when maxSurge is 0")]
      : []),
    ...(type === "RollingUpdate" &&
    maxSurge !== undefined &&
    !isZero(maxSurge) &&
    !isZero(maxUnavailable)
      ? [
          cause.invalid(
            `${field}.rollingUpdate.maxSurge`,
            maxSurge,
            "may not be set when maxUnavailable is non-zero",
          ),
        ]
      : []),
    ...notNegative("spec.revisionHistoryLimit", spec["revisionHistoryLimit"]),
  ];
}

/**
 * Checks the StatefulSet-specific fields. The immutable service name is validated only on create, claim templates only
 * when they change.
 */
function validateStatefulSet(spec: JsonObject, before?: JsonObject): FieldErrors {
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
  return [
    ...(isUnset(serviceName) || before !== undefined
      ? []
      : dnsLabel("spec.serviceName", serviceName)),
    ...(podManagementPolicy === "OrderedReady" || podManagementPolicy === "Parallel"
      ? []
      : [
          cause.invalid(
            "spec.podManagementPolicy",
            podManagementPolicy,
            "must be 'OrderedReady' or 'Parallel'",
          ),
        ]),
    ...(type === "RollingUpdate" || type === "OnDelete"
      ? []
      : [
          cause.invalid(
            field,
            { Type: type, RollingUpdate: shown },
            "must be 'RollingUpdate' or 'OnDelete'",
          ),
        ]),
    ...(type === "OnDelete" && isJsonObject(rollingUpdate)
      ? [
          cause.invalid(
            `${field}.rollingUpdate`,
            shown,
            "only allowed for updateStrategy 'RollingUpdate'",
          ),
        ]
      : []),
    ...notNegative(`${field}.rollingUpdate.partition`, partition),
    ...(maxUnavailable === null
      ? []
      : [
          ...countOrPercent(most, maxUnavailable, 100),
          ...(isZero(maxUnavailable) ? [cause.invalid(most, maxUnavailable, "cannot be 0")] : []),
        ]),
    ...(areKept ? [] : claims).flatMap((claim, at) =>
      validateClaimSpec(specOf(claim), `spec.volumeClaimTemplates[${at}].spec`),
    ),
    ...notNegative("spec.ordinals.start", mapOf(spec["ordinals"])["start"]),
    ...["whenDeleted", "whenScaled"].flatMap((when) =>
      oneOf(
        `spec.persistentVolumeClaimRetentionPolicy.${when}`,
        mapOf(spec["persistentVolumeClaimRetentionPolicy"])[when],
        ["Retain", "Delete"],
      ),
    ),
  ];
}

/** Returns the field errors of a ReplicationController, whose selector is a plain map. */
export function validateController(object: ApiObject): FieldErrors {
  const spec = specOf(object);
  const { selector, template } = spec;
  const given = mapOf(mapOf(template)["metadata"])["labels"];
  const numbers = ["minReadySeconds", "replicas"].flatMap((key) =>
    notNegative(`spec.${key}`, spec[key]),
  );
  const isUnselecting = Object.keys(mapOf(selector)).length === 0;
  if (!isJsonObject(template)) {
    return [
      ...numbers,
      ...(isUnselecting ? [cause.required("spec.selector")] : []),
      cause.required("spec.template"),
    ];
  }
  return [
    ...numbers,
    ...(isUnselecting ? [cause.required("spec.selector")] : []),
    ...(isUnselecting || selects({ matchLabels: selector }, given)
      ? []
      : [cause.invalid("spec.template.metadata.labels", given ?? null, mismatch)]),
    ...validateTemplate(template, "spec.template"),
    ...oneOf("spec.template.spec.restartPolicy", mapOf(mapOf(template)["spec"])["restartPolicy"], [
      "Always",
    ]),
  ];
}
