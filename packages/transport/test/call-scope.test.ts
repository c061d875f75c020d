import type { ServerResponse } from "node:http";
import { KubeError } from "@typekube/core";
import { type CallScope, withCallScope } from "@typekube/core/internal";
import { deferred, failure, get, text } from "@typekube/test-support/calls";
import { manualClock } from "@typekube/test-support/manual-clock";
import { fixture, httpServer } from "@typekube/test-support/servers";
import { describe, expect, test } from "vitest";
import { createTransport } from "../src/index.js";
import { http2Server } from "./helpers/http2-server.js";

const ca = fixture("ca.pem");
const put = get({ method: "PUT", path: "/write", body: Buffer.from("{}") });

/** A fence that the test closes: refuses every attempt from then on. */
function fence() {
  let isHeld = true;
  const checks: string[] = [];
  const checkAt = (moment: string) => () => {
    checks.push(moment);
    if (!isHeld) {
      throw new KubeError("LeadershipLost", "the lease was lost");
    }
  };
  const scope: CallScope = {
    beforeAttempt: checkAt("attempt"),
    beforeSend: checkAt("send"),
  };
  return {
    scope,
    checks,
    close() {
      isHeld = false;
    },
  };
}

/** Responds to `/slow` when the test says so, to everything else at once; records the paths. */
function slowServer() {
  const seen: string[] = [];
  const arrived = deferred();
  let slow: ServerResponse | undefined;
  const listener = (request: { url?: string | undefined }, response: ServerResponse) => {
    seen.push(request.url ?? "");
    if (request.url === "/slow") {
      slow = response;
      arrived.resolve();
    } else {
      response.end("{}");
    }
  };
  return { seen, listener, arrived: arrived.promise, respond: () => slow?.end("{}") };
}

describe("the scope of a call", () => {
  test("CL14: a write that waits for a connection is not sent after the fence closed (HTTP/1.1)", async () => {
    const { seen, listener, arrived, respond } = slowServer();
    await using server = await httpServer(listener);
    await using transport = createTransport({ server: server.url, connections: 1 });
    const slow = transport.send(get({ path: "/slow" }));
    await arrived;
    const guard = fence();
    const write = failure(withCallScope(guard.scope, () => transport.send(put)));
    guard.close();
    respond();
    await text(await slow);
    expect(await write).toMatchObject({ code: "LeadershipLost" });
    expect(guard.checks).toEqual(["attempt", "send"]);
    // The connection is still usable, and the write never arrived.
    expect(await text(await transport.send(get({ path: "/next" })))).toBe("{}");
    expect(seen).toEqual(["/slow", "/next"]);
    expect(server.connections).toBe(1);
  });

  test("CL14: a write that waits for an HTTP/2 stream is not sent after the fence closed", async () => {
    const { seen, listener, arrived, respond } = slowServer();
    await using server = await http2Server(listener as never, {
      settings: { maxConcurrentStreams: 1 },
    });
    await using transport = createTransport({
      server: server.url,
      tls: { ca },
      http2: true,
      connections: 1,
    });
    await text(await transport.send(get({ path: "/first" })));
    const slow = transport.send(get({ path: "/slow" }));
    await arrived;
    const guard = fence();
    const write = failure(withCallScope(guard.scope, () => transport.send(put)));
    guard.close();
    respond();
    await text(await slow);
    expect(await write).toMatchObject({ code: "LeadershipLost" });
    expect(guard.checks).toEqual(["attempt", "send"]);
    expect(await text(await transport.send(get({ path: "/next" })))).toBe("{}");
    expect(seen).toEqual(["/first", "/slow", "/next"]);
  });

  test("CL14: methods of a scope keep their object", async () => {
    class Counted implements CallScope {
      #count = 0;
      get count() {
        return this.#count;
      }
      beforeAttempt() {
        this.#count += 1;
      }
      beforeSend() {
        this.#count += 10;
      }
    }
    await using server = await httpServer((_, response) => response.end("{}"));
    await using transport = createTransport({ server: server.url });
    const scope = new Counted();
    await text(await withCallScope(scope, () => transport.send(put)));
    expect(scope.count).toBe(11);
  });

  test("CL14: a write that waits for its retry is not sent after the fence closed", async () => {
    const seen: string[] = [];
    const clock = manualClock();
    await using server = await httpServer((request, response) => {
      seen.push(request.url ?? "");
      response.writeHead(429, { "retry-after": "1" }).end("{}");
    });
    await using transport = createTransport({ server: server.url, clock });
    const guard = fence();
    const write = failure(withCallScope(guard.scope, () => transport.send(put)));
    await expect.poll(() => seen).toEqual(["/write"]);
    await expect.poll(() => clock.pending).toBe(1);
    guard.close();
    await expect
      .poll(() => {
        clock.advance(10_000);
        return guard.checks;
      })
      .toEqual(["attempt", "send", "attempt"]);
    expect(await write).toMatchObject({ code: "LeadershipLost" });
    expect(seen).toEqual(["/write"]);
  });

  test("CL14: an attempt lasts no longer than its scope allows, also when the call may last longer", async () => {
    const clock = manualClock();
    const { listener, arrived } = slowServer();
    await using server = await httpServer(listener);
    await using transport = createTransport({ server: server.url, clock });
    const call = failure(
      withCallScope({ maxAttemptMs: () => 1_500.5 }, () =>
        transport.send(get({ path: "/slow", timeoutMs: 60_000 })),
      ),
    );
    await arrived;
    clock.advance(1_501);
    expect(await call).toMatchObject({
      code: "DeadlineExceeded",
      message: expect.stringContaining("1501 ms"),
    });
  });

  test("CL14: a shorter timeout of the call wins over that of its scope", async () => {
    const clock = manualClock();
    const { listener, arrived } = slowServer();
    await using server = await httpServer(listener);
    await using transport = createTransport({ server: server.url, clock });
    const call = failure(
      withCallScope({ maxAttemptMs: () => 5_000 }, () =>
        transport.send(get({ path: "/slow", timeoutMs: 1_000 })),
      ),
    );
    await arrived;
    clock.advance(1_000);
    expect(await call).toMatchObject({ code: "DeadlineExceeded" });
  });

  test.each([false, true])(
    "CL2: an urgent call waits neither for a connection nor for the rate limit (HTTP/2 %s)",
    async (http2) => {
      const { listener, arrived, respond } = slowServer();
      await using server = await http2Server(listener as never, {
        settings: { maxConcurrentStreams: 1 },
      });
      await using transport = createTransport({
        server: server.url,
        tls: { ca },
        http2,
        connections: 1,
        rateLimit: { qps: 0.001, burst: 1 },
      });
      const slow = transport.send(get({ path: "/slow" }));
      await arrived;
      const later = failure(transport.send(get({ path: "/later" })));
      for (let n = 0; n < 3; n += 1) {
        const urgent = withCallScope({ isUrgent: true }, () => transport.send(put));
        expect(await text(await urgent)).toBe("{}");
      }
      respond();
      await text(await slow);
      await transport.close();
      expect(await later).toMatchObject({ code: "Closed" });
    },
  );
});
