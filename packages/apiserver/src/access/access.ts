import type { Clock, Random } from "@typekube/core/internal";
import { objectKey, type Store } from "../store/store.js";
import { type Authorizer, alwaysAllow } from "./authorizer.js";
import { createRbacAuthorizer } from "./rbac/rbac-authorizer.js";
import { createServiceAccountTokens, type ServiceAccountTokens } from "./service-account-tokens.js";
import { createUserBook, type UserBook, type UserOptions } from "./user-book.js";

/** Who may use a server, and for what. */
export interface AccessOptions {
  /** The users that it knows besides whoever holds the token of a listener. Default none. */
  readonly users?: readonly UserOptions[] | undefined;
  /**
   * `"RBAC"` asks the roles and bindings in the store, and puts those that every cluster has there at the start.
   * Default `"AlwaysAllow"`: everybody whom the server lets in may do everything.
   */
  readonly authorization?: "AlwaysAllow" | "RBAC" | undefined;
}

/** What one server knows of users and rights. */
export interface Access {
  readonly users: UserBook;
  readonly authorizer: Authorizer;
  readonly tokens: ServiceAccountTokens;
  /** Whether anything can be refused for want of rights. */
  readonly checksRights: boolean;
}

/** Creates it. */
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
