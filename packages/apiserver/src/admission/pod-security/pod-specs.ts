import { mapOf, specOf } from "../../kinds/parts.js";
import type { ApiObject } from "../../store/stored-object.js";
import { type PodView, podView } from "./pod-check.js";

/** Kinds whose template is the pod itself, or lies in their spec, or in the spec of another template. */
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

/** Returns the pod that a workload makes; `undefined` for kinds without one. */
export function templateOf(storage: string, object: ApiObject): PodView | undefined {
  const template = templates.get(storage)?.(object);
  return template === undefined || template === null
    ? undefined
    : podView(mapOf(mapOf(template)["metadata"]), specOf(mapOf(template)));
}
