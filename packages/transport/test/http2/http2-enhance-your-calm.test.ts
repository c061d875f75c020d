import { constants } from "node:http2";
import type { Clock } from "@typekube/core/internal";
import { deferred, failure, get, text } from "@typekube/test-support/calls";
import { manualClock } from "@typekube/test-support/manual-clock";
import { fixture } from "@typekube/test-support/servers";
import { describe, expect, test } from "vitest";
import { createTransport } from "../../src/index.js";
import {
  type FramePeer,
  field,
  frame,
  frameFlags,
  framePeer,
  frameTypes,
  words,
} from "../helpers/http2-frames.js";

const calm = constants.NGHTTP2_ENHANCE_YOUR_CALM;
const status200 = Buffer.from([0x88]);
const post = get({ method: "POST", body: Buffer.from("{}") });
const rst = (stream: number) => frame(frameTypes.rstStream, 0, stream, words(calm));

function transportTo({ url }: FramePeer, maxHeaderBytes = 64 * 1024, clock?: Clock) {
  return createTransport({
    server: url,
    tls: { ca: fixture("ca.pem") },
    http2: true,
    limits: { maxHeaderBytes },
    clock,
  });
}

function headers(stream: number, block: Buffer): Buffer {
  return frame(frameTypes.headers, frameFlags.endHeaders, stream, block);
}

const body = (stream: number) =>
  frame(frameTypes.data, frameFlags.endStream, stream, Buffer.from("{}"));

describe("ENHANCE_YOUR_CALM from a server is not reported as a header limit", () => {
  test("RST_STREAM before the response", async () => {
    await using peer = await framePeer((stream, write) => write(rst(stream)));
    await using transport = transportTo(peer);
    const error = await failure(transport.send(post));
    expect(error.code).toBe("ConnectionReset");
    expect(error.message).toContain("was reset with ENHANCE_YOUR_CALM before a response");
    expect(error.message).toContain("rateLimit");
    expect(error.message).not.toContain("maxHeaderBytes");
  });

  test("RST_STREAM next to another stream that receives much data", async () => {
    await using peer = await framePeer((stream, write) => {
      if (stream === 1) {
        write(headers(1, status200));
      } else {
        const data = frame(frameTypes.data, 0, 1, Buffer.alloc(16_000));
        write(...Array.from({ length: 60 }, () => data), rst(stream));
      }
    });
    await using transport = transportTo(peer);
    const open = await transport.send(get({ path: "/watch", mode: "stream" }));
    const error = await failure(transport.send({ ...post, mode: "stream" }));
    expect(error.code).toBe("ConnectionReset");
    expect(error.message).toContain("ENHANCE_YOUR_CALM");
    await open.body[Symbol.asyncIterator]().return?.();
  });

  test("RST_STREAM during the body", async () => {
    await using peer = await framePeer((stream, write) =>
      write(
        headers(stream, status200),
        frame(frameTypes.data, 0, stream, Buffer.from("abc")),
        rst(stream),
      ),
    );
    await using transport = transportTo(peer);
    const error = await failure(transport.send(post).then(text));
    expect(error.code).toBe("ConnectionReset");
    expect(error.message).toMatch(/ENHANCE_YOUR_CALM: the body ended after \d bytes/);
  });

  test("GOAWAY that includes the stream as processed", async () => {
    await using peer = await framePeer((stream, write) =>
      write(frame(frameTypes.goaway, 0, 0, words(stream, calm))),
    );
    await using transport = transportTo(peer);
    const error = await failure(transport.send(post));
    expect(error.code).toBe("ConnectionReset");
    expect(error.message).toContain("ENHANCE_YOUR_CALM");
    expect(error.message).not.toContain("maxHeaderBytes");
  });
});

describe("our header limits over HTTP/2 apply before Node's", () => {
  const limit = 2_000;

  test.each([
    ["one long field", [field("x", "y".repeat(3_000))]],
    ["many short fields", Array.from({ length: 500 }, (_, i) => field(`x${i}`, ""))],
    // Index 62 is the newest entry of the dynamic table: each further field takes 1 byte.
    ["a compressed field, repeated", [field("x", "y".repeat(100), true), Buffer.alloc(30, 190)]],
  ])("%s: TooLarge, and the session continues", async (_name, fields) => {
    let sessions = 0;
    await using peer = await framePeer((stream, write) => {
      sessions += stream === 1 ? 1 : 0;
      const block = Buffer.concat([status200, ...(stream === 1 ? fields : [])]);
      write(headers(stream, block), body(stream));
    });
    await using transport = transportTo(peer, limit);
    const error = await failure(transport.send(post));
    expect(error.code).toBe("TooLarge");
    expect(error.message).toContain("limits.maxHeaderBytes");
    expect(await text(await transport.send(post))).toBe("{}");
    expect(sessions).toBe(1);
  });

  test("reads 300 fields that are within the size limit", async () => {
    const fields = Array.from({ length: 300 }, (_, i) => field(`x-${i}`, "y"));
    await using peer = await framePeer((stream, write) =>
      write(headers(stream, Buffer.concat([status200, ...fields])), body(stream)),
    );
    await using transport = transportTo(peer);
    const response = await transport.send(post);
    expect(response.headers["x-299"]).toBe("y");
    expect(await text(response)).toBe("{}");
  });

  test("Node resets a bomb of repeated fields; the error cannot tell who reset the stream", async () => {
    const block = Buffer.concat([
      status200,
      field("x", "y".repeat(4_000), true),
      Buffer.alloc(1_000, 190),
    ]);
    await using peer = await framePeer((stream, write) =>
      write(headers(stream, stream === 1 ? status200 : block), body(stream)),
    );
    await using transport = transportTo(peer);
    // The limit applies to streams that start after the peer has acknowledged the settings.
    expect(await text(await transport.send(post))).toBe("{}");
    const error = await failure(transport.send(post));
    expect(error.code).toBe("ConnectionReset");
    expect(error.message).toContain("was reset with ENHANCE_YOUR_CALM before a response");
  });

  test("more CONTINUATION frames than Node reads are TooLarge", async () => {
    const part = Buffer.concat(
      Array.from({ length: 16 }, (_, i) => field(`x${i}`, "y".repeat(900))),
    );
    await using peer = await framePeer((stream, write) =>
      write(
        frame(frameTypes.headers, 0, stream, Buffer.concat([status200, part])),
        ...Array.from({ length: 12 }, () => frame(frameTypes.continuation, 0, stream, part)),
        frame(frameTypes.continuation, frameFlags.endHeaders, stream, part),
      ),
    );
    await using transport = transportTo(peer);
    const error = await failure(transport.send(post));
    expect(error.code).toBe("TooLarge");
    expect(error.message).toContain("more HTTP/2 frames");
  });

  test("the error for a field above 64 KiB, which Node does not read, names the limit", async () => {
    const block = Buffer.concat([status200, field("x", "y".repeat(70_000))]);
    const responded = deferred();
    await using peer = await framePeer((stream, write) => {
      const [first, ...others] = partsOf(block, 16_000);
      const last = others.pop() ?? Buffer.alloc(0);
      write(
        frame(frameTypes.headers, 0, stream, first ?? last),
        ...others.map((part) => frame(frameTypes.continuation, 0, stream, part)),
        frame(frameTypes.continuation, frameFlags.endHeaders, stream, last),
      );
    }, responded.resolve);
    const clock = manualClock();
    await using transport = transportTo(peer, 1024 * 1024, clock);
    const failed = failure(transport.send(post));
    // Node has read the field now. Node 20 does not report it, so a PING has to detect it.
    await responded.promise;
    clock.advance(30_000);
    await new Promise(setImmediate);
    clock.advance(15_000);
    const error = await failed;
    expect(error.code).toBe("ConnectionReset");
    expect(error.message).toContain("a header field above 64 KiB: set http2: false");
  });
});

function partsOf(bytes: Buffer, length: number): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.byteLength / length) }, (_, at) =>
    bytes.subarray(at * length, (at + 1) * length),
  );
}
