import type { Discovery } from "../discovery/discovery.js";
import type { NegotiatingContext } from "../negotiation/negotiated-call.js";
import type { ServerRelease } from "../server/server-release.js";

/** State shared by all clients of one connection. */
export interface ClientContext extends NegotiatingContext {
  /** Address of the server, for messages. */
  readonly server: string;
  /** Namespace of the current context. */
  readonly namespace: string;
  readonly discovery: Discovery;
  readonly release: ServerRelease;
  /** Aborted when one of the clients is closed. No requests can be sent afterwards. */
  readonly lifetime: AbortController;
}
