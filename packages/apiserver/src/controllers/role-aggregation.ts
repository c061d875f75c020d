import { rbacStorage } from "../access/rbac/bound-rules.js";
import type { ApiObject } from "../objects/api-object.js";
import { isJsonObject, jsonEqual } from "../objects/json-value.js";
import { mapOf } from "../objects/parts.js";
import { selects } from "../objects/selects.js";
import type { Store } from "../store/store.js";
import type { Controller } from "./runtime/controller.js";
import type { ControllerParts } from "./runtime/controller-parts.js";
import { createObjectWriter, type ObjectWriter } from "./runtime/object-writer.js";

/** Field manager of the rules of aggregated roles. */
const manager = "clusterrole-aggregation-controller";
const storage = rbacStorage.ClusterRole;

/** Maintains the rules of aggregated ClusterRoles: those of all roles that they select, in order of the role names. */
export function createRoleAggregation({ server }: ControllerParts): Controller {
  const writer = createObjectWriter(server, manager);
  const prepared = writer.prepare([storage]);
  return {
    name: "role-aggregation",
    follows: [storage],
    keysOf: () => aggregatedRoles(server.store),
    async reconcile(name) {
      await prepared;
      aggregate(writer, name);
      return undefined;
    },
  };
}

/** Yields the names of all aggregated roles: any of them may select a role that changed. */
function* aggregatedRoles(store: Store): Iterable<string> {
  for (const [key, role] of store.collection(storage).entries("")) {
    if (isJsonObject(role["aggregationRule"])) {
      yield key;
    }
  }
}

function aggregate(writer: ObjectWriter, name: string): void {
  const role = writer.get(storage, "", name);
  if (role === undefined || !isJsonObject(role["aggregationRule"])) {
    return;
  }
  const rules = aggregatedRules(role, writer.list(storage, ""));
  if (!jsonEqual(rules, role["rules"] ?? [])) {
    const { apiVersion, kind } = role;
    writer.apply(storage, { apiVersion, kind, metadata: { name }, rules });
  }
}

/** Returns the rules of the roles that an aggregated role selects, without duplicates. */
export function aggregatedRules(role: ApiObject, all: readonly ApiObject[]): unknown[] {
  const { clusterRoleSelectors } = mapOf(role["aggregationRule"]);
  const rules: unknown[] = [];
  for (const selector of Array.isArray(clusterRoleSelectors) ? clusterRoleSelectors : []) {
    for (const one of all) {
      const isPart = one.metadata.name !== role.metadata.name && selects(selector, one);
      for (const rule of isPart && Array.isArray(one["rules"]) ? one["rules"] : []) {
        if (!rules.some((known) => jsonEqual(known, rule))) {
          rules.push(rule);
        }
      }
    }
  }
  return rules;
}
