import type { User } from "../objects/user.js";
import type { AccessAttributes } from "./access-attributes.js";
import type { PolicyRule } from "./rbac/policy-rule.js";

/** An authorization decision and its reason. */
export interface Decision {
  readonly allowed: boolean;
  /** Empty when the authorizer has no reason to report. */
  readonly reason: string;
}

/** Decides which requests a user may make. */
export interface Authorizer {
  authorize(user: User, what: AccessAttributes): Decision;
  /** Returns all rules of a user in a namespace, in the order in which they were granted. */
  rulesOf(user: User, namespace: string): readonly PolicyRule[];
}

/** Allows everything. */
export const alwaysAllow: Authorizer = {
  authorize: () => ({ allowed: true, reason: "" }),
  rulesOf: () => [
    { verbs: ["*"], apiGroups: ["*"], resources: ["*"], resourceNames: [], nonResourceURLs: [] },
    { verbs: ["*"], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: ["*"] },
  ],
};
