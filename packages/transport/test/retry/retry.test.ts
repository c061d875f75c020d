import { KubeError } from "@typekube/core";
import type { HttpRequest, HttpResponse } from "@typekube/core/internal";
import { bytesOf, deferred, failure, get, text } from "@typekube/test-support/calls";
import { manualClock } from "@typekube/test-support/manual-clock";
import { httpServer } from "@typekube/test-support/servers";
import { describe, expect, test } from "vitest";
import { createTransport } from "../../src/index.js";
import { parseRetryAfter, type RetryOptions, retry } from "../../src/internal.js";

type Step = KubeError | { status: number; after?: string };

/** Responds with the steps in turn, and advances the clock for every wait. Back-off is at its maximum. */
function play(steps: Step[], maxRetries = 10, options: Partial<RetryOptions> = {}) {
  const clock = manualClock();
  const waits: number[] = [];
  const sent: HttpRequest[] = [];
  const waiting = {
    now: clock.now,
    monotonic: () => clock.monotonic?.() ?? 0,
    schedule(delayMs: number, callback: () => void) {
      waits.push(delayMs);
      const cancel = clock.schedule(delayMs, callback);
      queueMicrotask(() => clock.advance(delayMs));
      return cancel;
    },
  };
  const next = async (request: HttpRequest): Promise<HttpResponse> => {
    sent.push(request);
    const step = steps.shift() ?? { status: 200 };
    if (step instanceof Error) {
      throw step;
    }
    const { status, after } = step as { status: number; after?: string };
    return { status, headers: after ? { "retry-after": after } : {}, body: bytesOf("{}") };
  };
  const random = () => 1;
  const send = retry({ maxRetries, timeoutMs: 0, clock: waiting, random, ...options })(next);
  return { send, waits, sent, clock };
}

describe("H16: responses that are retried", () => {
  for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"] as const) {
    for (const status of [429, 500, 503, 504]) {
      test(`${method === "PATCH" ? "UPD14: " : ""}${method} ${status} with Retry-After: retried`, async () => {
        const { send, waits, sent } = play([{ status, after: "2" }]);
        expect((await send(get({ method }))).status).toBe(200);
        expect(waits).toEqual([2000]);
        expect(sent).toHaveLength(2);
      });
    }
  }
  test.each([
    { status: 429 },
    { status: 503 },
    { status: 301, after: "1" },
    { status: 200, after: "1" },
    { status: 404, after: "1" },
  ])("$status after $after: not retried", async (step) => {
    const { send, sent } = play([step]);
    expect((await send(get())).status).toBe(step.status);
    expect(sent).toHaveLength(1);
  });
  test("retries the start of a watch too", async () => {
    const { send, sent } = play([{ status: 429, after: "1" }]);
    expect((await send(get({ mode: "stream" }))).status).toBe(200);
    expect(sent).toHaveLength(2);
  });
  test("does not retry when isRepeated is false", async () => {
    const { send, sent } = play([{ status: 429, after: "1" }]);
    expect((await send(get({ mode: "stream", isRepeated: false }))).status).toBe(429);
    expect(sent).toHaveLength(1);
  });
});

describe("limits of retries", () => {
  test.each([0, 1, 5])(
    "H20: with %i retries a call survives that number of 429 responses",
    async (n) => {
      const refused = () => Array.from({ length: n }, () => ({ status: 429, after: "1" }));
      expect((await play(refused(), n).send(get())).status).toBe(200);
      const oneMore = play([...refused(), { status: 429, after: "1" }], n);
      expect((await oneMore.send(get())).status).toBe(429);
    },
  );

  test("returns the response at once when the delay does not fit into the call's time", async () => {
    const { send, waits } = play([{ status: 503, after: "30" }]);
    expect((await send(get({ timeoutMs: 20_000 }))).status).toBe(503);
    expect(waits).toEqual([]);
  });

  test("returns the response when Retry-After exceeds the longest timer, even without a deadline", async () => {
    for (const after of ["9999999", "Fri, 31 Dec 9999 23:59:59 GMT", "9".repeat(400)]) {
      for (const mode of ["call", "stream"] as const) {
        const { send, waits, sent } = play([{ status: 503, after }]);
        expect((await send(get({ mode, timeoutMs: 0 }))).status).toBe(503);
        expect([waits, sent.length]).toEqual([[], 1]);
      }
    }
  });

  test("attempts share the call's time, whether it is its own or the default", async () => {
    const named = play([{ status: 503, after: "5" }]);
    await named.send(get({ timeoutMs: 20_000 }));
    expect(named.sent.map((request) => request.timeoutMs)).toEqual([20_000, 15_000]);
    const unnamed = play([{ status: 503, after: "5" }], 10, {
      timeoutMs: 20_000,
      headersTimeoutMs: 7_000,
    });
    await unnamed.send(get());
    expect(unnamed.sent.map((r) => [r.timeoutMs, r.headersTimeoutMs])).toEqual([
      [undefined, undefined],
      [15_000, 7_000],
    ]);
  });

  test("setting the time of day makes no call shorter or longer", async () => {
    for (const jump of [-3_600_000, 3_600_000]) {
      const { send, sent, clock } = play([
        { status: 503, after: "5" },
        { status: 503, after: "5" },
      ]);
      const call = send(get({ timeoutMs: 20_000 }));
      clock.jump(jump);
      expect((await call).status).toBe(200);
      expect(sent.map((request) => request.timeoutMs)).toEqual([20_000, 15_000, 10_000]);
    }
  });

  test("H23: waits for the longer of Retry-After and back-off", async () => {
    const times = (status: number, after: string, count: number) =>
      Array.from({ length: count }, () => ({ status, after }));
    const none = play(times(429, "0", 8));
    await none.send(get());
    expect(none.waits).toEqual([200, 400, 800, 1600, 3200, 5000, 5000]);
    const one = play(times(429, "1", 6));
    await one.send(get());
    expect(one.waits).toEqual([1000, 1000, 1000, 1000, 1600, 3200]);
  });

  test("H25, H39: an abort ends the wait with the signal's reason, whatever its type", async () => {
    for (const reason of [new Error("no more"), new TypeError("no more"), "a text", null]) {
      const clock = manualClock();
      const response = { status: 503, headers: { "retry-after": "5" }, body: bytesOf() };
      const send = retry({ maxRetries: 3, timeoutMs: 0, clock })(async () => response);
      const controller = new AbortController();
      const call = send(get({ signal: controller.signal }));
      setImmediate(() => controller.abort(reason));
      await expect(call).rejects.toBe(reason);
      expect(clock.pending).toBe(0);
    }
  });

  test("an abort during a later attempt rejects with the signal's reason, whatever its type", async () => {
    const clock = manualClock();
    const controller = new AbortController();
    let attempts = 0;
    const send = retry({ maxRetries: 3, timeoutMs: 0, clock })(() => {
      attempts += 1;
      if (attempts === 1) {
        return Promise.resolve({ status: 503, headers: { "retry-after": "0" }, body: bytesOf() });
      }
      controller.abort("why");
      return Promise.reject(controller.signal.reason);
    });
    await expect(send(get({ signal: controller.signal }))).rejects.toBe("why");
    expect(attempts).toBe(2);
  });

  test("closing the transport ends the wait", async () => {
    const clock = manualClock();
    const closing = new AbortController();
    const waiting = deferred();
    const send = retry({ maxRetries: 3, timeoutMs: 0, clock, closing: closing.signal })(
      async () => ({
        status: 503,
        headers: { "retry-after": "5" },
        // biome-ignore lint/correctness/useYield: the body ends without bytes
        body: (async function* () {
          waiting.resolve();
        })(),
      }),
    );
    const call = send(get());
    await waiting.promise;
    setImmediate(() => closing.abort("closed"));
    await expect(call).rejects.toBe("closed");
    expect(clock.pending).toBe(0);
  });

  test("H25: the error of a later attempt includes the previous outcome, unless it is the same", async () => {
    const late = () => new KubeError("DeadlineExceeded", "no headers", { hint: "wait" });
    const responded = play([{ status: 503, after: "1" }, late()]);
    const error = await failure(responded.send(get()));
    expect(error.code).toBe("DeadlineExceeded");
    expect(error.message).toBe(
      "[DeadlineExceeded] no headers; the previous attempt: HTTP 503: wait",
    );
    const reset = () => new KubeError("ConnectionReset", "reset");
    const same = await failure(play([reset(), reset(), reset()]).send(get()));
    expect(same.rawMessage).toBe("reset");
    const other = await failure(play([reset(), late()]).send(get()));
    expect(other.rawMessage).toBe("no headers; the previous attempt: reset");
  });

  test("H21: does not resend a body that is not bytes", async () => {
    const body = bytesOf("{}") as unknown as Uint8Array;
    const { send, sent } = play([{ status: 429, after: "1" }]);
    expect((await send(get({ method: "POST", body }))).status).toBe(429);
    expect(sent).toHaveLength(1);
    const bytes = play([{ status: 429, after: "1" }]);
    expect((await bytes.send(get({ method: "POST", body: Buffer.from("{}") }))).status).toBe(200);
    expect(bytes.sent[1]?.body).toBe(bytes.sent[0]?.body);
  });
});

describe("attemptTimeoutMs", () => {
  const late = () => new KubeError("DeadlineExceeded", "no headers in time");

  test("H19: retries a read without headers within the time, but no other calls and no streams", async () => {
    const { send, sent } = play([late(), late(), late()], 10, { attemptTimeoutMs: 500 });
    expect((await send(get({ timeoutMs: 20_000 }))).status).toBe(200);
    expect(sent.map((r) => [r.timeoutMs, r.headersTimeoutMs])).toEqual([
      [20_000, 500],
      [20_000, 500],
      [19_800, 500],
      [19_400, 500],
    ]);
    for (const request of [
      get({ method: "POST" }),
      get({ method: "PUT" }),
      get({ mode: "stream" }),
    ]) {
      const once = play([late()], 10, { attemptTimeoutMs: 500 });
      expect((await failure(once.send(request))).code).toBe("DeadlineExceeded");
      expect(once.sent).toHaveLength(1);
    }
  });

  test("H19: retries nothing without it, or when the call's own time is over", async () => {
    const without = play([late()]);
    await failure(without.send(get({ timeoutMs: 20_000 })));
    expect(without.sent).toHaveLength(1);
    const over = play([], 10, { attemptTimeoutMs: 500 });
    const send = retry({ maxRetries: 3, timeoutMs: 0, attemptTimeoutMs: 500, clock: over.clock })(
      () => {
        over.clock.advance(400);
        return Promise.reject(late());
      },
    );
    expect((await failure(send(get({ timeoutMs: 400 })))).code).toBe("DeadlineExceeded");
  });

  test("on sockets: the attempt is cut at its time and the call continues", async () => {
    let calls = 0;
    await using server = await httpServer((_request, response) => {
      calls += 1;
      if (calls > 1) {
        response.end("{}");
      }
    });
    await using transport = createTransport({ server: server.url, attemptTimeoutMs: 50 });
    expect(await text(await transport.send(get({ timeoutMs: 60_000 })))).toBe("{}");
    expect(calls).toBe(2);
  });
});

describe("broken connections", () => {
  const reset = () => new KubeError("ConnectionReset", "reset");

  test("H17, GRP16: retries a read at once and once more later, never a write or a stream", async () => {
    const twice = play([reset(), reset()]);
    expect((await twice.send(get())).status).toBe(200);
    expect(twice.sent).toHaveLength(3);
    expect(twice.waits).toEqual([200]);
    const often = play([reset(), reset(), reset()]);
    expect((await failure(often.send(get()))).code).toBe("ConnectionReset");
    expect(often.sent).toHaveLength(3);
    for (const request of [
      get({ method: "POST" }),
      get({ method: "PUT" }),
      get({ method: "PATCH" }),
      get({ method: "DELETE" }),
      get({ mode: "stream" }),
    ]) {
      const { send, sent } = play([reset()]);
      await failure(send(request));
      expect(sent).toHaveLength(1);
    }
  });

  test("H20: retries nothing with maxRetries 0", async () => {
    const { send, sent } = play([reset()], 0);
    await failure(send(get()));
    expect(sent).toHaveLength(1);
  });

  test("H18: does not retry a refused connection", async () => {
    const { send, sent } = play([new KubeError("ConnectionRefused", "refused")]);
    expect((await failure(send(get()))).code).toBe("ConnectionRefused");
    expect(sent).toHaveLength(1);
  });
});

test("H34: a hundred calls with retries each get their own response", async () => {
  const seen = new Map<string, number>();
  await using server = await httpServer((request, response) => {
    const path = request.url ?? "";
    const count = (seen.get(path) ?? 0) + 1;
    seen.set(path, count);
    if (count <= Number(path.slice(1)) % 3) {
      response.writeHead(429, { "retry-after": "0" });
    }
    response.end(`answer to ${path}`);
  });
  await using transport = createTransport({ server: server.url });
  const paths = Array.from({ length: 100 }, (_, i) => `/${i}`);
  const responses = paths.map(async (path) => text(await transport.send(get({ path }))));
  expect(await Promise.all(responses)).toEqual(paths.map((path) => `answer to ${path}`));
});

test("H26: reads the body of a retried response, so that the connection is reused", async () => {
  let calls = 0;
  await using server = await httpServer((_request, response) => {
    calls += 1;
    if (calls < 3) {
      response.writeHead(429, { "retry-after": "0" });
      response.end("slow down".repeat(50));
    } else {
      response.end("{}");
    }
  });
  await using transport = createTransport({ server: server.url, connections: 1 });
  expect(await text(await transport.send(get()))).toBe("{}");
  expect(calls).toBe(3);
  expect(server.connections).toBe(1);
});

test("N26: parses Retry-After in seconds and as a date, and ignores invalid values", () => {
  const now = Date.parse("2026-01-01T00:00:00Z");
  expect(parseRetryAfter("7", now)).toBe(7000);
  expect(parseRetryAfter("Thu, 01 Jan 2026 00:00:03 GMT", now)).toBe(3000);
  expect(parseRetryAfter("Wed, 31 Dec 2025 23:59:00 GMT", now)).toBe(0);
  expect(parseRetryAfter("Thursday, 01-Jan-26 00:00:03 GMT", now)).toBe(3000);
  const zone = process.env["TZ"];
  process.env["TZ"] = "America/New_York";
  expect(parseRetryAfter("Thu Jan  1 00:00:03 2026", now)).toBe(3000);
  if (zone === undefined) {
    Reflect.deleteProperty(process.env, "TZ");
  } else {
    process.env["TZ"] = zone;
  }
  for (const nonsense of [undefined, "", "-5", "soon", "1.5", "soon 1", "never 2030"]) {
    expect(parseRetryAfter(nonsense, now)).toBeUndefined();
  }
});
