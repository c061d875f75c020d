import { aggregatedRules } from "../controllers/role-aggregation.js";
import type { FreshCollection, FreshObject } from "./fresh-object.js";

/** Aggregated roles, each after those that it selects. */
const aggregated = ["view", "edit", "admin"];

/**
 * Gives aggregated roles the rules that a cluster's controllers fill in; a bare kube-apiserver shows none. They are
 * computed once in a process.
 */
export function withAggregatedRules(
  collections: readonly FreshCollection[],
): readonly FreshCollection[] {
  return collections.map((one) =>
    one.kind === "ClusterRole" ? { ...one, objects: () => completeRoles(one) } : one,
  );
}

let complete: readonly FreshObject[] | undefined;

function completeRoles({ objects }: FreshCollection): readonly FreshObject[] {
  complete ??= aggregated.reduce(
    (roles, name) =>
      roles.map((role) =>
        role.metadata.name === name ? { ...role, rules: aggregatedRules(role, roles) } : role,
      ),
    objects(),
  );
  return complete;
}
