import type { ApiObject } from "../../objects/api-object.js";
import { findCondition } from "../../objects/conditions.js";
import { jsonEqual } from "../../objects/json-value.js";
import { mapOf, specOf } from "../../objects/parts.js";
import type { Reconciled } from "../runtime/controller.js";
import type { ControllerParts } from "../runtime/controller-parts.js";
import { writeIfChanged } from "../runtime/write-status.js";
import { deadlineOf, deploymentStorage } from "./deployment-facts.js";
import { timesOutIn, withCondition, withProgress } from "./deployment-progress.js";
import { statusOf } from "./deployment-status.js";
import { reread } from "./scale-replica-sets.js";

/** Writes the status of a Deployment during a rollout; returns the milliseconds until its deadline. */
export function writeProgress(
  context: ControllerParts,
  deployment: ApiObject,
  sets: readonly ApiObject[],
  newest: ApiObject | undefined,
): Reconciled {
  const { clock } = context.server;
  const now = reread(context, sets);
  const counts = statusOf(deployment, now, newest && reread(context, [newest])[0], clock);
  const status = withProgress(deployment, counts, newest, clock);
  writeIfChanged(context, deploymentStorage, deployment, status);
  return timesOutIn(deployment, status, clock);
}

/** Writes the status of a Deployment that is not being rolled out. */
export function writeCounts(
  context: ControllerParts,
  deployment: ApiObject,
  sets: readonly ApiObject[],
  newest: ApiObject | undefined,
): void {
  const status = statusOf(deployment, sets, newest, context.server.clock);
  if (!jsonEqual(status, deployment["status"])) {
    writeIfChanged(context, deploymentStorage, deployment, status);
  }
}

/** Writes the Progressing condition of a Deployment that was paused or resumed; returns the current Deployment. */
export function withPaused({ server, writer }: ControllerParts, deployment: ApiObject): ApiObject {
  const isPaused = specOf(deployment)["paused"] === true;
  const reason = findCondition(deployment, "Progressing")?.["reason"];
  const wasPaused = reason === "DeploymentPaused";
  if (
    deadlineOf(deployment) === undefined ||
    isPaused === wasPaused ||
    reason === "ProgressDeadlineExceeded"
  ) {
    return deployment;
  }
  const status = withCondition(mapOf(deployment["status"]), server.clock, {
    type: "Progressing",
    status: "Unknown",
    reason: isPaused ? "DeploymentPaused" : "DeploymentResumed",
    message: isPaused ? "Deployment is paused" : "Deployment is resumed",
  });
  return writer.update(deploymentStorage, { ...deployment, status }, "status");
}
