import { describe, expect, it } from "vitest";
import { ByteQueue, maxTurnBytes } from "../../src/body/byte-queue.js";

const source = { sharesChunks: false, pause() {}, resume() {}, cancel() {} };
const chunk = new Uint8Array(64 * 1024);

describe("a body that is always ready", () => {
  it("yields to the event loop after maxTurnBytes", async () => {
    const queue = new ByteQueue(source);
    const chunks = 64;
    let inThisTurn = 0;
    let most = 0;
    let turning = true;
    const turn = () => {
      inThisTurn = 0;
      if (turning) {
        setImmediate(turn);
      }
    };
    setImmediate(turn);
    // Like a socket that is always ready, within one turn of the event loop.
    for (let pushed = 0; pushed < chunks; pushed++) {
      queue.push(chunk);
    }
    queue.end();
    let read = 0;
    for await (const bytes of queue) {
      read += bytes.length;
      inThisTurn += bytes.length;
      most = Math.max(most, inThisTurn);
    }
    turning = false;
    expect(read).toBe(chunks * chunk.length);
    expect(most).toBeLessThanOrEqual(maxTurnBytes);
  });

  it("gives arrived chunks between two steps, at most maxTurnBytes in a turn, each once", async () => {
    const queue = new ByteQueue(source);
    const chunks = 16;
    for (let pushed = 0; pushed < chunks; pushed++) {
      queue.push(Uint8Array.from(chunk).fill(pushed));
    }
    queue.end();
    const read: (number | undefined)[] = [];
    for await (const first of queue) {
      let inThisTurn = 0;
      let next: Uint8Array | undefined = first;
      for (; next !== undefined; next = queue.takeArrived()) {
        read.push(next[0]);
        inThisTurn += next.length;
      }
      expect(inThisTurn).toBe(maxTurnBytes);
    }
    expect(read).toEqual(Array.from({ length: chunks }, (_, at) => at));
    expect(queue.takeArrived()).toBeUndefined();
  });

  it("gives no arrived chunk after an abort", async () => {
    const controller = new AbortController();
    const queue = new ByteQueue(source, controller.signal);
    queue.push(chunk);
    queue.push(chunk);
    await queue.next();
    controller.abort(new Error("enough"));
    expect(queue.takeArrived()).toBeUndefined();
    await expect(queue.next()).rejects.toThrow("enough");
  });

  it("ends at once when the reader cancels while the queue yields", async () => {
    const queue = new ByteQueue(source);
    for (let bytes = 0; bytes < maxTurnBytes; bytes += chunk.length) {
      queue.push(chunk);
      await queue.next();
    }
    queue.push(chunk);
    const next = queue.next();
    await queue.return();
    expect(await next).toEqual({ done: true, value: undefined });
  });

  it("an abort takes effect while the queue yields", async () => {
    const controller = new AbortController();
    const queue = new ByteQueue(source, controller.signal);
    for (let bytes = 0; bytes < maxTurnBytes; bytes += chunk.length) {
      queue.push(chunk);
      await queue.next();
    }
    queue.push(chunk);
    const next = queue.next();
    const reason = new Error("enough");
    controller.abort(reason);
    await expect(next).rejects.toBe(reason);
  });
});

describe("a body with very many chunks", () => {
  it("is delivered in order, even while more chunks arrive", async () => {
    const queue = new ByteQueue(source);
    const count = 10_000;
    const read: number[] = [];
    let pushed = 0;
    const push = (chunks: number) => {
      for (const end = pushed + chunks; pushed < end; pushed++) {
        queue.push(Uint8Array.of(pushed >> 8, pushed & 0xff));
      }
    };
    const take = async (chunks: number) => {
      for (let taken = 0; taken < chunks; taken++) {
        const { value: [high = 0, low = 0] = [] } = await queue.next();
        read.push(high * 256 + low);
      }
    };
    push(3000);
    await take(2000);
    push(4000);
    await take(4500);
    push(count - pushed);
    queue.end();
    await take(count - read.length);
    expect(read).toEqual(Array.from({ length: count }, (_, at) => at));
    expect(await queue.next()).toEqual({ done: true, value: undefined });
  });

  it("costs no more per chunk than a body with few", async () => {
    const queue = new ByteQueue(source);
    const one = Uint8Array.of(1);
    // The server chooses the size of its chunks; the smallest ones make the longest queue.
    for (let bytes = 0; bytes < 1024 * 1024; bytes++) {
      queue.push(one);
    }
    queue.end();
    let read = 0;
    for await (const bytes of queue) {
      read += bytes.length;
    }
    expect(read).toBe(1024 * 1024);
  });
});

const small = Uint8Array.of(1, 2, 3);

describe("a body that has arrived completely before it is read", () => {
  it("can be taken as a whole, once", async () => {
    const queue = new ByteQueue(source);
    queue.push(small);
    expect(queue.takeWhole()).toBeUndefined();
    queue.push(small);
    queue.end();
    expect(queue.takeWhole()).toEqual([small, small]);
    expect(queue.takeWhole()).toBeUndefined();
    expect(() => queue[Symbol.asyncIterator]()).toThrow("can be read only once");
    expect(await queue.next()).toEqual({ done: true, value: undefined });
  });

  it("cannot be taken after reading has started", async () => {
    const queue = new ByteQueue(source);
    queue.push(small);
    queue.end();
    const reader = queue[Symbol.asyncIterator]();
    expect(queue.takeWhole()).toBeUndefined();
    expect(await reader.next()).toEqual({ done: false, value: small });
  });

  it("is read normally after a failure or an abort, and rejects with the reason", async () => {
    const broken = new ByteQueue(source);
    broken.push(small);
    broken.fail(new Error("cut"), false);
    expect(broken.takeWhole()).toBeUndefined();

    const controller = new AbortController();
    const aborted = new ByteQueue(source, controller.signal);
    aborted.push(small);
    aborted.end();
    const reason = new Error("enough");
    controller.abort(reason);
    expect(aborted.takeWhole()).toBeUndefined();
    await expect(aborted.next()).rejects.toBe(reason);
  });
});
