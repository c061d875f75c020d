import type { ApiObject } from "../../objects/api-object.js";
import { type ConditionText, findCondition } from "../../objects/conditions.js";
import { getPath, type JsonObject, jsonEqual } from "../../objects/json-value.js";
import { controllerOf, isGoing } from "../../objects/owner-references.js";
import { mapOf, specOf } from "../../objects/parts.js";
import { claim, keysOfOwner, splitKey } from "../pods/owned-pods.js";
import { compareAge, phaseOf } from "../pods/pods.js";
import type { Controller, Reconciled } from "../runtime/controller.js";
import type { ControllerParts } from "../runtime/controller-parts.js";
import { writeIfChanged } from "../runtime/write-status.js";
import { annotations, revisionOf, wantedOf } from "./deployment-facts.js";
import {
  isComplete,
  progressOf,
  statusOf,
  timesOutIn,
  withCondition,
  withProgress,
} from "./deployment-status.js";
import { ensureNewReplicaSet, findNewReplicaSet } from "./new-replica-set.js";
import { growNew, shrinkOld } from "./roll-out.js";
import { isRecreated, isScaled, scaleReplicaSet, shareOut } from "./scale-replica-sets.js";

const storage = "deployments.apps";
const setStorage = "replicasets.apps";

/** Rolls out Deployments: creates a ReplicaSet for each template, and moves replicas from the old ones to the newest. */
export function createDeploymentController(parts: ControllerParts): Controller {
  const { server, writer, index } = parts;
  const { clock } = server;

  const reconcile = (key: string): Reconciled => {
    const deployment = writer.get(storage, ...splitKey(key));
    if (deployment === undefined) {
      return undefined;
    }
    const sets = claim(parts, deployment, setStorage);
    const newest = findNewReplicaSet(deployment, sets);
    const old = sets.filter((set) => set !== newest);
    if (isGoing(deployment)) {
      return writeStatus(deployment, sets, newest);
    }
    const current = withPaused(deployment);
    if (specOf(current)["paused"] === true || isScaled(current, sets)) {
      shareOut(parts, current, newest, old);
      if (specOf(current)["paused"] === true) {
        prune(current, sets);
      }
      return writeStatus(current, reread(sets), newest && reread([newest])[0]);
    }
    return isRecreated(current) ? recreate(current, sets, old) : roll(current, sets, old);
  };

  const roll = (
    deployment: ApiObject,
    sets: readonly ApiObject[],
    old: readonly ApiObject[],
  ): Reconciled => {
    const { set, revised } = newSet(deployment, sets);
    if (
      !growNew(parts, revised, set, old) &&
      !shrinkOld(parts, revised, set, old) &&
      isDone(revised)
    ) {
      prune(revised, sets);
    }
    return progress(revised, [...old, set], set);
  };

  const recreate = (
    deployment: ApiObject,
    sets: readonly ApiObject[],
    old: readonly ApiObject[],
  ): Reconciled => {
    const found = findNewReplicaSet(deployment, sets);
    const shrunk = old.map(
      (set) => wantedOf(set) > 0 && scaleReplicaSet(parts, deployment, set, 0),
    );
    if (shrunk.some(Boolean) || old.some(hasPods)) {
      return progress(deployment, sets, found);
    }
    const { set, revised } = newSet(deployment, sets);
    scaleReplicaSet(parts, revised, set, wantedOf(revised));
    if (isDone(revised)) {
      prune(revised, sets);
    }
    return progress(revised, [...old, set], set);
  };

  /**
   * Ensures the ReplicaSet of the current template, and sets the Deployment's revision and Progressing condition
   * accordingly.
   */
  const newSet = (deployment: ApiObject, sets: readonly ApiObject[]) => {
    const { set, created } = ensureNewReplicaSet(parts, deployment, sets);
    const revision = String(revisionOf(set));
    const { metadata } = deployment;
    const isRevised = metadata.annotations?.[annotations.revision] !== revision;
    const before = mapOf(deployment["status"]);
    const isNews =
      hasDeadline(deployment) && (created || (isRevised && progressOf(before) === undefined));
    if (!isRevised && !isNews) {
      return { set, revised: deployment };
    }
    // Write through the status subresource, which may set annotations too and does not increase the generation.
    const revised = writer.update(
      storage,
      {
        ...deployment,
        metadata: {
          ...metadata,
          annotations: { ...metadata.annotations, [annotations.revision]: revision },
        },
        status: isNews ? withCondition(before, clock, foundText(set, created)) : before,
      },
      "status",
    );
    return { set, revised };
  };

  const withPaused = (deployment: ApiObject): ApiObject => {
    const isPaused = specOf(deployment)["paused"] === true;
    const reason = findCondition(deployment, "Progressing")?.["reason"];
    const wasPaused = reason === "DeploymentPaused";
    if (
      !hasDeadline(deployment) ||
      isPaused === wasPaused ||
      reason === "ProgressDeadlineExceeded"
    ) {
      return deployment;
    }
    const status = withCondition(mapOf(deployment["status"]), clock, {
      type: "Progressing",
      status: "Unknown",
      reason: isPaused ? "DeploymentPaused" : "DeploymentResumed",
      message: isPaused ? "Deployment is paused" : "Deployment is resumed",
    });
    return writer.update(storage, { ...deployment, status }, "status");
  };

  const progress = (
    deployment: ApiObject,
    sets: readonly ApiObject[],
    newest: ApiObject | undefined,
  ): Reconciled => {
    const now = reread(sets);
    const status = statusOf(deployment, now, newest && reread([newest])[0], clock);
    const said = withProgress(deployment, status, newest, clock);
    writeIfChanged(parts, storage, deployment, said);
    return timesOutIn(deployment, said, clock);
  };

  const writeStatus = (
    deployment: ApiObject,
    sets: readonly ApiObject[],
    newest: ApiObject | undefined,
  ): Reconciled => {
    const status: JsonObject = statusOf(deployment, sets, newest, clock);
    if (!jsonEqual(status, deployment["status"])) {
      writeIfChanged(parts, storage, deployment, status);
    }
    return undefined;
  };

  /** Deletes old ReplicaSets without replicas beyond the revision history limit. */
  const prune = (deployment: ApiObject, sets: readonly ApiObject[]) => {
    const limit = Number(specOf(deployment)["revisionHistoryLimit"] ?? 10);
    const newest = findNewReplicaSet(deployment, sets);
    const idle = reread(sets.filter((set) => set.metadata.uid !== newest?.metadata.uid))
      .filter(
        (set) =>
          wantedOf(set) === 0 &&
          Number(getPath(set, "status", "replicas") ?? 0) === 0 &&
          !isGoing(set),
      )
      .sort((a, b) => revisionOf(a) - revisionOf(b) || compareAge(a, b));
    for (const set of idle.slice(0, Math.max(0, idle.length - limit))) {
      writer.delete(setStorage, set);
    }
  };

  const hasPods = (set: ApiObject) =>
    index
      .ownedIn("pods", set.metadata.uid ?? "")
      .some((pod) => phaseOf(pod) !== "Failed" && phaseOf(pod) !== "Succeeded");

  const reread = (sets: readonly ApiObject[]) =>
    sets
      .map(({ metadata }) => writer.get(setStorage, metadata.namespace ?? "", metadata.name ?? ""))
      .filter((set) => set !== undefined);

  return {
    name: "deployments",
    follows: [storage, setStorage, "pods"],
    keysOf(event, from) {
      if (from === storage) {
        return [event.key];
      }
      if (from === setStorage) {
        return keysOfOwner(parts, event, { storage, kind: "Deployment" });
      }
      // It may be the last old pod that a Deployment with strategy Recreate waits for.
      const owner = event.type === "DELETED" ? controllerOf(event.object) : undefined;
      const set =
        owner?.kind === "ReplicaSet"
          ? writer.get(setStorage, event.namespace, owner.name)
          : undefined;
      const above = set && controllerOf(set);
      return above?.kind === "Deployment" ? [`${event.namespace}/${above.name}`] : [];
    },
    reconcile,
  };
}

function foundText({ metadata }: ApiObject, isNew: boolean): ConditionText {
  return {
    type: "Progressing",
    status: "True",
    reason: isNew ? "NewReplicaSetCreated" : "FoundNewReplicaSet",
    message: `${isNew ? "Created" : "Found"} new replica set "${metadata.name}"`,
  };
}

function isDone(deployment: ApiObject): boolean {
  return isComplete(deployment, mapOf(deployment["status"]));
}

function hasDeadline(deployment: ApiObject): boolean {
  return Number(specOf(deployment)["progressDeadlineSeconds"] ?? 0x7fffffff) !== 0x7fffffff;
}
