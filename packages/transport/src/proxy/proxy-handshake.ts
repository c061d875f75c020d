/** Handshake with a proxy that opens a tunnel. */
export interface ProxyHandshake {
  /** First bytes to send. */
  readonly hello: Uint8Array;
  /**
   * Processes the bytes from the proxy that no earlier step has used.
   *
   * @returns the bytes used and the bytes to send, or `undefined` when more bytes are needed.
   * @throws {KubeError} `NetworkError` when the proxy refuses.
   */
  response(received: Buffer): ProxyStep | undefined;
}

/** One step of the handshake. */
export interface ProxyStep {
  /** Bytes used; after the last step no bytes may be left. */
  readonly used: number;
  readonly say?: Uint8Array;
  /** `true` once the tunnel is open. */
  readonly isOpen?: boolean;
}
