import { describe, expect, it } from "vitest";
import { parallelize } from "../../src/index.js";

const tick = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("parallelize()", () => {
  it.each([
    { pieces: 1_000, concurrency: 10, chunkSize: 1 },
    { pieces: 1_000, concurrency: 10, chunkSize: 10 },
    { pieces: 999, concurrency: 10, chunkSize: 13 },
    { pieces: 3, concurrency: 10, chunkSize: 5 },
    { pieces: 0, concurrency: 1, chunkSize: 1 },
  ])("U9: does each of $pieces pieces once, in chunks of $chunkSize", async (options) => {
    const seen: number[] = [];
    let active = 0;
    let most = 0;
    await parallelize(
      options.pieces,
      async (piece) => {
        seen.push(piece);
        most = Math.max(most, ++active);
        await undefined;
        active--;
      },
      { concurrency: options.concurrency, chunkSize: options.chunkSize },
    );
    expect(seen.sort((a, b) => a - b)).toEqual(Array.from({ length: options.pieces }, (_, i) => i));
    expect(most).toBe(Math.min(10, Math.ceil(options.pieces / options.chunkSize)));
  });

  it("U9: starts no piece after an abort, and waits for those in progress", async () => {
    const abort = new AbortController();
    const reason = new Error("stop");
    const started: number[] = [];
    let finished = 0;
    const all = parallelize(
      100,
      async (piece) => {
        started.push(piece);
        if (piece === 15) {
          abort.abort(reason);
        }
        await tick();
        finished++;
      },
      { concurrency: 4, chunkSize: 5, signal: abort.signal },
    );
    await expect(all).rejects.toBe(reason);
    expect([started.length, finished]).toEqual([4, 4]);
  });

  it("U9: rejects with the first failure after the pieces in progress", async () => {
    let finished = 0;
    const failure = new Error("piece 1");
    const all = parallelize(
      100,
      async (piece) => {
        await tick();
        finished++;
        if (piece === 1) {
          throw failure;
        }
      },
      { concurrency: 2 },
    );
    await expect(all).rejects.toBe(failure);
    expect(finished).toBeLessThanOrEqual(3);
  });

  it("U9: rejects invalid options", async () => {
    await expect(parallelize(1, () => {}, { concurrency: 0 })).rejects.toThrow(
      "concurrency: must be an integer of at least 1",
    );
  });
});
