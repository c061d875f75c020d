import { wellKnown } from "../../objects/user.js";
import type { Store } from "../../store/store.js";
import type { Authorizer } from "../authorizer.js";
import { boundRules } from "./bound-rules.js";
import { ruleAllows } from "./policy-rule.js";

/** Creates an authorizer that reads the roles and bindings currently in the store. `system:masters` may do everything. */
export function createRbacAuthorizer(store: Store): Authorizer {
  return {
    authorize(user, what) {
      if (user.groups.includes(wellKnown.masters)) {
        return { allowed: true, reason: "" };
      }
      const { rules, problems } = boundRules(store, user, what.isResource ? what.namespace : "");
      const allowing = rules.find(({ rule }) => ruleAllows(rule, what));
      if (allowing !== undefined) {
        return { allowed: true, reason: `RBAC: allowed by ${allowing.source}` };
      }
      return {
        allowed: false,
        reason: problems.length === 0 ? "" : `rbac: RBAC: ${listOf(problems)}`,
      };
    },
    rulesOf: (user, namespace) => boundRules(store, user, namespace).rules.map(({ rule }) => rule),
  };
}

function listOf(problems: readonly string[]): string {
  const [first = "", ...more] = [...new Set(problems)];
  return more.length === 0 ? first : `[${[first, ...more].join(", ")}]`;
}
