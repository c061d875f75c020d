import { setImmediate as turn } from "node:timers/promises";
import { get, text } from "@typekube/test-support/calls";
import { fixture, httpServer } from "@typekube/test-support/servers";
import { expect, test } from "vitest";
import { createTransport, type Transport } from "../src/index.js";
import { http2Server } from "./helpers/http2-server.js";

/** Bytes that each reconnect may leave behind. A forgotten socket, client or session takes thousands. */
const maxBytesEach = 400;
const warmUp = 1_000;

async function heapAfterCollection(): Promise<number> {
  for (let round = 0; round < 10; round += 1) {
    globalThis.gc?.();
    await turn();
  }
  return process.memoryUsage().heapUsed;
}

async function times(
  count: number,
  concurrency: number,
  exchange: () => Promise<unknown>,
): Promise<void> {
  let begun = 0;
  const worker = async () => {
    while (begun < count) {
      begun += 1;
      await exchange();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}

/** Returns the heap bytes that each of `count` exchanges leaves behind, after warming up. */
async function leftByEach(
  count: number,
  concurrency: number,
  exchange: () => Promise<unknown>,
): Promise<number> {
  await times(warmUp, concurrency, exchange);
  const before = await heapAfterCollection();
  await times(count, concurrency, exchange);
  const bytesEach = ((await heapAfterCollection()) - before) / count;
  console.info(`${count} reconnects: ${bytesEach.toFixed(1)} bytes of heap each`);
  return bytesEach;
}

const call = async (transport: Transport) => text(await transport.send(get()));
const stream = async (transport: Transport) => {
  const watch = get({ path: "/api?watch=1", mode: "stream" });
  // The stream may break before or after its headers.
  await transport
    .send(watch)
    .then(text)
    .catch(() => {});
};

test.each([
  ["calls", call],
  ["streams", stream],
] as const)(
  "N1, S10: 10,000 reconnects over HTTP/1.1 leak neither heap nor sockets (%s)",
  async (_mode, exchange) => {
    await using server = await httpServer((request, response) => {
      if (request.url?.includes("watch")) {
        response.write("{}\n", () => response.socket?.destroy());
      } else {
        response.setHeader("connection", "close");
        response.end("{}");
      }
    });
    await using transport = createTransport({ server: server.url });
    expect(await leftByEach(10_000, 8, () => exchange(transport))).toBeLessThan(maxBytesEach);
    expect(server.connections).toBe(10_000 + warmUp);
    await server.closed(10_000 + warmUp);
  },
  600_000,
);

// In sequence: concurrent requests would share a connection. Each is a TLS handshake on both sides.
test.each([
  ["calls", call],
  ["streams", stream],
] as const)(
  "N1, S10: 10,000 reconnects over HTTP/2 leak neither heap nor sockets (%s)",
  async (_mode, exchange) => {
    await using server = await http2Server((request, response) => {
      const { session } = request.stream;
      if (request.url.includes("watch")) {
        response.write("{}\n", () => session?.destroy());
      } else {
        // A GOAWAY: this session accepts no more requests.
        response.end("{}", () => session?.close());
      }
    });
    await using transport = createTransport({
      server: server.url,
      tls: { ca: fixture("ca.pem") },
      http2: true,
    });
    expect(await leftByEach(10_000, 1, () => exchange(transport))).toBeLessThan(maxBytesEach);
    expect(server.protocols.length).toBeGreaterThanOrEqual(10_000 + warmUp);
    expect(new Set(server.protocols)).toEqual(new Set(["h2"]));
    await server.closed(server.protocols.length);
  },
  600_000,
);
