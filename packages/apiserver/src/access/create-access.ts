import type { Clock, Random } from "@typekube/core/internal";
import { objectKey, type Store } from "../store/store.js";
import { type Authorizer, alwaysAllow } from "./authorizer.js";
import { createRbacAuthorizer } from "./rbac/rbac-authorizer.js";
import { createServiceAccountTokens, type ServiceAccountTokens } from "./service-account-tokens.js";
import { createUserBook, type UserBook, type UserOptions } from "./user-book.js";

/** Options for authentication and authorization. */
export interface AccessOptions {
  /** Users known to the server, in addition to the holder of a listener's token. Default none. */
  readonly users?: readonly UserOptions[] | undefined;
  /**
   * `"RBAC"` evaluates the roles and bindings in the store, and creates the default roles and bindings of every cluster
   * at the start. Default `"AlwaysAllow"`: every authenticated request may do everything.
   */
  readonly authorization?: "AlwaysAllow" | "RBAC" | undefined;
}

/** Users, tokens and authorizer of one server. */
export interface Access {
  readonly users: UserBook;
  readonly authorizer: Authorizer;
  readonly tokens: ServiceAccountTokens;
  /** `true` when requests can be denied for missing permissions. */
  readonly checksRights: boolean;
}

/** Creates the users, tokens and authorizer of a server. */
export function createAccess(
  { users = [], authorization = "AlwaysAllow" }: AccessOptions,
  server: { readonly clock: Clock; readonly random: Random; readonly store: Store },
): Access {
  const checksRights = authorization === "RBAC";
  return {
    checksRights,
    users: createUserBook(users),
    authorizer: checksRights ? createRbacAuthorizer(server.store) : alwaysAllow,
    tokens: createServiceAccountTokens(
      server.clock,
      server.random,
      (plural, namespace, name) =>
        server.store.collection(plural).get(objectKey(namespace, name))?.metadata.uid,
    ),
  };
}
