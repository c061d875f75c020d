import type { ApiObject } from "../../objects/api-object.js";
import { jsonEqual } from "../../objects/json-value.js";
import { mapOf, objectsOf, specOf, withSpec } from "../../objects/parts.js";

const templateGeneration = "deprecated.daemonset.template.generation";

/** Defaults selector and labels of a ReplicationController from its template's labels. */
export function withTemplateLabels(controller: ApiObject): ApiObject {
  const spec = specOf(controller);
  const labels = mapOf(mapOf(mapOf(spec["template"])["metadata"])["labels"]);
  if (Object.keys(labels).length === 0) {
    return controller;
  }
  const { metadata } = controller;
  const selected =
    Object.keys(mapOf(spec["selector"])).length === 0
      ? withSpec(controller, { selector: labels })
      : controller;
  return Object.keys(metadata.labels ?? {}).length === 0
    ? { ...selected, metadata: { ...metadata, labels: labels as Record<string, string> } }
    : selected;
}

/** Sets the template generation of a DaemonSet that has none, so that an update can't remove it. */
export function withFirstGeneration(set: ApiObject): ApiObject {
  return set.metadata.annotations?.[templateGeneration] === undefined
    ? withTemplateGeneration(set, 0)
    : set;
}

/** Sets the template generation of a new DaemonSet. */
export function asFirstGeneration(set: ApiObject): ApiObject {
  return withTemplateGeneration(set, 1);
}

/** Increases the template generation of a DaemonSet whose template changed. */
export function withNextGeneration(set: ApiObject, old: ApiObject): ApiObject {
  const then = Number(old.metadata.annotations?.[templateGeneration] ?? 1);
  const isSame = jsonEqual(specOf(set)["template"], specOf(old)["template"]);
  return withTemplateGeneration(set, isSame ? then : then + 1);
}

function withTemplateGeneration(set: ApiObject, generation: number): ApiObject {
  const { metadata } = set;
  const annotations = { ...metadata.annotations, [templateGeneration]: String(generation) };
  return { ...set, metadata: { ...metadata, annotations } };
}

/** Sets apiVersion and kind of volume claim templates, whatever they contain. */
export function withClaimKinds(set: ApiObject): ApiObject {
  const templates = objectsOf(specOf(set)["volumeClaimTemplates"]);
  if (templates.length === 0) {
    return set;
  }
  const volumeClaimTemplates = templates.map((one) => ({
    ...one,
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    status: { phase: "Pending", ...mapOf(one["status"]) },
  }));
  return withSpec(set, { volumeClaimTemplates });
}
