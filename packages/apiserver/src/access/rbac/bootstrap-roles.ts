import { randomUid } from "../../control/random.js";
import { type ServerContext, timestamp } from "../../server-context.js";
import { rbacStorage } from "./bound-rules.js";
import { defaultBindings, defaultRoles } from "./default-roles.js";

const apiGroup = "rbac.authorization.k8s.io";
const apiVersion = `${apiGroup}/v1`;
const aggregation = (name: string): string => `rbac.authorization.k8s.io/aggregate-to-${name}`;

/** Puts the roles and bindings of every cluster into the store. */
export function bootstrapRoles(server: Pick<ServerContext, "clock" | "random" | "store">): void {
  const metadata = (name: string, labels: Readonly<Record<string, string>> = {}) => ({
    name,
    uid: randomUid(server.random),
    creationTimestamp: timestamp(server.clock),
    labels: { "kubernetes.io/bootstrapping": "rbac-defaults", ...labels },
    annotations: { "rbac.authorization.kubernetes.io/autoupdate": "true" },
  });
  for (const { name, joins = [], aggregates, rules } of defaultRoles) {
    const labels = Object.fromEntries(joins.map((role) => [aggregation(role), "true"]));
    const selector = aggregates && { matchLabels: { [aggregation(aggregates)]: "true" } };
    server.store.put(rbacStorage.ClusterRole, name, {
      kind: "ClusterRole",
      apiVersion,
      metadata: metadata(name, labels),
      rules: [...rules],
      ...(selector ? { aggregationRule: { clusterRoleSelectors: [selector] } } : {}),
    });
  }
  for (const [name, groups] of defaultBindings) {
    server.store.put(rbacStorage.ClusterRoleBinding, name, {
      kind: "ClusterRoleBinding",
      apiVersion,
      metadata: metadata(name),
      subjects: groups.map((group) => ({ kind: "Group", apiGroup, name: group })),
      roleRef: { apiGroup, kind: "ClusterRole", name },
    });
  }
}
