import type { ApiObject } from "../../../objects/api-object.js";
import { jsonEqual } from "../../../objects/json-value.js";
import { specOf } from "../../../objects/parts.js";

const templateGeneration = "deprecated.daemonset.template.generation";

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
  const generation = Number(old.metadata.annotations?.[templateGeneration] ?? 1);
  const isSame = jsonEqual(specOf(set)["template"], specOf(old)["template"]);
  return withTemplateGeneration(set, isSame ? generation : generation + 1);
}

function withTemplateGeneration(set: ApiObject, generation: number): ApiObject {
  const { metadata } = set;
  const annotations = { ...metadata.annotations, [templateGeneration]: String(generation) };
  return { ...set, metadata: { ...metadata, annotations } };
}
