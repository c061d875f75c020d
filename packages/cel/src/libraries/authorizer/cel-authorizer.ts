import { CelFailure } from "../../values/cel-failure.js";
import { type CelType, structType } from "../../values/cel-type.js";
import type { AuthorizationAttributes, Authorize, AuthorizerUser } from "./authorize.js";
import { CelDecision } from "./cel-decision.js";
import { ReceiverValue } from "./receiver-value.js";

/** Type of the variable `authorizer`. */
export const authorizerType: CelType<CelAuthorizer> = structType(
  "kubernetes.authorization.Authorizer",
);
/** Type of `authorizer.path(p)`. */
export const pathCheckType: CelType<CelPathCheck> = structType(
  "kubernetes.authorization.PathCheck",
);
/** Type of `authorizer.group(g)`. */
export const groupCheckType: CelType<CelGroupCheck> = structType(
  "kubernetes.authorization.GroupCheck",
);

/** Value of the variable `authorizer`: checks what a user may do. */
export class CelAuthorizer extends ReceiverValue {
  override readonly type: CelType<CelAuthorizer> = authorizerType;
  readonly user: AuthorizerUser;
  readonly #authorize: Authorize;

  /**
   * @param user - The user of the request.
   * @param authorize - Decides; called once for each `check`. What it throws becomes an error of the expression.
   */
  constructor(user: AuthorizerUser, authorize: Authorize) {
    super();
    this.user = user;
    this.#authorize = authorize;
  }

  /** Returns an authorizer for a service account. */
  serviceAccount(namespace: string, name: string): CelAuthorizer {
    const user = {
      username: `system:serviceaccount:${namespace}:${name}`,
      groups: ["system:serviceaccounts", `system:serviceaccounts:${namespace}`],
    };
    return new CelAuthorizer(user, this.#authorize);
  }

  check(attributes: AuthorizationAttributes): CelDecision | CelFailure {
    try {
      return new CelDecision(this.#authorize(attributes));
    } catch (error) {
      return new CelFailure(error instanceof Error ? error.message : String(error), error);
    }
  }
}

/** A path whose checks are to be made. */
export class CelPathCheck extends ReceiverValue {
  override readonly type: CelType<CelPathCheck> = pathCheckType;
  readonly #authorizer: CelAuthorizer;
  readonly #path: string;

  constructor(authorizer: CelAuthorizer, path: string) {
    super();
    this.#authorizer = authorizer;
    this.#path = path;
  }

  check(verb: string): CelDecision | CelFailure {
    const { user } = this.#authorizer;
    return this.#authorizer.check({ isResourceRequest: false, user, verb, path: this.#path });
  }
}

/** An API group whose resources are to be checked. */
export class CelGroupCheck extends ReceiverValue {
  override readonly type: CelType<CelGroupCheck> = groupCheckType;
  readonly authorizer: CelAuthorizer;
  readonly group: string;

  constructor(authorizer: CelAuthorizer, group: string) {
    super();
    this.authorizer = authorizer;
    this.group = group;
  }
}
