import { getEventListeners } from "node:events";
import {
  asBuffer,
  type Clock,
  collectBytes,
  collectPrefix,
  concatBytes,
  defaultLimits,
  sleep,
  type WholeBytes,
} from "@typekube/core/internal";
import { chunksOf } from "@typekube/test-support/bytes";
import { failure } from "@typekube/test-support/failure";
import { describe, expect, it } from "vitest";

describe("bytes", () => {
  it("are joined; a single chunk is not copied", () => {
    const one = Buffer.from("one");
    expect(concatBytes([])).toHaveLength(0);
    expect(concatBytes([one])).toBe(one);
    expect(Buffer.from(concatBytes([one, Buffer.alloc(0), Buffer.from("two")])).toString()).toBe(
      "onetwo",
    );
  });

  it("asBuffer shares the memory of the view it is given", () => {
    const view = new Uint8Array([1, 2, 3, 4]).subarray(1, 3);
    const buffer = asBuffer(view);
    expect([...buffer]).toEqual([2, 3]);
    view[0] = 9;
    expect(buffer[0]).toBe(9);
    expect(asBuffer(buffer)).toBe(buffer);
  });

  it("that have fully arrived are taken without iterating, within the same limit", async () => {
    const whole = (...texts: string[]): WholeBytes => ({
      takeWhole: () => texts.map((text) => Buffer.from(text)),
      [Symbol.asyncIterator]: () => {
        throw new Error("it was read");
      },
    });
    expect(Buffer.from(await collectBytes(whole("ab", "cd"), 4, "maxBodyBytes")).toString()).toBe(
      "abcd",
    );
    const error = await failure(collectBytes(whole("ab", "cde"), 4, "maxBodyBytes"));
    expect(error.code).toBe("TooLarge");
  });

  it("a body may be as large as its limit; the error for a larger one names the limit", async () => {
    expect(await collectBytes(chunksOf("ab", "cd"), 4, "maxBodyBytes")).toHaveLength(4);
    const error = await failure(collectBytes(chunksOf("ab", "cd", "e"), 4, "maxBodyBytes"));
    expect(error.code).toBe("TooLarge");
    expect(error.message).toBe(
      "[TooLarge] a body is larger than maxBodyBytes (4 bytes): raise limits.maxBodyBytes if you expect responses of this size",
    );
  });

  it("the error for a body beyond a fixed limit suggests no option", async () => {
    const error = await failure(collectBytes(chunksOf("ab", "cde"), 4, undefined, "the response"));
    expect(error.message).toBe("[TooLarge] the response is larger than 4 bytes");
  });

  it.each([0, 1, 3, 4, 5, 99])("a prefix of %d bytes reads no more than it needs", async (max) => {
    let ended = false;
    async function* source(): AsyncIterable<Uint8Array> {
      try {
        yield* chunksOf("ab", "cd", "e");
      } finally {
        ended = true;
      }
    }
    expect(Buffer.from(await collectPrefix(source(), max)).toString()).toBe("abcde".slice(0, max));
    expect(ended).toBe(true);
  });

  it("every limit has a default", () => {
    expect(defaultLimits).toEqual({
      maxBodyBytes: 536_870_912,
      maxObjectBytes: 16_777_216,
      maxErrorBodyBytes: 1_048_576,
      maxDepth: 500,
      maxNumberLength: 1000,
      maxSmallGzipMembers: 1000,
      maxInflatedBytes: 17_179_869_184,
      maxInflateRatio: 400,
      maxHeaderBytes: 65_536,
      maxYamlAliases: 1000,
    });
  });
});

/** Returns a clock with one timer, which the test fires. */
function handClock(): Clock & { fire(): void; readonly set: boolean } {
  let timer: (() => void) | undefined;
  return {
    now: () => 0,
    schedule(_, callback) {
      timer = callback;
      return () => {
        timer = undefined;
      };
    },
    fire: () => timer?.(),
    get set() {
      return timer !== undefined;
    },
  };
}

describe("sleep", () => {
  it("resolves when the clock fires, and leaves no listener", async () => {
    const clock = handClock();
    const { signal } = new AbortController();
    const slept = sleep(clock, 10, signal);
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
    clock.fire();
    await slept;
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
  });

  it("N25: rejects with the signal's own reason, and leaves no timer", async () => {
    const clock = handClock();
    const controller = new AbortController();
    const reason = { why: "enough" };
    const slept = sleep(clock, 10, controller.signal);
    controller.abort(reason);
    await expect(slept).rejects.toBe(reason);
    expect(clock.set).toBe(false);
  });

  it("rejects at once when the signal is already aborted", async () => {
    const clock = handClock();
    await expect(sleep(clock, 10, AbortSignal.abort("late"))).rejects.toBe("late");
    expect(clock.set).toBe(false);
  });
});
