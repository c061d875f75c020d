import type { ApiObject } from "../../objects/api-object.js";
import { type JsonObject, jsonEqual } from "../../objects/json-value.js";
import { controllerReference } from "../../objects/owner-references.js";
import { mapOf, specOf } from "../../objects/parts.js";
import { compareAge } from "../pods/pods.js";
import {
  isSameTemplate,
  templateHash,
  templateHashLabel,
  withTemplateLabels,
} from "../pods/template-hash.js";
import type { ControllerParts } from "../runtime/controller-parts.js";
import {
  annotations,
  deploymentSource,
  fencepostsOf,
  ownAnnotations,
  revisionOf,
  scalingReason,
  setStorage,
  sizeAnnotations,
  wantedOf,
  wantedOfAll,
} from "./deployment-facts.js";

/** Returns the ReplicaSet of a Deployment's current template, if it exists. */
export function findNewReplicaSet(
  deployment: ApiObject,
  sets: readonly ApiObject[],
): ApiObject | undefined {
  const { template } = specOf(deployment);
  return [...sets]
    .sort(compareAge)
    .find((set) => isSameTemplate(specOf(set)["template"], template));
}

/** Returns the replicas that the newest ReplicaSet may have now, given those of the others. */
export function newReplicas(
  deployment: ApiObject,
  sets: readonly ApiObject[],
  newest: number,
): number {
  const wanted = wantedOf(deployment);
  if (mapOf(specOf(deployment)["strategy"])["type"] === "Recreate") {
    return wanted;
  }
  const most = wanted + fencepostsOf(deployment).surge;
  const present = wantedOfAll(sets);
  return present >= most ? newest : newest + Math.min(most - present, wanted - newest);
}

/** Creates the ReplicaSet of a Deployment's template, or sets the newest revision on an existing one. */
export function ensureNewReplicaSet(
  { writer, events }: ControllerParts,
  deployment: ApiObject,
  sets: readonly ApiObject[],
): { readonly set: ApiObject; readonly created: boolean } {
  const found = findNewReplicaSet(deployment, sets);
  const others = sets.filter((set) => set !== found);
  const revision = String(Math.max(0, ...others.map(revisionOf)) + 1);
  if (found !== undefined) {
    const revised = {
      ...found,
      metadata: { ...found.metadata, annotations: annotated(deployment, found, revision) },
    };
    const { minReadySeconds } = specOf(deployment);
    const wanted = { ...revised, spec: { ...specOf(found), minReadySeconds } } as ApiObject;
    return {
      set:
        jsonEqual(wanted.metadata.annotations, found.metadata.annotations) &&
        (specOf(found)["minReadySeconds"] ?? 0) === (minReadySeconds ?? 0)
          ? found
          : writer.update(setStorage, wanted),
      created: false,
    };
  }
  const template = mapOf(specOf(deployment)["template"]);
  const { name = "", namespace = "" } = deployment.metadata;
  let collisions = Number(mapOf(deployment["status"])["collisionCount"] ?? 0);
  let hash = templateHash(template, collisions);
  while (writer.get(setStorage, namespace, `${name}-${hash}`) !== undefined) {
    collisions += 1;
    hash = templateHash(template, collisions);
  }
  const labels: JsonObject = { [templateHashLabel]: hash };
  const selector = mapOf(specOf(deployment)["selector"]);
  const labelled = withTemplateLabels(template, labels);
  const { minReadySeconds } = specOf(deployment);
  const set = writer.create(setStorage, {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: {
      name: `${name}-${hash}`,
      namespace,
      labels: mapOf(mapOf(labelled["metadata"])["labels"]) as Record<string, string>,
      annotations: annotated(deployment, undefined, revision),
      ownerReferences: [controllerReference(deployment)],
    },
    spec: {
      replicas: newReplicas(deployment, sets, 0),
      ...(minReadySeconds === undefined ? {} : { minReadySeconds }),
      selector: { ...selector, matchLabels: { ...mapOf(selector["matchLabels"]), ...labels } },
      template: labelled,
    },
  });
  const replicas = wantedOf(set);
  if (replicas > 0) {
    const message = `Scaled up replica set ${set.metadata.name} from 0 to ${replicas}`;
    events.record(deployment, { reason: scalingReason, message }, deploymentSource);
  }
  return { set, created: true };
}

/** Returns the annotations of a Deployment's newest ReplicaSet. */
function annotated(
  deployment: ApiObject,
  set: ApiObject | undefined,
  newest: string,
): Record<string, string> {
  const own = deployment.metadata.annotations ?? {};
  const before = set?.metadata.annotations ?? {};
  const copied = Object.fromEntries(
    Object.entries(own).filter(([key]) => !ownAnnotations.has(key)),
  );
  const old = before[annotations.revision];
  const isNewer = Number(old ?? 0) < Number(newest);
  const revision = isNewer ? newest : (old ?? newest);
  const history = before[annotations.revisionHistory];
  const past =
    isNewer && old !== undefined
      ? [...(history === undefined || history === "" ? [] : history.split(",")), old].join(",")
      : history;
  return {
    ...before,
    ...copied,
    ...(set === undefined ? (sizeAnnotations(deployment) as Record<string, string>) : {}),
    [annotations.revision]: revision,
    ...(past === undefined ? {} : { [annotations.revisionHistory]: past }),
  };
}
