/** The talk with a proxy that makes a tunnel. */
export interface ProxyHandshake {
  /** What is said first. */
  readonly hello: Uint8Array;
  /**
   * Looks at what the proxy said and nobody has understood yet.
   *
   * @returns what was understood and what to say to it, or `undefined` when more bytes are needed.
   * @throws {KubeError} `NetworkError` when the proxy refuses.
   */
  response(received: Buffer): ProxyStep | undefined;
}

/** One step of the talk. */
export interface ProxyStep {
  /** Bytes that were understood; none may stand behind a tunnel's last step. */
  readonly used: number;
  readonly say?: Uint8Array;
  /** The tunnel stands. */
  readonly isOpen?: boolean;
}
