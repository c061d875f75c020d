import type { WebSocketConnection } from "./websocket/connection.js";
import type { HandshakeRefusal } from "./websocket/handshake.js";

/** A connection that its client wants to be more than one request and one answer. */
export interface Upgrade {
  /** The subprotocols that the client speaks, preferred first. */
  readonly protocols: readonly string[];
  /** Why the handshake fails, once the request itself is found good; absent for a good one. */
  readonly refusal?: HandshakeRefusal | undefined;
  /** Responds with 101 and hands the connection over; `undefined` chooses no subprotocol. */
  accept(protocol: string | undefined): WebSocketConnection;
}
