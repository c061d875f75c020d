import { constants, createDeflate, createInflate } from "node:zlib";
import { describe, expect, it } from "vitest";
import { spdyDictionary } from "../src/pod-streams/spdy/dictionary.js";
import {
  controlFrame,
  createSpdyReader,
  dataFrame,
  frameType,
  lastFlag,
  words,
} from "../src/pod-streams/spdy/frames.js";
import { type SpdyStream, serveStreams } from "../src/pod-streams/spdy/serve-streams.js";

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
    return controlFrame(frameType.open, flags, payload);
  };
  return { open, sent, send: async (bytes: Uint8Array) => void sent.push(Buffer.from(bytes)) };
}

async function* inChunks(bytes: Buffer, size: number): AsyncGenerator<Buffer, void, undefined> {
  for (let at = 0; at < bytes.byteLength; at += size) {
    yield bytes.subarray(at, at + size);
  }
}

describe("streams of SPDY/3.1", () => {
  it("§3.21: open with headers, carry data both ways and end, whatever the chunks", async () => {
    for (const size of [1, 7, 4_096]) {
      const { open, sent, send } = client();
      const bytes = Buffer.concat([
        await open(1, { streamtype: "error", port: "80", requestid: "0" }, lastFlag),
        await open(3, { streamtype: "data", port: "80", requestid: "0" }),
        dataFrame(3, 0, Buffer.from("hel")),
        controlFrame(frameType.ping, 0, words(9)),
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
      await serveStreams({ chunks: inChunks(bytes, size), send }, onStream);
      await Promise.all(work);
      expect(seen).toEqual(["error 80", "data 80"]);
      const frames = createSpdyReader(10_000)(Buffer.concat(sent));
      const replies = frames.filter(({ type }) => type === frameType.reply);
      expect(replies.map(({ payload }) => payload.readUInt32BE(0))).toEqual([1, 3]);
      const pings = frames.filter(({ type }) => type === frameType.ping);
      expect(pings.map(({ payload }) => payload.readUInt32BE(0))).toEqual([9]);
      const data = frames.filter(({ type, stream }) => type === frameType.data && stream === 3);
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
    ["another version", controlFrame(frameType.ping, 0, words(1)).fill(0x02, 1, 2)],
    [
      "a header block that cannot be inflated",
      controlFrame(
        frameType.open,
        0,
        Buffer.concat([words(1, 0), Buffer.from("0000deadbeef", "hex")]),
      ),
    ],
    ["an open frame without a stream ID", controlFrame(frameType.open, 0, Buffer.from([1]))],
  ])("%s closes the connection with a handled error", async (_, bytes) => {
    const { send } = client();
    await expect(serveStreams({ chunks: inChunks(bytes, 64), send }, () => {})).rejects.toThrow();
  });

  it("rejects headers that inflate too much", async () => {
    const { open, send } = client();
    const bytes = await open(1, { a: "x".repeat(200_000) });
    await expect(serveStreams({ chunks: inChunks(bytes, 4_096), send }, () => {})).rejects.toThrow(
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
    await serveStreams({ chunks: inChunks(Buffer.concat(opening), 4_096), send }, () => {
      count += 1;
    });
    expect(count).toBe(200);
    const frames = createSpdyReader(10_000)(Buffer.concat(sent));
    expect(frames.filter(({ type }) => type === frameType.reset).length).toBe(3);
  });
});
