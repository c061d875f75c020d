import { constants, createDeflate, createInflate } from "node:zlib";
import { describe, expect, it } from "vitest";
import { spdyDictionary } from "../../src/spdy/dictionary.js";
import {
  controlFrame,
  dataFrame,
  frameTypes,
  lastFlag,
  SpdyFrameReader,
  words,
} from "../../src/spdy/frames.js";
import { SpdySession, type SpdySettings, type SpdyStream } from "../../src/spdy/session.js";

/** Passes bytes to a session in chunks, and closes it at their end. */
async function serve(bytes: Buffer, size: number, settings: SpdySettings): Promise<void> {
  const session = new SpdySession(settings);
  try {
    for (let at = 0; at < bytes.byteLength; at += size) {
      await session.receive(bytes.subarray(at, at + size));
    }
  } finally {
    session.close();
  }
}

/** Client side of a connection: compresses headers and collects what the server sends. */
function client() {
  const deflate = createDeflate({ dictionary: spdyDictionary });
  const sent: Buffer[] = [];
  const compress = (bytes: Buffer): Promise<Buffer> =>
    new Promise((resolve) => {
      const chunks: Buffer[] = [];
      const take = (chunk: Buffer) => chunks.push(chunk);
      deflate.on("data", take);
      deflate.write(bytes);
      deflate.flush(constants.Z_SYNC_FLUSH, () => {
        deflate.off("data", take);
        resolve(Buffer.concat(chunks));
      });
    });
  const open = async (id: number, headers: Readonly<Record<string, string>>, flags = 0) => {
    const pairs = Object.entries(headers).flatMap(([name, value]) => [
      words(name.length),
      Buffer.from(name),
      words(value.length),
      Buffer.from(value),
    ]);
    const block = await compress(Buffer.concat([words(pairs.length / 4), ...pairs]));
    const payload = Buffer.concat([words(id, 0), Buffer.from([0, 0]), block]);
    return controlFrame(frameTypes.open, flags, payload);
  };
  return { open, sent, send: async (bytes: Uint8Array) => void sent.push(Buffer.from(bytes)) };
}

describe("streams of SPDY/3.1", () => {
  it("§3.21: open with headers, carry data both ways and end, whatever the chunks", async () => {
    for (const size of [1, 7, 4_096]) {
      const { open, sent, send } = client();
      const bytes = Buffer.concat([
        await open(1, { streamtype: "error", port: "80", requestid: "0" }, lastFlag),
        await open(3, { streamtype: "data", port: "80", requestid: "0" }),
        dataFrame(3, 0, Buffer.from("hel")),
        controlFrame(frameTypes.ping, 0, words(9)),
        dataFrame(3, lastFlag, Buffer.from("lo")),
      ]);
      const work: Promise<void>[] = [];
      const seen: string[] = [];
      const onStream = (stream: SpdyStream) => {
        seen.push(`${stream.headers.get("streamtype")} ${stream.headers.get("port")}`);
        work.push(
          (async () => {
            for await (const chunk of stream.data) {
              await stream.write(chunk);
            }
            await stream.end();
            await stream.end();
          })(),
        );
      };
      const session = new SpdySession({ send, onStream });
      for (let at = 0; at < bytes.byteLength; at += size) {
        await session.receive(bytes.subarray(at, at + size));
      }
      await Promise.all(work);
      session.close();
      expect(seen).toEqual(["error 80", "data 80"]);
      const frames = new SpdyFrameReader(10_000).read(Buffer.concat(sent));
      const replies = frames.filter(({ type }) => type === frameTypes.reply);
      expect(replies.map(({ payload }) => payload.readUInt32BE(0))).toEqual([1, 3]);
      const pings = frames.filter(({ type }) => type === frameTypes.ping);
      expect(pings.map(({ payload }) => payload.readUInt32BE(0))).toEqual([9]);
      const data = frames.filter(({ type, stream }) => type === frameTypes.data && stream === 3);
      expect(Buffer.concat(data.map(({ payload }) => payload)).toString()).toBe("hello");
      expect(data.map(({ flags }) => flags).at(-1)).toBe(lastFlag);
      const inflate = createInflate({ dictionary: spdyDictionary });
      inflate.write(Buffer.concat(replies.map(({ payload }) => payload.subarray(4))));
      await new Promise<void>((resolve) => inflate.flush(constants.Z_SYNC_FLUSH, resolve));
      expect(inflate.read()).toEqual(Buffer.alloc(8));
    }
  });

  it.each([
    ["a frame above the size limit", Buffer.from("00000001007fffff", "hex")],
    ["another version", controlFrame(frameTypes.ping, 0, words(1)).fill(0x02, 1, 2)],
    [
      "a header block that cannot be inflated",
      controlFrame(
        frameTypes.open,
        0,
        Buffer.concat([words(1, 0), Buffer.from("0000deadbeef", "hex")]),
      ),
    ],
    ["an open frame without a stream ID", controlFrame(frameTypes.open, 0, Buffer.from([1]))],
  ])("%s closes the connection with a handled error", async (_, bytes) => {
    const { send } = client();
    await expect(serve(bytes, 64, { send, onStream: () => {} })).rejects.toThrow();
  });

  it("rejects headers that inflate too much", async () => {
    const { open, send } = client();
    const bytes = await open(1, { a: "x".repeat(200_000) });
    await expect(serve(bytes, 4_096, { send, onStream: () => {} })).rejects.toThrow(
      "the headers of a stream are too large",
    );
  });

  it("resets streams beyond the limit and keeps the earlier ones", async () => {
    const { open, sent, send } = client();
    const opening: Buffer[] = [];
    for (let at = 0; at < 203; at++) {
      opening.push(await open(2 * at + 1, { port: "1" }));
    }
    let count = 0;
    const onStream = () => {
      count += 1;
    };
    await serve(Buffer.concat(opening), 4_096, { send, onStream, maxStreams: 200 });
    expect(count).toBe(200);
    const frames = new SpdyFrameReader(10_000).read(Buffer.concat(sent));
    expect(frames.filter(({ type }) => type === frameTypes.reset).length).toBe(3);
  });

  /** Connects two sessions, and returns both with the streams that the second one receives. */
  function connected(more: Partial<SpdySettings> = {}) {
    const received: SpdyStream[] = [];
    const ends: SpdySession[] = [];
    const to = (at: number) => async (bytes: Uint8Array) => {
      await ends[at]?.receive(Buffer.from(bytes));
    };
    ends.push(new SpdySession({ send: to(1), ...more }));
    ends.push(new SpdySession({ send: to(0), onStream: (stream) => received.push(stream) }));
    return { session: ends[0] as SpdySession, peer: ends[1] as SpdySession, received };
  }

  const textOf = async (stream: SpdyStream) => {
    let text = "";
    for await (const chunk of stream.data) {
      text += Buffer.from(chunk).toString();
    }
    return text;
  };

  it("XP3, XP4: a client opens many at once; ending one side leaves the other open", async () => {
    const { session, received } = connected();
    const streams = await Promise.all(
      Array.from({ length: 50 }, (_, at) => session.open({ StreamType: "data", port: String(at) })),
    );
    expect(received.map(({ headers }) => headers.get("port"))).toEqual(
      streams.map((_, at) => String(at)),
    );
    const [stream, other] = [streams[7] as SpdyStream, received[7] as SpdyStream];
    await stream.write(Buffer.from("question"));
    await stream.end();
    expect(await textOf(other)).toBe("question");
    await other.write(Buffer.from("answer"));
    await other.end();
    expect(await textOf(stream)).toBe("answer");
    expect([stream.wasReset, session.size]).toEqual([false, 49]);
  });

  it("XP6, XP14: a reset ends both sides, and no ended stream is kept", async () => {
    const { session, peer, received } = connected();
    for (let count = 0; count < 300; count++) {
      const stream = await session.open({ port: "80" });
      const other = received.at(-1) as SpdyStream;
      await (count % 2 === 0 ? stream : other).reset();
      expect(await textOf(count % 2 === 0 ? other : stream)).toBe("");
      expect((count % 2 === 0 ? other : stream).wasReset).toBe(true);
    }
    expect([session.size, peer.size]).toEqual([0, 0]);
  });

  it("XP13: says when a slow reader of one stream stops all", async () => {
    let stalls = 0;
    const { session, received } = connected({ onStall: () => (stalls += 1) });
    const stream = await session.open({ port: "80" });
    const other = received[0] as SpdyStream;
    const writing = (async () => {
      for (let count = 0; count < 40; count++) {
        await other.write(Buffer.alloc(64 * 1024));
      }
      await other.end();
    })();
    await expect.poll(() => stalls).toBeGreaterThan(0);
    let bytes = 0;
    for await (const chunk of stream.data) {
      bytes += chunk.byteLength;
    }
    await writing;
    expect(bytes).toBe(40 * 64 * 1024);
  });

  it("XP17: a ping resolves with its answer; the end of the session ends everything", async () => {
    const { session, peer } = connected();
    await session.ping();
    const stream = await session.open({ port: "80" });
    session.close();
    expect(await textOf(stream)).toBe("");
    await expect(session.open({ port: "80" })).rejects.toThrow();
    await session.ping();
    peer.close();
  });
});
