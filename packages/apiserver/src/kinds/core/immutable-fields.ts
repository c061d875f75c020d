import { parseQuantity } from "@typekube/core/quantity";
import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { isJsonObject, type JsonObject, jsonEqual, omitKeys } from "../../objects/json-value.js";
import { mapOf, objectsOf, specOf } from "../../objects/parts.js";
import { goTerm } from "../pod-spec/pod-spec-changes.js";

const fixed = "field is immutable";

/** Scheduling fields of a suspended Job's pod template that may still change. */
const scheduling = ["affinity", "nodeSelector", "schedulingGates", "tolerations"];

/** Returns a pod spec without the fields that may still change: scheduling and resources. */
function scheduledLater(spec: JsonObject): JsonObject {
  const lists = ["containers", "initContainers"].map((list) => [
    list,
    objectsOf(spec[list]).map((container) => omitKeys(container, "resources")),
  ]);
  return { ...omitKeys(spec, ...scheduling), ...Object.fromEntries(lists) };
}

/** Checks which fields of a Job change. */
export function validateJobChange(now: ApiObject, then: ApiObject, errors: FieldErrors): void {
  const [spec, old] = [specOf(now), specOf(then)];
  const isElastic =
    spec["completionMode"] === "Indexed" && spec["completions"] === spec["parallelism"];
  const { startTime, active = 0 } = mapOf(then["status"]);
  const isStarted = startTime !== undefined || active !== 0;
  const isOpen = old["suspend"] === true && !isStarted;
  const part = (of: JsonObject) => {
    const template = mapOf(of["template"]);
    return isOpen ? scheduledLater(mapOf(template["spec"])) : template;
  };
  const count = "spec.completions";
  const tandem =
    spec["completionMode"] === "Indexed"
      ? "can only be modified in tandem with spec.parallelism"
      : fixed;
  const kept = (key: string) =>
    jsonEqual(spec[key] ?? null, old[key] ?? null)
      ? []
      : [cause.invalid(`spec.${key}`, spec[key] ?? null, fixed)];
  if (!jsonEqual(spec["completions"] ?? null, old["completions"] ?? null) && !isElastic) {
    errors.push(cause.invalid(count, spec["completions"] ?? null, tandem));
  }
  errors.push(...kept("selector"));
  if (!jsonEqual(part(spec), part(old))) {
    errors.push(
      cause.invalid(isOpen ? "spec.template.spec" : "spec.template", spec["template"], fixed),
    );
  }
  errors.push(
    ...[
      "completionMode",
      "podFailurePolicy",
      "backoffLimitPerIndex",
      "managedBy",
      "successPolicy",
    ].flatMap(kept),
  );
}

const claimText =
  "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims";

/** Checks which fields of a claim change. */
export function validateClaimChange(now: ApiObject, then: ApiObject, errors: FieldErrors): void {
  const [spec, old] = [specOf(now), specOf(then)];
  const isBound = mapOf(then["status"])["phase"] === "Bound";
  const open = [
    ...((old["volumeName"] ?? "") === "" ? ["volumeName"] : []),
    ...(old["storageClassName"] === undefined ? ["storageClassName"] : []),
    ...(isBound ? ["resources", "volumeAttributesClassName"] : []),
  ];
  const limits = (of: JsonObject) => mapOf(mapOf(of["resources"])["limits"]);
  const areKept = jsonEqual(omitKeys(spec, ...open), omitKeys(old, ...open));
  if (!areKept || !jsonEqual(limits(spec), limits(old))) {
    errors.push(cause.forbidden("spec", claimText));
    return;
  }
  const classes: FieldErrors = [];
  validateClassChange(spec["volumeAttributesClassName"], mapOf(then["status"]), classes);
  if (classes.length > 0) {
    errors.push(...classes);
    return;
  }
  const size = (of: JsonObject) =>
    parseQuantity(mapOf(mapOf(of["resources"])["requests"])["storage"])?.nanos ?? 0n;
  if (size(spec) < size(old)) {
    errors.push(
      cause.forbidden(
        "spec.resources.requests.storage",
        "field can not be less than status.capacity",
      ),
    );
  }
}

/** Checks that a claim with a current VolumeAttributesClass changes to another class, not to none. */
function validateClassChange(
  now: unknown,
  { currentVolumeAttributesClassName }: JsonObject,
  errors: FieldErrors,
): void {
  const isNone = now === undefined || now === "";
  if (!isNone || currentVolumeAttributesClassName === undefined) {
    return;
  }
  const why = `update to ${now === "" ? "empty string" : "nil"} is forbidden when status.currentVolumeAttributesClassName is not nil`;
  errors.push(cause.forbidden("spec.volumeAttributesClassName", why));
}

/** Current names of node labels by their beta names. */
const laterNames: Readonly<Record<string, string>> = {
  "beta.kubernetes.io/arch": "kubernetes.io/arch",
  "beta.kubernetes.io/instance-type": "node.kubernetes.io/instance-type",
  "beta.kubernetes.io/os": "kubernetes.io/os",
  "failure-domain.beta.kubernetes.io/region": "topology.kubernetes.io/region",
  "failure-domain.beta.kubernetes.io/zone": "topology.kubernetes.io/zone",
};

/** Checks that a volume's node affinity is unchanged, except for renamed labels. */
function validateVolumeAffinityChange(now: ApiObject, then: ApiObject, errors: FieldErrors): void {
  const [affinity, old] = [specOf(now)["nodeAffinity"], specOf(then)["nodeAffinity"]];
  const renamed = (value: unknown) =>
    JSON.parse(JSON.stringify(value ?? null), (key, inner: unknown) =>
      key === "key" ? (laterNames[String(inner)] ?? inner) : inner,
    ) as unknown;
  const isKept = jsonEqual(affinity ?? null, old ?? null);
  if (!isJsonObject(old) || isKept || jsonEqual(affinity ?? null, renamed(old))) {
    return;
  }
  const why = "field is immutable, except for updating from beta label to GA";
  errors.push(cause.invalid("nodeAffinity", goAffinity(affinity), why));
}

function goAffinity(affinity: unknown): JsonObject | null {
  if (!isJsonObject(affinity)) {
    return null;
  }
  const { required } = affinity;
  const terms = objectsOf(mapOf(required)["nodeSelectorTerms"]).map(goTerm);
  return { Required: isJsonObject(required) ? { NodeSelectorTerms: terms } : null };
}

/** Checks which fields of a volume change. */
export function validateVolumeChange(now: ApiObject, then: ApiObject, errors: FieldErrors): void {
  validateSource(now, then, errors);
  validateVolumeAffinityChange(now, then, errors);
}

/** Message for a change of a volume's source; a spec has only one source. */
const sourceText = "spec.persistentvolumesource is immutable after creation";

function validateSource(now: ApiObject, then: ApiObject, errors: FieldErrors): void {
  const sources = (of: ApiObject) =>
    Object.fromEntries(
      Object.entries(specOf(of)).filter(
        ([key, value]) =>
          isJsonObject(value) && !["capacity", "claimRef", "nodeAffinity"].includes(key),
      ),
    );
  if (!jsonEqual(sources(now), sources(then))) {
    errors.push(cause.forbidden("spec.persistentvolumesource", sourceText));
  }
}

/** Checks a ConfigMap or Secret that is marked as immutable. */
export function validateImmutableData(
  object: ApiObject,
  before: ApiObject,
  errors: FieldErrors,
): void {
  if (before["immutable"] !== true) {
    return;
  }
  for (const field of ["immutable", "data", "binaryData"].filter(
    (field) => !jsonEqual(object[field] ?? null, before[field] ?? null),
  )) {
    errors.push(cause.forbidden(field, "field is immutable when `immutable` is set"));
  }
}
