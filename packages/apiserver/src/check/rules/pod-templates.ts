import type { JsonObject } from "@typekube/core/internal";
import { getPath } from "../../objects/json-value.js";
import type { ManifestValue } from "../items/check-item.js";

/** A pod, or the template of one, and its path in the object. */
export interface PodTemplate {
  readonly path: string;
  readonly metadata: JsonObject;
  readonly spec: JsonObject;
}

/** Paths of the templates of pods, by kind. */
const templatePaths: Readonly<Record<string, readonly string[]>> = {
  Pod: [],
  CronJob: ["spec", "jobTemplate", "spec", "template"],
  DaemonSet: ["spec", "template"],
  Deployment: ["spec", "template"],
  Job: ["spec", "template"],
  PodTemplate: ["template"],
  ReplicaSet: ["spec", "template"],
  ReplicationController: ["spec", "template"],
  StatefulSet: ["spec", "template"],
};

/** Returns the pod template of a built-in kind; `undefined` for other kinds. */
export function podTemplateOf(value: ManifestValue): PodTemplate | undefined {
  const group = value.apiVersion.split("/")[0] ?? "";
  const isBuiltIn = ["v1", "apps", "batch"].includes(group);
  const path =
    isBuiltIn && Object.hasOwn(templatePaths, value.kind) ? templatePaths[value.kind] : undefined;
  if (path === undefined) {
    return undefined;
  }
  const found = (getPath(value, ...path) ?? {}) as JsonObject;
  const { metadata, spec } = (typeof found === "object" ? found : {}) as {
    readonly metadata?: JsonObject;
    readonly spec?: JsonObject;
  };
  return {
    path: path.map((step) => `${step}.`).join(""),
    metadata: metadata ?? {},
    spec: spec ?? {},
  };
}
