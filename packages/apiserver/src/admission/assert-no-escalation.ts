import { attributesOf } from "../access/access-attributes.js";
import type { Access } from "../access/create-access.js";
import { rulesOfRole } from "../access/rbac/bound-rules.js";
import { type PolicyRule, readRules } from "../access/rbac/policy-rule.js";
import { uncovered } from "../access/rbac/uncovered.js";
import type { Write } from "../context/write.js";
import { forbidden, notFound, type StatusError } from "../errors/status-errors.js";
import type { ApiObject } from "../objects/api-object.js";
import { getPath, isJsonObject, jsonEqual } from "../objects/json-value.js";
import { type User, wellKnown } from "../objects/user.js";

const everything: readonly PolicyRule[] = [
  { verbs: ["*"], apiGroups: ["*"], resources: ["*"], resourceNames: [], nonResourceURLs: [] },
  { verbs: ["*"], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: ["*"] },
];

/**
 * Prevents privilege escalation: a user can't grant permissions they lack, neither through a role (unless they may
 * `escalate` it) nor through a binding (unless they may `bind` the role).
 *
 * @throws {StatusError} 403 with the missing permissions; 404 for a binding to a role that does not exist.
 */
export function assertNoEscalation(
  access: Access,
  { server, request }: Write,
  object: ApiObject,
  before: ApiObject | undefined,
): void {
  const { user, resource, namespace } = request;
  if (resource.group !== "rbac.authorization.k8s.io" || user === undefined) {
    return;
  }
  if (user.groups.includes(wellKnown.masters)) {
    return;
  }
  const name = object.metadata.name ?? "";
  const may = (verb: string, plural: string, of: string) =>
    access.authorizer.authorize(
      user,
      attributesOf({ verb, group: resource.group, resource: plural, namespace, name: of }),
    ).allowed;
  const held = access.authorizer.rulesOf(user, namespace);
  if (resource.plural === "roles" || resource.plural === "clusterroles") {
    const keys = ["rules", "aggregationRule"];
    const isSame = before && keys.every((key) => jsonEqual(before[key], object[key]));
    if (isSame || may("escalate", resource.plural, name)) {
      return;
    }
    if (isJsonObject(object["aggregationRule"]) && uncovered(everything, held).length > 0) {
      const why = "must have cluster-admin privileges to use the aggregationRule";
      throw forbidden(resource, name, why);
    }
    refuse(resource, name, user, uncovered(readRules(object["rules"]), held));
    return;
  }
  const keys = ["roleRef", "subjects"];
  const kind = String(getPath(object, "roleRef", "kind") ?? "");
  const role = String(getPath(object, "roleRef", "name") ?? "");
  const isSame = before && keys.every((key) => jsonEqual(before[key], object[key]));
  if (isSame || may("bind", kind === "Role" ? "roles" : "clusterroles", role)) {
    return;
  }
  const granted = rulesOfRole(server.store, kind, namespace, role);
  if (granted === undefined) {
    // Real servers name the binding's resource here, not the role's.
    throw notFound(resource, role);
  }
  refuse(resource, name, user, uncovered(granted, held));
}

function refuse(
  resource: Parameters<typeof forbidden>[0],
  name: string,
  { name: userName, groups }: User,
  missing: readonly string[],
): void {
  if (missing.length > 0) {
    throw notHeld(resource, name, userName, groups, missing);
  }
}

function notHeld(
  resource: Parameters<typeof forbidden>[0],
  name: string,
  userName: string,
  groups: readonly string[],
  missing: readonly string[],
): StatusError {
  const who = `user ${JSON.stringify(userName)} (groups=[${groups.map((group) => JSON.stringify(group)).join(" ")}])`;
  const why = `${who} is attempting to grant RBAC permissions not currently held:\n${missing.join("\n")}`;
  return forbidden(resource, name, why);
}
