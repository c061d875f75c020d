import { once } from "node:events";
import { PassThrough, Readable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { failure } from "@typekube/test-support/failure";
import { expect, it } from "vitest";
import { chunksOf } from "../../src/pod-sessions/stdin-source.js";
import { twoContainerPod } from "../helpers/two-container-pod.js";

const listeners = (stream: Readable) =>
  ["close", "data", "end", "error"].reduce((sum, name) => sum + stream.listenerCount(name), 0);

it("XE12: an input that goes on is ended with its command", async () => {
  const { pod } = await twoContainerPod({ pods: { exec: async () => 7 } });
  const stdin = new PassThrough();
  stdin.write("one");
  const closed = once(stdin, "close");
  expect((await pod.exec(["head"], { stdin })).exitCode).toBe(7);
  await closed;
  expect(stdin.listenerCount("data")).toBe(0);
});

it("XE12: a stream is read to its end, in order, and leaves no listeners", async () => {
  const { signal } = new AbortController();
  const texts = Array.from({ length: 1_000 }, (_, at) => `${at},`);
  const slow = async function* () {
    for (const text of texts) {
      yield text;
      await nextTurn();
    }
  };
  for (const source of [Readable.from(texts), Readable.from(slow()), Readable.from([])]) {
    const before = listeners(source);
    let text = "";
    for await (const chunk of chunksOf(source, signal)) {
      text += Buffer.from(chunk).toString();
      if (text.length % 7 === 0) {
        await nextTurn();
      }
    }
    expect([texts.join(""), ""]).toContain(text);
    expect(listeners(source)).toBeLessThanOrEqual(before);
  }
});

it("XE12: an error that is known before its event leaves no event without a listener", async () => {
  const source = new PassThrough();
  source.write("x");
  const read = async () => {
    for await (const _ of chunksOf(source, new AbortController().signal)) {
      source.destroy(new Error("disk"));
    }
  };
  const closed = new Promise((resolve) => source.once("close", resolve));
  await expect(read()).rejects.toThrow("disk");
  await closed;
  expect(source.listenerCount("error")).toBe(0);
});

it("XE12: an error of a stream, and one that ended before, are errors of the input", async () => {
  const { signal } = new AbortController();
  const read = async (source: Readable) => {
    for await (const _ of chunksOf(source, signal)) {
      // Read to the end.
    }
  };
  const broken = new PassThrough();
  const reading = read(broken);
  broken.write("x");
  broken.destroy(new Error("disk"));
  await expect(reading).rejects.toThrow("disk");
  const gone = new PassThrough();
  gone.destroy();
  await nextTurn();
  expect(await failure(read(gone))).toMatchObject({ code: "Aborted" });
  const ended = new PassThrough();
  ended.end();
  ended.resume();
  await nextTurn();
  await nextTurn();
  await read(ended);
});
