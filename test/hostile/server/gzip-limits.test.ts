import { get as httpGet, type IncomingMessage } from "node:http";
import { gunzipSync, gzipSync } from "node:zlib";
import { defaultLimits } from "@typekube/core/internal";
import { failure, get } from "@typekube/test-support/calls";
import { httpServer, type TestServer } from "@typekube/test-support/servers";
import { describe, expect, test } from "vitest";
import { decodeContent } from "../../../packages/transport/src/body/content-encoding.js";
import { gunzip, type InflateLimits } from "../../../packages/transport/src/body/gunzip.js";
import { createTransport } from "../../../packages/transport/src/index.js";

const megabyte = 1024 * 1024;
const bomb = gzipSync(Buffer.alloc(40 * megabyte));
const request = { method: "GET", path: "/api" };

/** Starts a server that sends the same gzip member without end. */
function endless(member: Buffer): Promise<TestServer> {
  return httpServer((_request, response) => {
    response.setHeader("content-encoding", "gzip");
    const more = () => {
      while (response.writable && !response.destroyed && response.write(member)) {
        // Until the socket's buffer is full.
      }
      response.once("drain", more);
    };
    more();
  });
}

/** Reads a response through the content decoder; returns the number of bytes that came out. */
async function read(
  url: string,
  limits: InflateLimits,
): Promise<{ error: unknown; bytes: number }> {
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    httpGet(url, { agent: false }, resolve).on("error", reject);
  });
  const headers = message.headers as Record<string, string>;
  let bytes = 0;
  try {
    const { body } = await decodeContent({ status: 200, headers, body: message }, limits, request);
    for await (const chunk of body) {
      bytes += chunk.byteLength;
    }
    return { error: undefined, bytes };
  } catch (error) {
    return { error, bytes };
  }
}

describe("limits of a compressed body", () => {
  test.each([
    ["one member", bomb],
    ["many members", gzipSync(Buffer.alloc(10_000))],
  ])("maxInflatedBytes stops a bomb of %s and closes its connection", async (_, member) => {
    await using server = await endless(member);
    const limits = { ...defaultLimits, maxInflatedBytes: 100_000, maxInflateRatio: 1e9 };
    const { error, bytes } = await read(server.url, limits);
    expect(error).toMatchObject({
      code: "TooLarge",
      message: expect.stringContaining("maxInflatedBytes (100000 bytes)"),
      hint: expect.stringContaining("limits.maxInflatedBytes"),
      request,
    });
    expect(bytes).toBeLessThanOrEqual(100_000);
    await server.closed(1);
  });

  test("maxInflateRatio applies once 16 MiB came out", async () => {
    await using server = await endless(bomb);
    const limits = {
      ...defaultLimits,
      maxInflatedBytes: Number.POSITIVE_INFINITY,
      maxInflateRatio: 50,
    };
    const { error, bytes } = await read(server.url, limits);
    expect(error).toMatchObject({
      code: "TooLarge",
      message: expect.stringContaining("maxInflateRatio"),
      hint: expect.stringContaining("limits.maxInflateRatio"),
    });
    expect(bytes).toBeGreaterThan(15 * megabyte);
    expect(bytes).toBeLessThan(17 * megabyte);
    await server.closed(1);
  });

  describe.each([
    ["nothing", ""],
    ["one byte", "x"],
  ])("300,000 gzip members that contain %s", (_, content) => {
    const member = gzipSync(content);
    const body = Buffer.concat(Array<Buffer>(300_000).fill(member));

    test.each([7, 20, 16_384, body.length])(
      "fail with TooLarge after maxSmallGzipMembers, in chunks of %i bytes",
      async (size) => {
        let sent = 0;
        async function* chunks() {
          for (; sent < body.length; sent += size) {
            yield body.subarray(sent, sent + size);
          }
        }
        const limits = { ...defaultLimits, maxSmallGzipMembers: 500 };
        const reading = async () => {
          for await (const _ of gunzip(chunks(), limits, request)) {
            // Reads until it fails.
          }
        };
        const error = await failure(reading());
        expect([error.code, error.message]).toEqual([
          "TooLarge",
          expect.stringContaining("limits.maxSmallGzipMembers"),
        ]);
        // The decoder has read little more than the limit allows.
        const allowed = 502 * member.length * (content === "" ? 1 : 64 / 63);
        expect(sent).toBeLessThanOrEqual(allowed + Math.max(size, 65_536 * Number(size > 65_536)));
      },
    );
  });

  test("reads any number of gzip members that contain a list item each", async () => {
    const member = gzipSync(`{"metadata":{"name":"a"},"data":{"k":"${"v".repeat(60)}"}}`);
    async function* chunks() {
      yield Buffer.concat(Array<Buffer>(20_000).fill(member));
    }
    let bytes = 0;
    for await (const chunk of gunzip(chunks(), defaultLimits, request)) {
      bytes += chunk.byteLength;
    }
    expect(bytes).toBe(20_000 * gunzipSync(member).length);
  });

  test("allows any ratio for a small body", async () => {
    const body = gzipSync(Buffer.alloc(10 * megabyte));
    await using server = await httpServer((_request, response) => {
      response.setHeader("content-encoding", "gzip");
      response.end(body);
    });
    const limits = { ...defaultLimits, maxInflateRatio: 2 };
    expect(await read(server.url, limits)).toEqual({ error: undefined, bytes: 10 * megabyte });
  });

  test.each(["call", "stream"] as const)(
    "the default ratio stops a bomb in a %s, and the transport keeps working",
    async (mode) => {
      let count = 0;
      await using bombs = await httpServer((_request, response) => {
        response.setHeader("content-encoding", "gzip");
        count += 1;
        response.end(count === 1 ? bomb : gzipSync("fine"));
      });
      await using transport = createTransport({ server: bombs.url });
      const read = async () => {
        const { body } = await transport.send(get({ mode }));
        let size = 0;
        for await (const chunk of body) {
          size += chunk.byteLength;
        }
        return size;
      };
      const error = await failure(read());
      expect([error.code, error.message]).toEqual([
        "TooLarge",
        expect.stringContaining("maxInflateRatio"),
      ]);
      expect(await read()).toBe("fine".length);
    },
  );

  test.each(["maxInflatedBytes", "maxInflateRatio"] as const)(
    "a transport's own %s closes the connection, and the transport keeps working",
    async (limit) => {
      await using server = await endless(bomb);
      const value = limit === "maxInflatedBytes" ? 100_000 : 50;
      await using transport = createTransport({ server: server.url, limits: { [limit]: value } });
      for (const closed of [1, 2]) {
        const { body } = await transport.send(get());
        const error = await failure(
          (async () => {
            for await (const _ of body) {
              // Reads until it fails.
            }
          })(),
        );
        expect([error.code, error.message]).toEqual(["TooLarge", expect.stringContaining(limit)]);
        await server.closed(closed);
      }
    },
  );
});
