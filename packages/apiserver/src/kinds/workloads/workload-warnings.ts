import type { ApiObject } from "../../objects/api-object.js";
import { specOf } from "../../objects/parts.js";
import { labelNameWarnings } from "../fields/name-warnings.js";
import { templateWarnings } from "../pod-spec/pod-warnings.js";

/** Returns whether a write changes the generation. */
export function isRestated(object: ApiObject, old: ApiObject | undefined): boolean {
  return object.metadata.generation !== old?.metadata.generation;
}

/** Returns warnings about a controller whose name is the prefix of its pods' names. */
export function controllerWarnings(object: ApiObject, old: ApiObject | undefined): string[] {
  return [...podNameWarnings(object, old), ...changedTemplateWarnings(object, old)];
}

/** Returns warnings about the name of a new object that is the prefix of its pods' names. */
export function podNameWarnings(object: ApiObject, old: ApiObject | undefined): string[] {
  return old === undefined ? labelNameWarnings(object, "Pod names and hostnames") : [];
}

/** Returns warnings about the pod template of a new or changed workload. */
export function changedTemplateWarnings(object: ApiObject, old: ApiObject | undefined): string[] {
  return isRestated(object, old)
    ? templateWarnings(specOf(object)["template"], "spec.template")
    : [];
}
