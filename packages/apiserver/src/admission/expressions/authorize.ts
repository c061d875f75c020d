import type { AuthorizationAttributes, AuthorizationDecision, Authorize } from "@typekube/cel";
import { attributesOf } from "../../access/access-attributes.js";
import type { ServerContext } from "../../context/server-context.js";
import type { User } from "../../objects/user.js";

/** Returns the function that answers the checks of `authorizer` in expressions. */
export function authorizeBy({ access }: Pick<ServerContext, "access">): Authorize {
  return (attributes) => decide(access, attributes);
}

function decide(
  { authorizer }: ServerContext["access"],
  attributes: AuthorizationAttributes,
): AuthorizationDecision {
  const { user: asked, verb } = attributes;
  const { username: name, uid, groups = [], extra } = asked;
  const user: User = { name, uid, groups, extra };
  const { allowed, reason } = authorizer.authorize(
    user,
    attributes.isResourceRequest
      ? attributesOf({ verb, group: attributes.apiGroup, ...placeOf(attributes) })
      : attributesOf({ isResource: false, path: attributes.path, verb }),
  );
  return { decision: allowed ? "Allow" : "NoOpinion", reason };
}

function placeOf({
  resource,
  subresource,
  namespace,
  name,
}: Extract<AuthorizationAttributes, { isResourceRequest: true }>) {
  return { resource, subresource, namespace, name };
}
