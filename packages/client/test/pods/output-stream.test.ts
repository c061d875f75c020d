import { describe, expect, it } from "vitest";
import { OutputStream } from "../../src/pod-sessions/output-stream.js";

const bytes = (text: string) => Buffer.from(text);
const half = bytes("x".repeat(200 * 1024));

/** Reads a stream to its end, in the chunks that come. */
async function chunksOf(stream: OutputStream): Promise<string[]> {
  const chunks: string[] = [];
  for await (const chunk of stream) {
    chunks.push(String(chunk));
  }
  return chunks;
}

describe("the iteration over an output", () => {
  it("yields chunks as they come, and what waited before in one piece", async () => {
    const stream = new OutputStream();
    void stream.deliver(bytes("a"));
    void stream.deliver(bytes("b"));
    const iterator = stream[Symbol.asyncIterator]();
    expect(String((await iterator.next()).value)).toBe("ab");
    const next = iterator.next();
    void stream.deliver(bytes("c"));
    void stream.deliver(bytes("d"));
    stream.push(null);
    expect(String((await next).value)).toBe("c");
    expect(String((await iterator.next()).value)).toBe("d");
    expect((await iterator.next()).done).toBe(true);
    expect(stream.readableEnded).toBe(true);
  });

  it("yields chunks that come before the end while the first one is handled", async () => {
    const stream = new OutputStream();
    void stream.deliver(bytes("a"));
    const seen: string[] = [];
    for await (const chunk of stream) {
      if (seen.push(String(chunk)) === 1) {
        void stream.deliver(bytes("b"));
        stream.push(null);
      }
    }
    expect(seen).toEqual(["a", "b"]);
  });

  it("is empty for an output that ended empty, and whole for one that ended before", async () => {
    const empty = new OutputStream();
    empty.push(null);
    expect(await chunksOf(empty)).toEqual([]);
    const whole = new OutputStream();
    void whole.deliver(bytes("a"));
    whole.push(null);
    expect(await chunksOf(whole)).toEqual(["a"]);
  });

  it("lets the process wait while too much is unread", async () => {
    const stream = new OutputStream();
    const iterator = stream[Symbol.asyncIterator]();
    const first = iterator.next();
    await Promise.resolve();
    expect(stream.deliver(half)).toBeUndefined();
    await first;
    expect(stream.deliver(half)).toBeUndefined();
    const room = stream.deliver(half);
    expect(room).toBeInstanceOf(Promise);
    await iterator.next();
    await room;
  });

  it("XT15: lets the process wait while too many small chunks are unread", async () => {
    const stream = new OutputStream();
    const iterator = stream[Symbol.asyncIterator]();
    void iterator.next();
    await Promise.resolve();
    let count = 0;
    while (count < 100_000 && stream.deliver(bytes("x")) === undefined) {
      count += 1;
    }
    expect(count).toBeLessThan(10_000);
    await iterator.return(undefined);
  });

  it("throws the error of the stream, whether it came before or meanwhile", async () => {
    const error = new Error("lost");
    const before = new OutputStream();
    before.destroy(error);
    await expect(chunksOf(before)).rejects.toBe(error);
    const meanwhile = new OutputStream();
    const reading = chunksOf(meanwhile);
    void meanwhile.deliver(bytes("a"));
    meanwhile.destroy(error);
    await expect(reading).rejects.toBe(error);
  });

  it("destroys the stream when it is left, and then drops what is delivered", async () => {
    const stream = new OutputStream();
    void stream.deliver(bytes("a"));
    for await (const _ of stream) {
      break;
    }
    expect(stream.destroyed).toBe(true);
    expect(stream.deliver(half)).toBeUndefined();
    expect(stream.deliver(half)).toBeUndefined();
  });

  it("decodes texts of a stream that has an encoding", async () => {
    const stream = new OutputStream();
    stream.setEncoding("utf8");
    const [first, second] = [bytes("ä").subarray(0, 1), bytes("ä").subarray(1)];
    void stream.deliver(first);
    void stream.deliver(second);
    stream.push(null);
    expect((await chunksOf(stream)).join("")).toBe("ä");
  });
});
