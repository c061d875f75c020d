import type { HttpRequest, HttpResponse } from "@typekube/core";
import { KubeError } from "@typekube/core";
import { describe, expect, test } from "vitest";
import { createTransport, parseRetryAfter, retry } from "../src/index.js";
import { bytesOf, failure, get, text } from "./helpers/calls.js";
import { manualClock } from "./helpers/manual-clock.js";
import { httpServer } from "./helpers/servers.js";

type Step = KubeError | { status: number; after?: string };

/** Plays the steps, and moves the clock whenever something waits on it. */
function play(steps: Step[], maxRetries = 10) {
  const clock = manualClock();
  const waits: number[] = [];
  const sent: HttpRequest[] = [];
  const waiting = {
    ...clock,
    now: clock.now,
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
  const send = retry({ maxRetries, timeoutMs: 60_000, clock: waiting })(next);
  return { send, waits, sent };
}

describe("H16: what is repeated", () => {
  for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"] as const) {
    for (const status of [429, 500, 503, 504]) {
      test(`${method} ${status} with Retry-After: yes`, async () => {
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
  ])("$status after $after: no", async (step) => {
    const { send, sent } = play([step]);
    expect((await send(get())).status).toBe(step.status);
    expect(sent).toHaveLength(1);
  });
  test("a watch as well", async () => {
    const { send, sent } = play([{ status: 429, after: "1" }]);
    expect((await send(get({ mode: "stream" }))).status).toBe(200);
    expect(sent).toHaveLength(2);
  });
});

describe("limits", () => {
  test.each([0, 1, 5])("H20: with %i retries that many answers of 429 are survived", async (n) => {
    const refused = () => Array.from({ length: n }, () => ({ status: 429, after: "1" }));
    expect((await play(refused(), n).send(get())).status).toBe(200);
    const oneMore = play([...refused(), { status: 429, after: "1" }], n);
    expect((await oneMore.send(get())).status).toBe(429);
  });

  test("a wait that does not fit into the call's time gives the server's answer at once", async () => {
    const { send, waits } = play([{ status: 503, after: "30" }]);
    expect((await send(get({ timeoutMs: 20_000 }))).status).toBe(503);
    expect(waits).toEqual([]);
  });

  test("attempts share the call's time", async () => {
    const { send, sent } = play([{ status: 503, after: "5" }]);
    await send(get({ timeoutMs: 20_000 }));
    expect(sent.map((request) => request.timeoutMs)).toEqual([20_000, 15_000]);
  });

  test("H25, H39: an abort ends the wait with the signal's reason", async () => {
    const clock = manualClock();
    const response = { status: 503, headers: { "retry-after": "5" }, body: bytesOf() };
    const send = retry({ maxRetries: 3, timeoutMs: 0, clock })(async () => response);
    const controller = new AbortController();
    const call = send(get({ signal: controller.signal }));
    const reason = new Error("no more");
    setImmediate(() => controller.abort(reason));
    await expect(call).rejects.toBe(reason);
    expect(clock.pending).toBe(0);
  });
});

describe("broken connections", () => {
  const reset = () => new KubeError("ConnectionReset", "reset");

  test("H17: a GET is sent once more, any other call never, a stream never", async () => {
    const once = play([reset()]);
    expect((await once.send(get())).status).toBe(200);
    expect(once.sent).toHaveLength(2);
    const twice = play([reset(), reset()]);
    expect((await failure(twice.send(get()))).code).toBe("ConnectionReset");
    for (const request of [
      get({ method: "POST" }),
      get({ method: "PUT" }),
      get({ mode: "stream" }),
    ]) {
      const { send, sent } = play([reset()]);
      await failure(send(request));
      expect(sent).toHaveLength(1);
    }
  });

  test("H18: a refused connection is never retried", async () => {
    const { send, sent } = play([new KubeError("ConnectionRefused", "refused")]);
    expect((await failure(send(get()))).code).toBe("ConnectionRefused");
    expect(sent).toHaveLength(1);
  });
});

test("H26: a retried answer's body is read, so that the connection is used again", async () => {
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

test("N26: Retry-After in seconds and as a date, nonsense is none", () => {
  const now = Date.parse("2026-01-01T00:00:00Z");
  expect(parseRetryAfter("7", now)).toBe(7000);
  expect(parseRetryAfter("Thu, 01 Jan 2026 00:00:03 GMT", now)).toBe(3000);
  expect(parseRetryAfter("Wed, 31 Dec 2025 23:59:00 GMT", now)).toBe(0);
  for (const nonsense of [undefined, "", "-5", "soon", "1.5"]) {
    expect(parseRetryAfter(nonsense, now)).toBeUndefined();
  }
});
