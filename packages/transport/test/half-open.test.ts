import { deferred, failure, get, text } from "@typekube/test-support/calls";
import { manualClock } from "@typekube/test-support/manual-clock";
import { httpServer } from "@typekube/test-support/servers";
import { describe, expect, test } from "vitest";
import { createTransport } from "../src/index.js";
import { transportDefaults } from "../src/options/transport-options.js";
import { relay } from "./helpers/http2-server.js";

/**
 * Records the TCP keep-alive delays that are set: with keep-alive, the system probes a silent connection and reports a
 * dead peer.
 */
async function keepAliveDelays(act: () => Promise<void>): Promise<(number | undefined)[]> {
  const { Socket } = await import("node:net");
  const original = Socket.prototype.setKeepAlive;
  const delays: (number | undefined)[] = [];
  Socket.prototype.setKeepAlive = function (isOn, delayMs) {
    delays.push(isOn ? delayMs : undefined);
    return original.call(this, isOn, delayMs);
  };
  try {
    await act();
  } finally {
    Socket.prototype.setKeepAlive = original;
  }
  return delays;
}

describe("H33, N2: half-open connections over HTTP/1.1", () => {
  test("enables TCP probes on every connection, so that a silent watch ends when its peer is gone", async () => {
    await using server = await httpServer((_request, response) => response.end("{}"));
    await using transport = createTransport({ server: server.url });
    const delays = await keepAliveDelays(async () => {
      await text(await transport.send(get()));
      await text(await transport.send(get({ mode: "stream" })));
    });
    expect(delays.length).toBeGreaterThanOrEqual(2);
    expect(new Set(delays)).toEqual(new Set([30_000]));
  });

  test("a request on a dead connection ends at its deadline; neither it nor the connection is used again", async () => {
    const seen: string[] = [];
    const arrived = deferred();
    const hold = deferred();
    await using server = await httpServer(async (request, response) => {
      seen.push(`${request.method} ${request.url}`);
      if (request.url === "/in-flight") {
        arrived.resolve();
        await hold.promise;
      }
      response.end(request.url);
    });
    await using line = await relay(server.port);
    const clock = manualClock();
    await using transport = createTransport({
      server: `http://127.0.0.1:${line.port}`,
      clock,
      connections: 1,
    });
    expect(await text(await transport.send(get({ path: "/idle" })))).toBe("/idle");
    const inFlight = failure(transport.send(get({ path: "/in-flight" })));
    await arrived.promise;
    void line.freeze();
    hold.resolve();
    clock.advance(transportDefaults.headersTimeoutMs - 1);
    expect(seen).toEqual(["GET /idle", "GET /in-flight"]);
    clock.advance(1);
    expect((await inFlight).code).toBe("DeadlineExceeded");
    expect(await text(await transport.send(get({ path: "/next" })))).toBe("/next");
    expect(seen).toEqual(["GET /idle", "GET /in-flight", "GET /next"]);
    expect(line.connections).toBe(2);
  });

  test("a dead idle connection is detected by the next request's deadline; later requests get another", async () => {
    const seen: string[] = [];
    await using server = await httpServer((request, response) => {
      seen.push(`${request.method} ${request.url}`);
      response.end(request.url);
    });
    await using line = await relay(server.port);
    const clock = manualClock();
    await using transport = createTransport({
      server: `http://127.0.0.1:${line.port}`,
      clock,
      connections: 1,
    });
    await text(await transport.send(get({ path: "/first" })));
    const sent = line.freeze();
    const lost = failure(transport.send(get({ path: "/lost", method: "POST", timeoutMs: 5000 })));
    const queued = transport.send(get({ path: "/queued", timeoutMs: 60_000 }));
    await sent;
    clock.advance(5000);
    expect((await lost).code).toBe("DeadlineExceeded");
    expect(await text(await queued)).toBe("/queued");
    expect(seen).toEqual(["GET /first", "GET /queued"]);
    expect(line.connections).toBe(2);
  });

  test("replaces an idle connection that the server closed without affecting the caller", async () => {
    await using server = await httpServer((request, response) => {
      response.end(request.url);
      // After the response, like a server whose idle timeout has passed.
      response.on("finish", () => setImmediate(() => request.socket.destroy()));
    });
    await using transport = createTransport({ server: server.url, connections: 1 });
    for (let i = 1; i <= 20; i += 1) {
      expect(await text(await transport.send(get({ path: `/${i}` })))).toBe(`/${i}`);
      await server.closed(i);
    }
  });
});
