import { failure, qualified, type StatusError } from "../errors/status-errors.js";
import type { User } from "../objects/user.js";
import type { AccessAttributes } from "./access-attributes.js";

/** Returns a 401 that does not reveal the reason. */
export function unauthorized(): StatusError {
  return failure(401, "Unauthorized", "Unauthorized");
}

/**
 * Returns a 403 with the message of real servers.
 *
 * @param reason - the authorizer's reason; may be empty.
 */
export function accessDenied(user: User, what: AccessAttributes, reason: string): StatusError {
  const more = reason === "" ? "" : `: ${reason}`;
  const who = `User ${JSON.stringify(user.name)} cannot ${what.verb}`;
  if (!what.isResource) {
    return failure(
      403,
      "Forbidden",
      `forbidden: ${who} path ${JSON.stringify(what.path)}${more}`,
      {},
    );
  }
  const { group, resource, subresource, namespace, name } = what;
  const full = subresource === "" ? resource : `${resource}/${subresource}`;
  const place =
    namespace === "" ? "at the cluster scope" : `in the namespace ${JSON.stringify(namespace)}`;
  const why = `${who} resource ${JSON.stringify(full)} in API group ${JSON.stringify(group)} ${place}${more}`;
  const subject = `${qualified(group, resource)}${name === "" ? "" : ` ${JSON.stringify(name)}`}`;
  return failure(403, "Forbidden", `${subject} is forbidden: ${why}`, {
    ...(name === "" ? {} : { name }),
    ...(group === "" ? {} : { group }),
    kind: resource,
  });
}
