import { aggregatedRules } from "../controllers/role-aggregation.js";
import type { FreshObject } from "./fresh-object.js";
import { accessObjects } from "./generated/access.js";

/** Aggregated roles, each after those that it selects. */
const aggregated = ["view", "edit", "admin"];

let complete: readonly FreshObject[] | undefined;

/**
 * Returns the default roles and bindings. Aggregated roles have their rules, which a cluster's controllers fill in: a
 * bare kube-apiserver shows none.
 */
export function defaultAccess(): readonly FreshObject[] {
  complete ??= withAggregatedRules(accessObjects);
  return complete;
}

function withAggregatedRules(objects: readonly FreshObject[]): readonly FreshObject[] {
  let roles = objects.filter(({ kind }) => kind === "ClusterRole");
  for (const name of aggregated) {
    roles = roles.map((role) =>
      role.metadata.name === name ? { ...role, rules: aggregatedRules(role, roles) } : role,
    );
  }
  return [...roles, ...objects.filter(({ kind }) => kind !== "ClusterRole")];
}
