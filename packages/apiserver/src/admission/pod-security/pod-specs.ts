import type { ApiObject } from "../../objects/api-object.js";
import { mapOf, specOf } from "../../objects/parts.js";
import { type PodView, podView } from "./pod-check.js";

/** Extracts the pod template by kind: from the object itself, its spec, or its job template's spec. */
const templates: ReadonlyMap<string, (object: ApiObject) => unknown> = new Map<
  string,
  (object: ApiObject) => unknown
>([
  ["podtemplates", (object) => object["template"]],
  ...[
    "replicationcontrollers",
    "replicasets.apps",
    "deployments.apps",
    "statefulsets.apps",
    "daemonsets.apps",
    "jobs.batch",
  ].map((kind) => [kind, (object: ApiObject) => specOf(object)["template"]] as const),
  ["cronjobs.batch", (object) => specOf(mapOf(specOf(object)["jobTemplate"]))["template"]],
]);

/** Returns the pod template of a workload; `undefined` for kinds without one. */
export function templateOf(storage: string, object: ApiObject): PodView | undefined {
  const template = templates.get(storage)?.(object);
  return template === undefined || template === null
    ? undefined
    : podView(mapOf(mapOf(template)["metadata"]), specOf(mapOf(template)));
}
