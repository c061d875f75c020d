import { attached, type HttpSend } from "@typekube/core/internal";
import type { ServerContext } from "../context/server-context.js";
import type { User } from "../objects/user.js";

/** The inner parts of a server, for the tools for tests in this package. */
export interface ServerParts {
  readonly context: ServerContext;
  /** Returns a transport without sockets for requests of a user. */
  sendAs(user: User): HttpSend;
}

const parts = attached<ServerParts>();

/** Records the parts of a server. */
export function setServerParts(api: object, its: ServerParts): void {
  parts.set(api, its);
}

/** Returns the parts of a server. */
export function serverParts(api: object): ServerParts {
  return parts.get(api) as ServerParts;
}
