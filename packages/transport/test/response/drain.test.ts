import type { Interceptor } from "@typekube/core/internal";
import { bytesOf, deferred, get } from "@typekube/test-support/calls";
import { type ManualClock, manualClock } from "@typekube/test-support/manual-clock";
import { describe, expect, test } from "vitest";
import { authenticate, retry } from "../../src/internal.js";
import { drainMs } from "../../src/response/drain.js";
import { withTlsFiles } from "../../src/tls/tls-files.js";

describe("a response whose body never arrives", () => {
  /** A body that stays silent, and a promise that resolves when it is cancelled. */
  function silence() {
    const left = deferred();
    const body: AsyncIterable<Uint8Array> = {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise(() => {}),
        async return() {
          left.resolve();
          return { done: true, value: undefined };
        },
      }),
    };
    return { body, left: left.promise };
  }

  /** Interceptors that drain a response, by the first status. */
  const readers: Record<string, (clock: ManualClock) => Interceptor> = {
    "429": (clock) => retry({ maxRetries: 1, timeoutMs: 60_000, clock, random: () => 0 }),
    "401": (clock) =>
      authenticate({ headers: async () => ({}), refresh: async () => true }, { clock }),
    "401 and other files": (clock) => {
      const followed = { current: () => ({}), recheck: async () => true };
      return withTlsFiles(followed, () => {}, { clock });
    },
  };

  test.each(Object.entries(readers))("%s: is cancelled after a second", async (name, reader) => {
    const clock = manualClock();
    const { body, left } = silence();
    let sent = 0;
    const headers = { "retry-after": "0" };
    const send = reader(clock)(async () => {
      sent += 1;
      return sent === 1
        ? { status: Number.parseInt(name, 10), headers, body }
        : { status: 200, headers: {}, body: bytesOf() };
    });
    const response = send(get());
    await expect.poll(() => clock.pending).toBe(1);
    clock.advance(drainMs - 1);
    expect(sent).toBe(1);
    clock.advance(1);
    expect((await response).status).toBe(200);
    await left;
    expect(clock.pending).toBe(0);
  });
});
