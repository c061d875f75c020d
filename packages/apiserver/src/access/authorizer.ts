import type { AccessAttributes } from "./access-attributes.js";
import type { PolicyRule } from "./rbac/policy-rule.js";
import type { User } from "./user.js";

/** Whether something is allowed, and by what. */
export interface Decision {
  readonly allowed: boolean;
  /** Empty where there is nothing to say. */
  readonly reason: string;
}

/** Decides who may do what. */
export interface Authorizer {
  authorize(user: User, what: AccessAttributes): Decision;
  /** Everything that a user may do in a namespace, in the order in which it was granted. */
  rulesOf(user: User, namespace: string): readonly PolicyRule[];
}

/** Everybody may do everything. */
export const alwaysAllow: Authorizer = {
  authorize: () => ({ allowed: true, reason: "" }),
  rulesOf: () => [
    { verbs: ["*"], apiGroups: ["*"], resources: ["*"], resourceNames: [], nonResourceURLs: [] },
    { verbs: ["*"], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: ["*"] },
  ],
};
