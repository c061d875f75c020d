import type { ApiObject } from "../objects/api-object.js";
import { jsonEqual } from "../objects/json-value.js";
import { mapOf, objectsOf, specOf, withSpec } from "../objects/parts.js";
import type { KindHooks } from "./kind-hooks.js";

const templateGeneration = "deprecated.daemonset.template.generation";

/** Hooks of workloads. */
export const workloadHooks: Readonly<Record<string, KindHooks>> = {
  replicationcontrollers: { defaults: withTemplateLabels },
  "daemonsets.apps": {
    defaults: (set) =>
      set.metadata.annotations?.[templateGeneration] === undefined
        ? withTemplateGeneration(set, 0)
        : set,
    create: (set) => withTemplateGeneration(set, 1),
    update: (set, before) => {
      const then = Number(before.metadata.annotations?.[templateGeneration] ?? 1);
      const isSame = jsonEqual(specOf(set)["template"], specOf(before)["template"]);
      return withTemplateGeneration(set, isSame ? then : then + 1);
    },
  },
  "statefulsets.apps": { defaults: withClaimKinds },
};

/** Defaults selector and labels of a ReplicationController from its template's labels. */
function withTemplateLabels(controller: ApiObject): ApiObject {
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

function withTemplateGeneration(set: ApiObject, generation: number): ApiObject {
  const { metadata } = set;
  const annotations = { ...metadata.annotations, [templateGeneration]: String(generation) };
  return { ...set, metadata: { ...metadata, annotations } };
}

/** Sets apiVersion and kind of volume claim templates, whatever they contain. */
function withClaimKinds(set: ApiObject): ApiObject {
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
