import type { ApiObject } from "../../objects/api-object.js";
import { getPath, isJsonObject, type JsonObject, stringsOf } from "../../objects/json-value.js";
import { serviceAccountOf, type User } from "../../objects/user.js";
import { objectKey, type Store } from "../../store/store.js";
import { type PolicyRule, readRules } from "./policy-rule.js";

const group = "rbac.authorization.k8s.io";

/** Storage names of roles and bindings. */
export const rbacStorage: Readonly<
  Record<"ClusterRole" | "ClusterRoleBinding" | "Role" | "RoleBinding", string>
> = {
  Role: `roles.${group}`,
  ClusterRole: `clusterroles.${group}`,
  RoleBinding: `rolebindings.${group}`,
  ClusterRoleBinding: `clusterrolebindings.${group}`,
};

/** A rule and the binding that grants it. */
export interface BoundRule {
  readonly rule: PolicyRule;
  /** Such as `ClusterRoleBinding "view-all" of ClusterRole "view" to Group "dev"`. */
  readonly source: string;
}

/** The rules bound to a user, and problems found in the bindings. */
export interface BoundRules {
  readonly rules: readonly BoundRule[];
  readonly problems: readonly string[];
}

/** Returns the rules bound to a user cluster-wide and, if a namespace is given, in that namespace. */
export function boundRules(store: Store, user: User, namespace: string): BoundRules {
  const rules: BoundRule[] = [];
  const problems: string[] = [];
  const take = (binding: ApiObject, kind: "ClusterRoleBinding" | "RoleBinding") => {
    const subject = subjectsOf(binding).find((one) =>
      isUser(one, user, binding.metadata.namespace),
    );
    if (subject === undefined) {
      return;
    }
    const { name = "", namespace: place = "" } = binding.metadata;
    const role = String(getPath(binding, "roleRef", "name") ?? "");
    const roleKind = String(getPath(binding, "roleRef", "kind") ?? "");
    const found = rulesOfRole(store, roleKind, place, role);
    if (found === undefined) {
      problems.push(`${roleKind.toLowerCase()}.${group} ${JSON.stringify(role)} not found`);
      return;
    }
    const full = place === "" ? name : `${name}/${place}`;
    const source = `${kind} ${JSON.stringify(full)} of ${roleKind} ${JSON.stringify(role)} to ${describe(subject, place)}`;
    rules.push(...found.map((rule) => ({ rule, source })));
  };
  for (const [, binding] of store.collection(rbacStorage.ClusterRoleBinding).entries("")) {
    take(binding, "ClusterRoleBinding");
  }
  if (namespace !== "") {
    for (const [, binding] of store.collection(rbacStorage.RoleBinding).entries(`${namespace}/`)) {
      take(binding, "RoleBinding");
    }
  }
  return { rules, problems };
}

/** Returns the rules of a role. An aggregated role has the rules of all roles that it selects. */
export function rulesOfRole(
  store: Store,
  kind: string,
  namespace: string,
  name: string,
): readonly PolicyRule[] | undefined {
  if (kind === "Role") {
    const role = store.collection(rbacStorage.Role).get(objectKey(namespace, name));
    return role && readRules(role["rules"]);
  }
  const roles = store.collection(rbacStorage.ClusterRole);
  const role = roles.get(name);
  return (
    role &&
    clusterRules(
      roles.entries("").map(([, one]) => one),
      role,
      new Set(),
    )
  );
}

function clusterRules(
  all: readonly ApiObject[],
  role: ApiObject,
  seen: Set<ApiObject>,
): readonly PolicyRule[] {
  const selectors = getPath(role, "aggregationRule", "clusterRoleSelectors");
  if (!Array.isArray(selectors)) {
    return readRules(role["rules"]);
  }
  // Roles may select each other; `seen` prevents endless recursion.
  seen.add(role);
  return all
    .filter((one) => !seen.has(one) && selectors.some((selector) => selects(selector, one)))
    .flatMap((one) => clusterRules(all, one, seen));
}

function selects(selector: unknown, { metadata }: ApiObject): boolean {
  const labels: Readonly<Record<string, string>> = metadata.labels ?? {};
  const wanted = getPath(selector, "matchLabels");
  const expressions = getPath(selector, "matchExpressions");
  return (
    Object.entries(isJsonObject(wanted) ? wanted : {}).every(
      ([key, value]) => labels[key] === value,
    ) &&
    (Array.isArray(expressions) ? expressions : []).every((one) => expressionHolds(one, labels))
  );
}

function expressionHolds(expression: unknown, labels: Readonly<Record<string, string>>): boolean {
  const label = labels[String(getPath(expression, "key"))];
  const values = stringsOf(getPath(expression, "values"));
  switch (getPath(expression, "operator")) {
    case "In":
      return label !== undefined && values.includes(label);
    case "NotIn":
      return label === undefined || !values.includes(label);
    case "Exists":
      return label !== undefined;
    default:
      return label === undefined;
  }
}

function subjectsOf(binding: ApiObject): JsonObject[] {
  const { subjects } = binding;
  return Array.isArray(subjects) ? subjects.filter(isJsonObject) : [];
}

function isUser(subject: JsonObject, user: User, place = ""): boolean {
  const { kind, name, namespace } = subject;
  switch (kind) {
    case "User":
      return user.name === name;
    case "Group":
      return user.groups.includes(String(name));
    default: {
      const account = serviceAccountOf(user.name);
      return account?.name === name && account?.namespace === (namespace ?? place);
    }
  }
}

function describe({ kind, name, namespace }: JsonObject, place: string): string {
  const full = kind === "ServiceAccount" ? `${name}/${namespace ?? place}` : String(name);
  return `${kind} ${JSON.stringify(full)}`;
}
