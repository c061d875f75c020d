import type { WebSocketConnection } from "./websocket/connection.js";

/** Timing of a session's first output, in real milliseconds. */
export interface SessionStart {
  /** Wait after the client's pong, for clients that register their streams while they already read. Default 50. */
  readonly settleMs: number;
  /** Longest wait for the pong; clients that never send one get their output then. Default 1,000. */
  readonly pongWithinMs: number;
  /** Waits, in real milliseconds. */
  readonly sleep: (ms: number) => Promise<void>;
}

export const sessionStart: SessionStart = {
  settleMs: 50,
  pongWithinMs: 1_000,
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms).unref()),
};

/**
 * Resolves once the client can take output.
 *
 * Channels are registered by the client alone, with no message to the server, and kubectl discards what arrives for a
 * channel it has not registered yet. On a cluster the start of a process gives it the time. Here the proof is the first
 * message on stdin, which kubectl sends only after it registered all channels, or else a pong and `settleMs` more.
 *
 * @param firstInput - resolves with the client's first message of the session.
 */
export async function clientReady(
  connection: WebSocketConnection,
  firstInput: Promise<void>,
  { settleMs, pongWithinMs, sleep }: SessionStart,
): Promise<void> {
  const pong = connection.ping().then(() => sleep(settleMs));
  await Promise.race([firstInput, pong, sleep(pongWithinMs)]);
}
