import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { type HttpResponse, reclaimChunks } from "@typekube/core/internal";
import { get } from "@typekube/test-support/calls";
import {
  fixture,
  httpServer,
  httpsServer,
  onRequest,
  rawServer,
} from "@typekube/test-support/servers";
import { describe, expect, test, vi } from "vitest";
import { ByteQueue, maxQueuedBytes } from "../../src/body/byte-queue.js";
import { freeChunk, isLastPart } from "../../src/body/chunk-memory.js";
import { createTransport } from "../../src/index.js";
import { http2Server } from "../helpers/http2-server.js";

// Node 20 has no transfer(), so freeing would do nothing; structuredClone() can replace it here.
vi.hoisted(() => {
  const prototype = ArrayBuffer.prototype as { transfer?: (this: ArrayBuffer) => void };
  prototype.transfer ??= function transfer(this: ArrayBuffer) {
    structuredClone(this, { transfer: [this] });
  };
});

/** Compressible like a list: gzip shrinks it to a tenth. */
const body = Buffer.from(
  Array.from(
    { length: 30_000 },
    () =>
      `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"${randomBytes(3).toString("hex")}","namespace":"default"}},`,
  ).join("\n"),
);
const ca = fixture("ca.pem");

/** Reads a body like a decoder: processes each chunk before it requests the next. */
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
  // A freed chunk has no length.
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

/** Each piece is smaller than half of a read. */
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
  test("is freed chunk by chunk when the reader releases each chunk", async () => {
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

  test("is kept when the reader does not release chunks", async () => {
    await using server = await httpServer((_request, response) => reply(response));
    await using transport = createTransport({ server: server.url });
    const read = await readAll(await transport.send(get()), false);
    expect(read.freed).toBe(0);
    expect(Buffer.concat(read.chunks).equals(body)).toBe(true);
  });

  test("is freed after reading over TLS too", async () => {
    await using server = await httpsServer("server", (_request, response) => reply(response));
    await using transport = createTransport({ server: server.url, tls: { ca } });
    const read = await readAll(await transport.send(get()), true);
    expect(read.digest).toBe(digest);
    if (name !== inSmallPieces) {
      expect(read.freed).toBeGreaterThan(read.chunks.length / 4);
    }
  });
});

test("a reader so slow that the socket pauses gets every byte", async () => {
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

test("a socket that has nothing to read when it continues does not end later bodies", async () => {
  // undici then hands out an empty part of memory that it uses again in every such case.
  let sendRest = () => {};
  await using server = await httpServer((_request, response) => {
    response.setHeader("content-length", body.length);
    response.write(body.subarray(0, maxQueuedBytes));
    sendRest = () => response.end(body.subarray(maxQueuedBytes));
  });
  await using transport = createTransport({ server: server.url });
  for (let call = 0; call < 3; call++) {
    const response = await transport.send(get());
    reclaimChunks(response.body);
    for (let turn = 0; turn < 50; turn++) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    const hash = createHash("sha1");
    let received = 0;
    for await (const chunk of response.body) {
      expect(chunk.byteLength).toBeGreaterThan(0);
      hash.update(chunk);
      received += chunk.byteLength;
      if (received === maxQueuedBytes) {
        setImmediate(sendRest);
      }
    }
    expect(hash.digest("hex")).toBe(digest);
  }
});

test("an unexpected second response does not damage the body", async () => {
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

test("frees nothing over HTTP/2, where one read contains bytes of several streams", async () => {
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

  test("frees a chunk when the next one is requested, whether the read or the chunk came first", async () => {
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

  test("passes over empty chunks, whose memory belongs to somebody else", async () => {
    const queue = new ByteQueue(source);
    queue.reclaimChunks();
    const empty = new Uint8Array(0);
    queue.push(empty);
    queue.push(whole());
    expect((await queue.next()).value?.byteLength).toBe(1024);
    queue.end();
    expect((await queue.next()).done).toBe(true);
    // Throws when the memory was detached.
    new Uint8Array(1).set(empty);
  });

  test("keeps the last chunk when the reader cancels", async () => {
    const queue = new ByteQueue(source);
    queue.reclaimChunks();
    const chunk = whole();
    queue.push(chunk);
    await queue.next();
    await queue.return();
    expect(chunk.byteLength).toBe(1024);
  });
});

test("leaves memory that Node does not release", () => {
  const pooled = Buffer.allocUnsafe(1);
  const { byteLength } = pooled.buffer;
  freeChunk(new Uint8Array(pooled.buffer));
  expect([pooled.buffer.byteLength, byteLength]).toEqual([Buffer.poolSize, Buffer.poolSize]);
});

test("frees only the last part of a piece of memory, and only when it is at least half", () => {
  const memory = new ArrayBuffer(100);
  const part = (from: number, to: number) => isLastPart(new Uint8Array(memory, from, to - from));
  expect(part(0, 100)).toBe(true);
  expect(part(50, 100)).toBe(true);
  expect(part(51, 100)).toBe(false);
  expect(part(0, 99)).toBe(false);
  expect(isLastPart(new Uint8Array(0))).toBe(false);
  expect(part(100, 100)).toBe(false);
  // Node's pool for small buffers, including the buffer that fills a pool to its end.
  const pooled = Array.from({ length: 100 }, () => Buffer.allocUnsafe((Buffer.poolSize >>> 1) - 1));
  expect(pooled.filter(isLastPart)).toEqual([]);
});
