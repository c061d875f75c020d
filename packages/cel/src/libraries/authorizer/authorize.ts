import type { FieldRequirement, LabelRequirement } from "@typekube/core/internal/texts";

/** Decides about one request of a user. Evaluation is synchronous, so the decision must be, too. */
export type Authorize = (attributes: AuthorizationAttributes) => AuthorizationDecision;

/** The user for whom a check is made. */
export interface AuthorizerUser {
  readonly username: string;
  readonly uid?: string | undefined;
  readonly groups?: readonly string[] | undefined;
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** The question of a check: about an API resource or about a path. */
export type AuthorizationAttributes = ResourceAttributes | PathAttributes;

/** The question of `authorizer.group(g).resource(r).check(verb)`. */
export interface ResourceAttributes extends ResourceOfRequest {
  readonly isResourceRequest: true;
  readonly user: AuthorizerUser;
  readonly verb: string;
  /** Any version: expressions do not name one. */
  readonly apiVersion: "*";
  /** Selector of `fieldSelector(text)`; `undefined` if the expression has none. */
  readonly fieldSelector: CheckedSelector<FieldRequirement> | undefined;
  /** Selector of `labelSelector(text)`; `undefined` if the expression has none. */
  readonly labelSelector: CheckedSelector<LabelRequirement> | undefined;
}

/** The resource that a check names; empty texts are unset. */
export interface ResourceOfRequest {
  readonly apiGroup: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

/** The question of `authorizer.path(p).check(verb)`. */
export interface PathAttributes {
  readonly isResourceRequest: false;
  readonly user: AuthorizerUser;
  readonly verb: string;
  readonly path: string;
}

/** The requirements of a selector, or why it could not be read: the check is made all the same. */
export type CheckedSelector<R> =
  | { readonly requirements: readonly R[] }
  | { readonly error: string };

/** The outcome of a check. */
export interface AuthorizationDecision {
  /** `allowed()` is true for "Allow" only. */
  readonly decision: "Allow" | "Deny" | "NoOpinion";
  /** Text of `reason()`; empty by default. */
  readonly reason?: string | undefined;
  /** Text of `error()`; `errored()` is true if it is set. */
  readonly error?: string | undefined;
}
