import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { type HttpResponse, reclaimChunks } from "@typekube/core/internal";
import { describe, expect, test, vi } from "vitest";
import { ByteQueue } from "../src/byte-queue.js";
import { freeChunk, isLastPart } from "../src/chunk-memory.js";
import { createTransport } from "../src/index.js";
import { get } from "./helpers/calls.js";
import { http2Server } from "./helpers/http2-server.js";
import { fixture, httpServer, httpsServer, onRequest, rawServer } from "./helpers/servers.js";

// Node 20 cannot take memory back, so nothing would happen there; what it has for messages between threads can.
vi.hoisted(() => {
  const prototype = ArrayBuffer.prototype as { transfer?: (this: ArrayBuffer) => void };
  prototype.transfer ??= function transfer(this: ArrayBuffer) {
    structuredClone(this, { transfer: [this] });
  };
});

/** As lists are: gzip makes a tenth of it. */
const body = Buffer.from(
  Array.from(
    { length: 30_000 },
    () =>
      `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"${randomBytes(3).toString("hex")}","namespace":"default"}},`,
  ).join("\n"),
);
const ca = fixture("ca.pem");

/** Reads a body as a decoder does: each chunk is looked at before the next is asked for. */
async function readAll(response: HttpResponse, promise: boolean) {
  if (promise) {
    reclaimChunks(response.body);
  }
  const hash = createHash("sha1");
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body) {
    hash.update(chunk);
    chunks.push(chunk);
  }
  // What is left of a chunk whose memory was taken has no length.
  const freed = chunks.filter((chunk) => chunk.byteLength === 0).length;
  return { digest: hash.digest("hex"), chunks, freed };
}

const digest = createHash("sha1").update(body).digest("hex");

async function inPieces(response: ServerResponse, bytes: number): Promise<void> {
  for (let at = 0; at < body.length; at += bytes) {
    if (!response.write(body.subarray(at, at + bytes))) {
      await once(response, "drain");
    }
  }
  response.end();
}

/** None of them is as much as half of a read. */
const inSmallPieces = "many HTTP chunks in a read";

const responses: Record<string, (response: ServerResponse) => void> = {
  "a length": (response) => {
    response.setHeader("content-length", body.length);
    response.end(body);
  },
  "large HTTP chunks": (response) => void inPieces(response, 100_000),
  [inSmallPieces]: (response) => void inPieces(response, 1_000),
  gzip: (response) => {
    response.setHeader("content-encoding", "gzip");
    response.end(gzipSync(body));
  },
};

describe.each(Object.entries(responses))("the memory of a body with %s", (name, reply) => {
  test("is taken back chunk by chunk from a reader that promises to be done with each", async () => {
    await using server = await httpServer((_request, response) => reply(response));
    await using transport = createTransport({ server: server.url });
    for (let call = 0; call < 3; call++) {
      const read = await readAll(await transport.send(get()), true);
      expect(read.digest).toBe(digest);
      if (name !== inSmallPieces) {
        expect(read.freed).toBeGreaterThan(read.chunks.length / 4);
      }
    }
  });

  test("stays with a reader that promises nothing", async () => {
    await using server = await httpServer((_request, response) => reply(response));
    await using transport = createTransport({ server: server.url });
    const read = await readAll(await transport.send(get()), false);
    expect(read.freed).toBe(0);
    expect(Buffer.concat(read.chunks).equals(body)).toBe(true);
  });

  test("is taken back over TLS too", async () => {
    await using server = await httpsServer("server", (_request, response) => reply(response));
    await using transport = createTransport({ server: server.url, tls: { ca } });
    const read = await readAll(await transport.send(get()), true);
    expect(read.digest).toBe(digest);
    if (name !== inSmallPieces) {
      expect(read.freed).toBeGreaterThan(read.chunks.length / 4);
    }
  });
});

test("a reader so slow that the socket is paused gets every byte", async () => {
  await using server = await httpServer((_request, response) => void inPieces(response, 100_000));
  await using transport = createTransport({ server: server.url });
  const response = await transport.send(get());
  reclaimChunks(response.body);
  const hash = createHash("sha1");
  for await (const chunk of response.body) {
    for (let turn = 0; turn < 5; turn++) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    hash.update(chunk);
  }
  expect(hash.digest("hex")).toBe(digest);
});

test("what a server sends unasked behind a body does not harm it", async () => {
  const response = (text: string) =>
    `HTTP/1.1 200 OK\r\ncontent-length: ${text.length}\r\n\r\n${text}`;
  const text = "x".repeat(30_000);
  await using server = await rawServer((socket) =>
    onRequest(socket, () => socket.write(response(text) + response("unasked"))),
  );
  await using transport = createTransport({ server: server.url });
  const read = await readAll(await transport.send(get()), true);
  expect(read.digest).toBe(createHash("sha1").update(text).digest("hex"));
});

test("over HTTP/2, where a read holds bytes of several streams, nothing is taken back", async () => {
  await using server = await http2Server((_request, response) => response.end(body));
  await using transport = createTransport({ server: server.url, tls: { ca }, http2: true });
  const reads = await Promise.all(
    [true, false, true, false].map(async (promise) =>
      readAll(await transport.send(get()), promise),
    ),
  );
  expect(reads.map((read) => [read.digest, read.freed])).toEqual(Array(4).fill([digest, 0]));
});

describe("a queue of chunks", () => {
  const source = { sharesChunks: false, pause() {}, resume() {}, cancel() {} };
  const whole = () => new Uint8Array(1024).fill(7);

  test("takes a chunk back when the next is asked for, whichever came first", async () => {
    const queue = new ByteQueue(source);
    queue.reclaimChunks();
    const waited = queue.next();
    const [first, second] = [whole(), whole()];
    queue.push(first);
    queue.push(second);
    expect((await waited).value?.byteLength).toBe(1024);
    expect((await queue.next()).value).toBe(second);
    expect([first.byteLength, second.byteLength]).toEqual([0, 1024]);
    queue.end();
    await queue.next();
    expect(second.byteLength).toBe(0);
  });

  test("leaves the last one with a reader that leaves", async () => {
    const queue = new ByteQueue(source);
    queue.reclaimChunks();
    const chunk = whole();
    queue.push(chunk);
    await queue.next();
    await queue.return();
    expect(chunk.byteLength).toBe(1024);
  });
});

test("what Node does not let go of stays", () => {
  const pooled = Buffer.allocUnsafe(1);
  const { byteLength } = pooled.buffer;
  freeChunk(new Uint8Array(pooled.buffer));
  expect([pooled.buffer.byteLength, byteLength]).toEqual([Buffer.poolSize, Buffer.poolSize]);
});

test("only the last and larger part of a piece of memory is taken for all that is left of it", () => {
  const memory = new ArrayBuffer(100);
  const part = (from: number, to: number) => isLastPart(new Uint8Array(memory, from, to - from));
  expect(part(0, 100)).toBe(true);
  expect(part(50, 100)).toBe(true);
  expect(part(51, 100)).toBe(false);
  expect(part(0, 99)).toBe(false);
  // What Node makes small buffers of, the one that fills a pool to its end included.
  const pooled = Array.from({ length: 100 }, () => Buffer.allocUnsafe((Buffer.poolSize >>> 1) - 1));
  expect(pooled.filter(isLastPart)).toEqual([]);
});
