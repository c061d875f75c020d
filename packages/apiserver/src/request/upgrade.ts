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

/** The server's side of a WebSocket. */
export interface WebSocketConnection {
  /** The selected subprotocol; empty when none was selected. */
  readonly protocol: string;
  /** Aborted when the connection is closed by either side. */
  readonly closed: AbortSignal;
  /**
   * Iterates over the client's messages until the connection closes; can be read once. Pings are answered unless several
   * messages wait to be read.
   */
  messages(): AsyncGenerator<Message, void, undefined>;
  /** Sends a message, binary by default; waits while the client is slow. Does nothing once the connection is closed. */
  send(bytes: Uint8Array, kind?: "binary" | "text"): Promise<void>;
  /**
   * Sends a ping. Resolves with the next pong, which may have to wait until `messages` is read, or when the connection
   * closes.
   */
  ping(): Promise<void>;
  /** Sends a close frame and ends the connection; idempotent. */
  close(code?: number, reason?: string): void;
  /** Cuts the connection without a close frame. */
  destroy(): void;
}

/** A complete message of the peer. */
export interface Message {
  readonly kind: "binary" | "text";
  readonly bytes: Buffer;
}
