import type { WebSocketConnection } from "../pod-streams/websocket/connection.js";
import type { HandshakeRefusal } from "../pod-streams/websocket/handshake.js";

/** A connection that the client wants to upgrade. */
export interface Upgrade {
  /** Subprotocols offered by the client, in order of preference. */
  readonly protocols: readonly string[];
  /** Handshake error to send once the request itself is valid; absent for a valid handshake. */
  readonly refusal?: HandshakeRefusal | undefined;
  /** Responds with 101 and returns the connection; `undefined` selects no subprotocol. */
  accept(protocol: string | undefined): WebSocketConnection;
}
