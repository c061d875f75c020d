import type { WebSocketConnection } from "@typekube/transport/internal";

/** A connection that the client wants to upgrade. */
export interface Upgrade {
  /** Subprotocols offered by the client, in order of preference. */
  readonly protocols: readonly string[];
  /** Handshake error to send once the request itself is valid; absent for a valid handshake. */
  readonly refusal?: HandshakeRefusal | undefined;
  /** Responds with 101 and returns the connection; `undefined` selects no subprotocol. */
  accept(protocol: string | undefined): WebSocketConnection;
}

/** The response to a faulty handshake. */
export interface HandshakeRefusal {
  readonly status: 400 | 403;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}
