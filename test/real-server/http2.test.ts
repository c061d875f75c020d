import { type AddressInfo, connect as connectTcp, createServer, type Socket } from "node:net";
import { KubeError } from "@typekube/core";
import type { HttpRequest } from "@typekube/core/internal";
import { findAssets } from "@typekube/test-support/real-server/assets";
import { type RealServer, startRealServer } from "@typekube/test-support/real-server/real-server";
import {
  bearerToken,
  createTransport,
  type Transport,
  type TransportOptions,
} from "@typekube/transport";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const hasReal = (await findAssets()) !== undefined;

const call: HttpRequest = {
  method: "GET",
  path: "/api/v1/namespaces/default",
  headers: { accept: "application/json" },
  mode: "call",
};
const watch: HttpRequest = {
  ...call,
  path: "/api/v1/namespaces?watch=1&timeoutSeconds=600",
  mode: "stream",
};

async function read(transport: Transport, request: HttpRequest = call): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of (await transport.send(request)).body) {
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString());
}

/** Starts a proxy that counts the connections to a server. */
async function counter(target: string) {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((client) => {
    connections += 1;
    const upstream = connectTcp(Number(port), hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket
        .on("error", () => {})
        .on("close", () => {
          sockets.delete(socket);
          client.destroy();
          upstream.destroy();
        });
    }
    client.pipe(upstream).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    count: () => connections,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) {
        socket.destroy();
      }
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe.runIf(hasReal)("HTTP/2 with a real server", () => {
  let server: RealServer;

  beforeAll(async () => {
    server = (await startRealServer()) as RealServer;
    expect(server).toBeDefined();
  });
  afterAll(() => server?.close());

  function transportTo(url: string, options: Partial<TransportOptions> = {}): Transport {
    const { ca, token } = server.connectOptions();
    return createTransport({
      server: url,
      tls: { ca },
      auth: bearerToken(token),
      http2: true,
      ...options,
    });
  }

  test("N1: 99 concurrent calls and 100 sequential ones share a connection", async () => {
    await using line = await counter(server.url);
    await using transport = transportTo(line.url);
    await read(transport);
    // The server allows 100 concurrent streams, and that of the first call may still be open.
    const found = await Promise.all(Array.from({ length: 99 }, () => read(transport)));
    expect(found).toHaveLength(99);
    for (const namespace of found) {
      expect(namespace).toMatchObject({ metadata: { name: "default" } });
    }
    for (let i = 0; i < 100; i += 1) {
      await read(transport);
    }
    expect(line.count()).toBe(1);
  });

  test("N3: by default 30 watches share a connection and calls have another one", async () => {
    await using line = await counter(server.url);
    await using transport = transportTo(line.url, { http2: "auto" });
    const watches = await Promise.all(
      Array.from({ length: 30 }, async () => {
        const { body } = await transport.send(watch);
        const iterator = body[Symbol.asyncIterator]();
        expect((await iterator.next()).done).toBe(false);
        return iterator;
      }),
    );
    expect(line.count()).toBe(1);
    await read(transport);
    expect(line.count()).toBeLessThanOrEqual(3);
    await Promise.all(watches.map((iterator) => iterator.return?.()));
    await read(transport, { ...call, path: "/version" });
    expect(line.count()).toBeLessThanOrEqual(3);
  });

  test("opens one more connection for more watches than the server allows on one", async () => {
    await using line = await counter(server.url);
    await using transport = transportTo(line.url, { http2: "auto" });
    await transport.send(watch);
    await Promise.all(Array.from({ length: 119 }, () => transport.send(watch)));
    expect(line.count()).toBe(2);
  });

  test("H33: PINGs detect a stalled server; calls and watches work again once it resumes", async () => {
    await using transport = transportTo(server.url, { pingIntervalMs: 200, pingTimeoutMs: 200 });
    await read(transport);
    const { body } = await transport.send(watch);
    const events = body[Symbol.asyncIterator]();
    await events.next();
    await server.pause();
    try {
      const post: HttpRequest = {
        ...call,
        method: "POST",
        path: "/api/v1/namespaces/default/configmaps",
        body: Buffer.from('{"metadata":{"generateName":"silent-"}}'),
      };
      const written = transport.send(post).catch((error: unknown) => error);
      let ended: unknown;
      while (ended === undefined) {
        ended = await events.next().then(
          ({ done }) => (done ? "the end" : undefined),
          (error: unknown) => error,
        );
      }
      expect(ended).toBeInstanceOf(KubeError);
      expect(ended).toMatchObject({ code: "ConnectionReset" });
      expect(await written).toMatchObject({ code: "ConnectionReset" });
    } finally {
      server.resume();
    }
    expect(await read(transport)).toMatchObject({ metadata: { name: "default" } });
    const again = await transport.send(watch);
    expect((await again.body[Symbol.asyncIterator]().next()).done).toBe(false);
  });

  test("after the server is killed, the watch ends; after its restart, requests work again", async () => {
    await using transport = transportTo(server.url);
    const { body } = await transport.send(watch);
    const events = body[Symbol.asyncIterator]();
    await events.next();
    const ended = (async () => {
      for (;;) {
        await events.next();
      }
    })().catch((error: unknown) => error);
    await server.restart();
    expect(["ConnectionClosed", "ConnectionReset"]).toContain(((await ended) as KubeError).code);
    expect(await read(transport)).toMatchObject({ metadata: { name: "default" } });
    const again = await transport.send(watch);
    expect((await again.body[Symbol.asyncIterator]().next()).done).toBe(false);
  });

  test("GOAWAY: all of 1,000 calls succeed while every fiftieth response sends it", async () => {
    await using chancy = (await startRealServer({
      flags: ["--goaway-chance=0.02"],
    })) as RealServer;
    const { ca, token } = chancy.connectOptions();
    await using line = await counter(chancy.url);
    await using transport = createTransport({
      server: line.url,
      tls: { ca },
      auth: bearerToken(token),
      http2: true,
    });
    for (let round = 0; round < 20; round += 1) {
      await Promise.all(Array.from({ length: 50 }, () => read(transport)));
    }
    console.info(`1,000 calls through GOAWAYs went over ${line.count()} connections`);
    expect(line.count()).toBeGreaterThan(3);
  });
});
