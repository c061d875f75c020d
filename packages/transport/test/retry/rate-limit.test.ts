import { getEventListeners } from "node:events";
import { bytesOf, failure, get, text } from "@typekube/test-support/calls";
import { manualClock } from "@typekube/test-support/manual-clock";
import { httpServer } from "@typekube/test-support/servers";
import { describe, expect, test } from "vitest";
import { createTransport } from "../../src/index.js";
import { type RateLimiter, retry, tokenBucket } from "../../src/internal.js";

const never = () => new AbortController().signal;

/** Creates an interceptor stack of retry and limiter whose requests get a response at once; `sent` counts them. */
function limited(limiter: RateLimiter, clock = manualClock(), steps: number[] = []) {
  const stack = { sent: 0, clock };
  const send = retry({ maxRetries: 5, timeoutMs: 60_000, clock, limiter })(() => {
    stack.sent += 1;
    const status = steps.shift() ?? 200;
    return Promise.resolve({ status, headers: { "retry-after": "0" }, body: bytesOf("{}") });
  });
  return Object.assign(stack, { send });
}

/** Resolves when everything that needs no time has happened. */
const idle = () => new Promise((resolve) => setImmediate(resolve));

describe("a token bucket", () => {
  test("H38: sends a burst at once, then one request every 1/qps of a second, in order", async () => {
    const clock = manualClock();
    const bucket = tokenBucket({ qps: 5, burst: 3 }, clock);
    const gone: number[] = [];
    for (let i = 0; i < 6; i += 1) {
      const turn = bucket.take(never);
      if (turn !== undefined) {
        void turn.then(() => gone.push(i));
      } else {
        gone.push(i);
      }
    }
    expect(gone).toEqual([0, 1, 2]);
    for (const expected of [3, 4, 5]) {
      clock.advance(199);
      await idle();
      expect(gone).not.toContain(expected);
      clock.advance(1);
      await idle();
      expect(gone).toContain(expected);
    }
    clock.advance(60_000);
    expect([1, 2, 3, 4].map(() => bucket.take(never) === undefined)).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });

  test("setting the time of day neither adds nor removes tokens", () => {
    const clock = manualClock();
    const bucket = tokenBucket({ qps: 1, burst: 1 }, clock);
    expect(bucket.take(never)).toBeUndefined();
    clock.jump(3_600_000);
    expect(bucket.take(never)).toBeInstanceOf(Promise);
    expect(clock.pending).toBe(1);
  });

  test("H39: an abort ends the wait with its reason and takes no token", async () => {
    const clock = manualClock();
    const bucket = tokenBucket({ qps: 1, burst: 1 }, clock);
    void bucket.take(never);
    const controller = new AbortController();
    const turn = bucket.take(() => controller.signal);
    controller.abort("why");
    await expect(turn).rejects.toBe("why");
    clock.advance(1000);
    expect(bucket.take(never)).toBeUndefined();
  });

  test("an aborted wait leaves its place to those behind, and the rate is never exceeded", async () => {
    const clock = manualClock();
    const bucket = tokenBucket({ qps: 1, burst: 1 }, clock);
    const gone: string[] = [];
    const wait = (name: string, signal = never) =>
      bucket.take(signal)?.then(
        () => gone.push(name),
        () => {},
      );
    const leaving = new AbortController();
    expect(bucket.take(never)).toBeUndefined();
    for (let i = 0; i < 50; i += 1) {
      void wait("left", () => leaving.signal);
    }
    void wait("first");
    void wait("second");
    leaving.abort();
    void wait("third");
    void wait("fourth");
    for (const expected of [["first"], ["first", "second"], ["first", "second", "third"]]) {
      clock.advance(1000);
      await idle();
      expect(gone).toEqual(expected);
    }
    // After a pause of the program, all waiting requests that are due are sent, but no more than a burst is saved.
    clock.advance(60_000);
    await idle();
    expect(gone).toHaveLength(4);
    expect(bucket.take(never)).toBeUndefined();
    expect(bucket.take(never)).toBeInstanceOf(Promise);
    expect(getEventListeners(leaving.signal, "abort")).toHaveLength(0);
  });

  test("keeps a rate that does not divide a second for an hour", async () => {
    const clock = manualClock();
    const bucket = tokenBucket({ qps: 7, burst: 1 }, clock);
    let gone = 0;
    expect(bucket.take(never)).toBeUndefined();
    for (let i = 0; i < 30_000; i += 1) {
      void bucket.take(never)?.then(() => {
        gone += 1;
      });
    }
    clock.advance(3_600_000);
    await idle();
    // The last one may still be waiting.
    expect(7 * 3_600 - gone).toBeLessThanOrEqual(1);
    expect(gone).toBeLessThanOrEqual(7 * 3_600);
  });

  test("H38: uses client-go's defaults and rejects invalid values", async () => {
    const clock = manualClock();
    const bucket = tokenBucket({}, clock);
    const free = Array.from({ length: 11 }, () => bucket.take(never) === undefined);
    expect(free.filter(Boolean)).toHaveLength(10);
    clock.advance(200);
    for (const rateLimit of [{ qps: 0 }, { qps: Number.NaN }, { burst: 0 }]) {
      const error = await failure((async () => createTransport({ server: "h", rateLimit }))());
      expect(error.code).toBe("Config");
    }
  });
});

describe("H22: requests with a rate limit", () => {
  test("each attempt of a call takes a turn, the first attempt of a stream does not", async () => {
    let taken = 0;
    const limiter: RateLimiter = {
      take() {
        taken += 1;
        return undefined;
      },
    };
    const call = limited(limiter, manualClock(), [429, 200]);
    await call.send(get());
    expect([taken, call.sent]).toEqual([2, 2]);
    taken = 0;
    const stream = limited(limiter, manualClock(), [429, 200]);
    await stream.send(get({ mode: "stream" }));
    expect([taken, stream.sent]).toEqual([1, 2]);
  });

  test("H39: an abort while waiting for a turn rejects with the signal's reason, and nothing is sent", async () => {
    const clock = manualClock();
    const bucket = tokenBucket({ qps: 1, burst: 1 }, clock);
    void bucket.take(never);
    const stack = limited(bucket, clock);
    const controller = new AbortController();
    const call = stack.send(get({ signal: controller.signal }));
    controller.abort("why");
    await expect(call).rejects.toBe("why");
    expect(stack.sent).toBe(0);
    expect(clock.pending).toBe(0);
  });

  test("a call that times out before its turn names the rate limit", async () => {
    const clock = manualClock();
    const bucket = tokenBucket({ qps: 1, burst: 1 }, clock);
    void bucket.take(never);
    const stack = limited(bucket, clock);
    const call = failure(stack.send(get({ timeoutMs: 500 })));
    clock.advance(500);
    const error = await call;
    expect(error.code).toBe("DeadlineExceeded");
    expect(error.message).toContain("rate limit");
    expect(stack.sent).toBe(0);
  });
});

test("H38: no limit by default, or with a negative or infinite qps; uses a custom limiter", async () => {
  await using server = await httpServer((_request, response) => response.end("{}"));
  let taken = 0;
  const own: RateLimiter = {
    take: () => {
      taken += 1;
      return Promise.resolve();
    },
  };
  for (const [rateLimit, expected] of [
    [undefined, 0],
    [{ qps: -1 }, 0],
    [{ qps: Number.POSITIVE_INFINITY, burst: 1 }, 0],
    [own, 12],
  ] as const) {
    taken = 0;
    const clock = manualClock();
    await using transport = createTransport({ server: server.url, rateLimit, clock });
    for (let i = 0; i < 12; i += 1) {
      await text(await transport.send(get()));
    }
    expect(taken).toBe(expected);
  }
});
