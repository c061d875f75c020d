import type { WebSocketConnection } from "@typekube/transport/internal";

/** Timing of a session's first output, in real milliseconds. */
export interface SessionStart {
  /** Wait after the client's pong, for clients that still register streams while they already read. Default 50. */
  readonly settleMs: number;
  /** Longest wait for the pong; afterwards output is sent without it. Default 1,000. */
  readonly pongWithinMs: number;
  /** Waits for real milliseconds. */
  readonly sleep: (ms: number) => Promise<void>;
}

export const sessionStart: SessionStart = {
  settleMs: 50,
  pongWithinMs: 1_000,
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms).unref()),
};

/**
 * Resolves once the client can receive output.
 *
 * Clients register channels locally without informing the server, and kubectl discards messages for a channel that it
 * has not registered yet. On a cluster, starting the process leaves enough time. Here we wait for the first message on
 * stdin, which kubectl sends only after registering all channels, or for a pong and `settleMs` more.
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
