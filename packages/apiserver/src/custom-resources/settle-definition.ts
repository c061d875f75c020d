import { approvalCondition } from "@typekube/schema";
import type { ApiObject } from "../objects/api-object.js";
import { getPath } from "../objects/json-value.js";
import { areNamesAccepted, decideNames } from "./definition-names.js";
import { conditionOf, withCondition, writeStatus } from "./definition-status.js";
import { endDefinition } from "./end-definition.js";
import { establishLater } from "./establish-definition.js";
import type { FollowedDefinitions } from "./followed-definitions.js";
import { forgetDefinition, serveDefinition } from "./serve-definition.js";

/** Takes the next step of a definition. A step that writes the definition makes it change, so that it is settled again. */
export function settleDefinition(definitions: FollowedDefinitions, name: string): void {
  const object = definitions.stored.get(name);
  if (object === undefined) {
    forgetDefinition(definitions, name);
    return;
  }
  if (object.metadata.deletionTimestamp !== undefined) {
    serveDefinition(definitions, name, object);
    endDefinition(definitions, name, object);
    return;
  }
  if (
    showApproval(definitions, object) ||
    (!areNamesAccepted(object) && acceptNames(definitions, object))
  ) {
    return;
  }
  const isAccepted = conditionOf(object, "NamesAccepted")?.["status"] === "True";
  if (isAccepted && conditionOf(object, "Established")?.["status"] !== "True") {
    establishLater(definitions, name);
    return;
  }
  serveDefinition(definitions, name, object);
}

/** Writes the condition about API approval; returns false when the status already has it or the group needs none. */
function showApproval({ server }: FollowedDefinitions, object: ApiObject): boolean {
  const condition = approvalCondition(object);
  return (
    condition !== undefined && writeStatus(server, object, withCondition(server, object, condition))
  );
}

/** Writes the decision on the names; returns false when it is unchanged. */
export function acceptNames(
  { server, stored }: Pick<FollowedDefinitions, "server" | "stored">,
  object: ApiObject,
): boolean {
  const { name = "" } = object.metadata;
  const group = getPath(object, "spec", "group");
  const others = stored
    .entries("")
    .filter(([key, other]) => key !== name && getPath(other, "spec", "group") === group)
    .map(([, other]) => other);
  const { accepted, isAccepted, reason, message } = decideNames(object, others);
  const named = withCondition(server, object, {
    type: "NamesAccepted",
    status: isAccepted ? "True" : "False",
    reason,
    message,
  });
  const isEstablished = conditionOf(object, "Established")?.["status"] === "True";
  const next = isEstablished
    ? named
    : withCondition(server, named, {
        type: "Established",
        status: "False",
        reason: isAccepted ? "Installing" : "NotAccepted",
        message: isAccepted ? "the initial names have been accepted" : "not all names are accepted",
      });
  return writeStatus(server, object, { ...next, acceptedNames: accepted });
}
