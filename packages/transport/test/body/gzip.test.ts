import { gzipSync } from "node:zlib";
import { KubeError } from "@typekube/core";
import { defaultLimits } from "@typekube/core/internal";
import { bytesOf, deferred, failure, get, text } from "@typekube/test-support/calls";
import { httpServer, onRequest, rawServer } from "@typekube/test-support/servers";
import { describe, expect, test } from "vitest";
import { gunzip } from "../../src/body/gunzip.js";
import { createTransport } from "../../src/index.js";
import { errorFromResponse } from "../../src/internal.js";

const limits = { ...defaultLimits, maxInflatedBytes: 1e6 };

async function all(source: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) {
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** Returns a gzip member with one byte changed. */
function damaged(at: number): Buffer {
  const member = gzipSync("abc");
  const [byte = 0] = member.subarray(at);
  member.set([byte ^ 0xff], at < 0 ? member.length + at : at);
  return member;
}

describe("gzip", () => {
  test("requests exactly gzip, and no encoding with disableCompression", async () => {
    await using server = await httpServer((request, response) =>
      response.end(`${request.headers["accept-encoding"]}`),
    );
    await using asking = createTransport({ server: server.url });
    await using silent = createTransport({ server: server.url, disableCompression: true });
    expect(await text(await asking.send(get()))).toBe("gzip");
    expect(await text(await silent.send(get()))).toBe("undefined");
  });

  test("ALT27, OLD13: decodes a body by its header, and removes the headers that describe the encoded bytes", async () => {
    const body = gzipSync(JSON.stringify({ items: Array(10_000).fill("pod") }));
    await using server = await httpServer((_request, response) => {
      response.setHeader("content-encoding", "gzip");
      response.setHeader("content-length", body.byteLength);
      response.end(body);
    });
    await using transport = createTransport({ server: server.url });
    const response = await transport.send(get());
    expect(response.headers).not.toHaveProperty("content-encoding");
    expect(response.headers).not.toHaveProperty("content-length");
    expect(JSON.parse(await text(response))).toEqual({ items: Array(10_000).fill("pod") });
  });

  test("W16: inflates members that are split at any place", async () => {
    const members = Buffer.concat([gzipSync("first\n"), gzipSync(""), gzipSync("second\n")]);
    for (let i = 0; i <= members.byteLength; i += 1) {
      const split = bytesOf(
        ...[members.subarray(0, i), members.subarray(i)].filter((b) => b.length),
      );
      expect(await all(gunzip(split, limits))).toBe("first\nsecond\n");
    }
    const single = [...members].map((byte) => Buffer.of(byte));
    expect(await all(gunzip(bytesOf(...single), limits))).toBe("first\nsecond\n");
  });

  test("W16: delivers each member before the next one is sent", async () => {
    const next = [deferred(), deferred()];
    await using server = await rawServer((socket) =>
      onRequest(socket, () => {
        const chunk = (data: Buffer) => {
          socket.write(`${data.byteLength.toString(16)}\r\n`);
          socket.write(data);
          socket.write("\r\n");
        };
        socket.write(
          "HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ntransfer-encoding: chunked\r\n\r\n",
        );
        chunk(gzipSync("one\n"));
        void next[0]?.promise.then(() => chunk(gzipSync("two\n")));
        void next[1]?.promise.then(() => socket.write("0\r\n\r\n"));
      }),
    );
    await using transport = createTransport({ server: server.url });
    const response = await transport.send(get({ mode: "stream" }));
    const seen: string[] = [];
    for await (const chunk of response.body) {
      next[seen.length]?.resolve();
      seen.push(Buffer.from(chunk).toString());
    }
    expect(seen).toEqual(["one\n", "two\n"]);
  });

  test("cancelling a gzip stream, or aborting while it is silent, releases the connection", async () => {
    await using server = await rawServer((socket) =>
      onRequest(socket, () => {
        const member = gzipSync("one\n");
        socket.write(
          "HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ntransfer-encoding: chunked\r\n\r\n",
        );
        socket.write(`${member.byteLength.toString(16)}\r\n`);
        socket.write(member);
        socket.write("\r\n");
      }),
    );
    await using transport = createTransport({ server: server.url });
    const broken = await transport.send(get({ mode: "stream" }));
    for await (const _chunk of broken.body) {
      break;
    }
    await server.closed(1);

    const controller = new AbortController();
    const aborted = await transport.send(get({ mode: "stream", signal: controller.signal }));
    const iterator = aborted.body[Symbol.asyncIterator]();
    await iterator.next();
    const waiting = iterator.next();
    controller.abort();
    await expect(waiting).rejects.toBe(controller.signal.reason);
    await server.closed(2);
  });

  test.each(["call", "stream"] as const)(
    "cancelling the response to a %s before its first byte is read releases the connection",
    async (mode) => {
      await using server = await httpServer((_request, response) => {
        response.setHeader("content-encoding", "gzip");
        response.write(gzipSync("one\n"));
      });
      await using transport = createTransport({ server: server.url });
      const { body } = await transport.send(get({ mode }));
      await body[Symbol.asyncIterator]().return?.();
      await server.closed(1);
    },
  );

  test("stops a gzip bomb at the limit, and distinguishes a truncated member from invalid gzip", async () => {
    const bomb = await failure(
      all(
        gunzip(bytesOf(gzipSync(Buffer.alloc(1_000_000))), {
          ...limits,
          maxInflatedBytes: 100_000,
        }),
      ),
    );
    expect(bomb.code).toBe("TooLarge");
    const cut = await failure(all(gunzip(bytesOf(gzipSync("abc").subarray(0, -5)), limits)));
    expect(cut.code).toBe("ConnectionClosed");
    const lie = await failure(all(gunzip(bytesOf("{}"), limits)));
    expect(lie.code).toBe("Decode");
    expect(await all(gunzip(bytesOf(), limits))).toBe("");
  });

  test.each([
    ["a wrong gzip checksum", damaged(-8)],
    ["a wrong gzip length", damaged(-4)],
    ["garbage after the end", Buffer.concat([gzipSync("abc"), Buffer.from("garbage")])],
    ["an unknown compression method", damaged(2)],
    ["a damaged second member", Buffer.concat([gzipSync("abc"), damaged(-8)])],
  ])("%s is a Decode error, wherever the chunks are split", async (_, body) => {
    for (let i = 0; i <= body.byteLength; i += 1) {
      const split = bytesOf(...[body.subarray(0, i), body.subarray(i)].filter((b) => b.length));
      expect((await failure(all(gunzip(split, limits)))).code).toBe("Decode");
    }
  });

  test("ignores zeros after the end as padding, and does not hang on data behind them", async () => {
    const padded = Buffer.concat([gzipSync("abc"), Buffer.alloc(20)]);
    expect(await all(gunzip(bytesOf(padded), limits))).toBe("abc");
    const more = bytesOf(padded, gzipSync("def"));
    await all(gunzip(more, limits)).catch((error: unknown) =>
      expect(error).toBeInstanceOf(KubeError),
    );
  });

  test.each(["br", "deflate", "zstd", "gzip, gzip", "gzip, br", "compress", "x".repeat(1000)])(
    "rejects the encoding %s by name and releases the connection",
    async (encoding) => {
      await using server = await httpServer((_request, response) => {
        response.setHeader("content-encoding", encoding);
        response.write("x".repeat(100_000));
      });
      await using transport = createTransport({ server: server.url });
      const error = await failure(transport.send(get()));
      expect(error.code).toBe("Decode");
      expect(error.message).toContain(`content-encoding ${encoding.slice(0, 60)},`);
      expect(error.message).toContain("accepts only gzip");
      expect(error.request).toEqual({ method: "GET", path: "/api" });
      await server.closed(1);
    },
  );

  test.each([
    ["x-gzip", gzipSync("abc")],
    ["GZIP", gzipSync("abc")],
    ["identity", Buffer.from("abc")],
    ["", Buffer.from("abc")],
  ])("accepts the content-encoding %j", async (encoding, body) => {
    await using server = await httpServer((_request, response) => {
      response.setHeader("content-encoding", encoding);
      response.end(body);
    });
    await using transport = createTransport({ server: server.url });
    expect(await text(await transport.send(get()))).toBe("abc");
  });

  test("an error response in an encoding we did not request keeps its status and is retried", async () => {
    const statuses = [503, 200, 502];
    await using server = await httpServer((_request, response) => {
      response.statusCode = statuses.shift() ?? 500;
      if (response.statusCode !== 200) {
        response.setHeader("content-encoding", "br");
        response.setHeader("retry-after", "0");
      }
      response.write("x");
      if (response.statusCode === 200) {
        response.end();
      }
    });
    await using transport = createTransport({ server: server.url });
    expect(await text(await transport.send(get()))).toBe("x");
    await server.closed(1);
    const request = get();
    await using once = createTransport({ server: server.url, maxRetries: 0 });
    const error = await errorFromResponse(request, await once.send(request));
    expect([error.httpStatus, error.code]).toEqual([502, "InternalError"]);
    expect(String(error.cause)).toContain("content-encoding br");
    await server.closed(2);
  });
});
