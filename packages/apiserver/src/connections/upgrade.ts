import type { WebSocketConnection } from "./websocket/connection.js";

/** A connection that its client wants to be more than one request and one answer. */
export interface Upgrade {
  /** The subprotocols that the client speaks, preferred first. */
  readonly protocols: readonly string[];
  /** Answers 101 and hands the connection over. */
  accept(protocol: string): WebSocketConnection;
}
