import { cause, type FieldErrors } from "../../../errors/field-errors.js";
import type { ApiObject } from "../../../objects/api-object.js";
import { isJsonObject, type JsonObject, jsonEqual } from "../../../objects/json-value.js";
import { mapOf, objectsOf, specOf } from "../../../objects/parts.js";
import { goTerm } from "../../fields/node-selectors.js";
import { sourcesOf } from "./validate-volume.js";

/** Current names of node labels by their beta names. */
const laterNames: Readonly<Record<string, string>> = {
  "beta.kubernetes.io/arch": "kubernetes.io/arch",
  "beta.kubernetes.io/instance-type": "node.kubernetes.io/instance-type",
  "beta.kubernetes.io/os": "kubernetes.io/os",
  "failure-domain.beta.kubernetes.io/region": "topology.kubernetes.io/region",
  "failure-domain.beta.kubernetes.io/zone": "topology.kubernetes.io/zone",
};

/** Appends errors for changes of immutable fields of a volume. */
export function validateVolumeChange(volume: ApiObject, old: ApiObject, errors: FieldErrors): void {
  const [spec, oldSpec] = [specOf(volume), specOf(old)];
  if (!jsonEqual(sourcesOf(spec), sourcesOf(oldSpec))) {
    const why = "spec.persistentvolumesource is immutable after creation";
    errors.push(cause.forbidden("spec.persistentvolumesource", why));
  }
  validateAffinityChange(spec["nodeAffinity"], oldSpec["nodeAffinity"], errors);
}

/** Checks that a volume's node affinity is unchanged, except for renamed labels. */
function validateAffinityChange(affinity: unknown, old: unknown, errors: FieldErrors): void {
  const isKept = [old, renamed(old)].some((one) => jsonEqual(affinity ?? null, one ?? null));
  if (isJsonObject(old) && !isKept) {
    const why = "field is immutable, except for updating from beta label to GA";
    errors.push(cause.invalid("nodeAffinity", goAffinity(affinity), why));
  }
}

/** Returns an affinity with the current names of its labels. */
function renamed(affinity: unknown): unknown {
  return JSON.parse(JSON.stringify(affinity ?? null), (key, value: unknown) =>
    key === "key" ? (laterNames[String(value)] ?? value) : value,
  );
}

/** Formats a node affinity like Go. */
function goAffinity(affinity: unknown): JsonObject | null {
  if (!isJsonObject(affinity)) {
    return null;
  }
  const { required } = affinity;
  const terms = objectsOf(mapOf(required)["nodeSelectorTerms"]).map(goTerm);
  return { Required: isJsonObject(required) ? { NodeSelectorTerms: terms } : null };
}
