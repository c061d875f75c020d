import type { ApiObject } from "../../objects/api-object.js";
import type { ConditionText } from "../../objects/conditions.js";
import { mapOf } from "../../objects/parts.js";
import type { ControllerParts } from "../runtime/controller-parts.js";
import { annotations, deadlineOf, deploymentStorage, revisionOf } from "./deployment-facts.js";
import { progressOf, withCondition } from "./deployment-progress.js";
import { ensureNewReplicaSet } from "./new-replica-set.js";

/**
 * Ensures the ReplicaSet of the current template, and sets the Deployment's revision and Progressing condition
 * accordingly.
 */
export function reviseDeployment(
  context: ControllerParts,
  deployment: ApiObject,
  sets: readonly ApiObject[],
): { readonly set: ApiObject; readonly revised: ApiObject } {
  const { server, writer } = context;
  const { set, created } = ensureNewReplicaSet(context, deployment, sets);
  const revision = String(revisionOf(set));
  const { metadata } = deployment;
  const isRevised = metadata.annotations?.[annotations.revision] !== revision;
  const before = mapOf(deployment["status"]);
  const isNews =
    deadlineOf(deployment) !== undefined &&
    (created || (isRevised && progressOf(before) === undefined));
  if (!isRevised && !isNews) {
    return { set, revised: deployment };
  }
  // Write through the status subresource, which may set annotations too and does not increase the generation.
  const revised = writer.update(
    deploymentStorage,
    {
      ...deployment,
      metadata: {
        ...metadata,
        annotations: { ...metadata.annotations, [annotations.revision]: revision },
      },
      status: isNews ? withCondition(before, server.clock, foundText(set, created)) : before,
    },
    "status",
  );
  return { set, revised };
}

function foundText({ metadata }: ApiObject, isNew: boolean): ConditionText {
  return {
    type: "Progressing",
    status: "True",
    reason: isNew ? "NewReplicaSetCreated" : "FoundNewReplicaSet",
    message: `${isNew ? "Created" : "Found"} new replica set "${metadata.name}"`,
  };
}
