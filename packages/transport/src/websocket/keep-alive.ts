import { KubeError } from "@typekube/core";
import { type Clock, monotonicNow } from "@typekube/core/internal";
import type { WebSocketConnection } from "./connection.js";

/** Rhythm of a connection's pings. */
export interface KeepAlive {
  readonly clock: Clock;
  /** Milliseconds between two pings. */
  readonly pingMs: number;
  /** Milliseconds without a byte from the peer after which the connection counts as lost. */
  readonly silentMs: number;
}

/**
 * Sends pings, so that load balancers keep a quiet connection, and cuts one whose peer is silent: it may be half open.
 * While our own reader is slow, the peer's bytes wait in the socket, so that time does not count.
 */
export function keepAlive(
  connection: WebSocketConnection,
  { clock, pingMs, silentMs }: KeepAlive,
): void {
  let heardAt = monotonicNow(clock);
  let heardBytes = connection.receivedBytes;
  let cancel = () => {};
  let dueAt = heardAt + pingMs;
  const beat = () => {
    const now = monotonicNow(clock);
    // While this process was stopped or busy, nothing could be received.
    heardAt += Math.max(0, now - dueAt);
    dueAt = now + pingMs;
    if (connection.receivedBytes !== heardBytes || connection.isPaused) {
      heardBytes = connection.receivedBytes;
      heardAt = now;
    }
    if (now - heardAt >= silentMs) {
      const message = `the connection is lost: nothing was received for ${now - heardAt} ms`;
      connection.destroy(new KubeError("Timeout", message));
      return;
    }
    void connection.ping();
    cancel = clock.schedule(pingMs, beat, true);
  };
  cancel = clock.schedule(pingMs, beat, true);
  connection.closed.addEventListener("abort", () => cancel(), { once: true });
}
