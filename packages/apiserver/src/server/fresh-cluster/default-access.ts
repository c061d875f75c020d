import { aggregatedRules } from "../../controllers/role-aggregation.js";
import type { FreshCollection, FreshObject } from "./fresh-object.js";

/** Aggregated roles, each after the roles that it selects. */
const aggregated = ["view", "edit", "admin"];

/**
 * Adds the rules to aggregated roles that controllers fill in on a cluster; a bare kube-apiserver has none. They are
 * computed once per process.
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
