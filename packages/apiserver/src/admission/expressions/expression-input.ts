import type { AdmissionRequest, PolicyInput } from "@typekube/policy";
import type { ServerContext } from "../../context/server-context.js";
import { type JsonObject, omitKeys } from "../../objects/json-value.js";
import { type ReviewedRequest, requestOf } from "../matching/reviewed-request.js";
import { authorizeBy } from "./authorize.js";

/**
 * Returns the variables of the expressions of a policy or webhook.
 *
 * @param params - the parameter of a policy. Default: none.
 */
export function expressionInput(
  reviewed: ReviewedRequest,
  server: Pick<ServerContext, "access" | "store">,
  params: JsonObject | null = null,
): PolicyInput {
  const request: AdmissionRequest = requestOf(reviewed);
  return {
    request,
    object: reviewed.object,
    oldObject: reviewed.oldObject,
    params,
    namespaceObject: namespaceObject(reviewed, server),
    authorize: authorizeBy(server),
  };
}

/** Returns the namespace of a request as expressions see it; `null` for cluster-scoped objects and for namespaces. */
function namespaceObject(
  { attributes: { namespace, kind } }: ReviewedRequest,
  { store }: Pick<ServerContext, "store">,
): JsonObject | null {
  const isNamespace = kind.group === "" && kind.version === "v1" && kind.kind === "Namespace";
  const found =
    namespace === "" || isNamespace ? undefined : store.collection("namespaces").get(namespace);
  return found === undefined
    ? null
    : { ...found, metadata: omitKeys(found.metadata, "managedFields", "ownerReferences") };
}
