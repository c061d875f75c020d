import { describe, expect, it } from "vitest";
import { overlapStart } from "../../src/pod-sessions/overlap.js";

const lines = (...texts: string[]) => texts.map((text) => Buffer.from(`${text}\n`));
const outputs = (...texts: [channel: number, text: string][]) =>
  texts.map(([channel, text]) => ({ channel, bytes: Buffer.from(text) }));

describe("XA5: the lines of a log that attached output repeats", () => {
  it.each<[string, Buffer[], ReturnType<typeof outputs>, number | undefined]>([
    ["begin with the output", lines("a", "b", "c"), outputs([1, "b\nc\n"]), 1],
    ["may all be repeated", lines("a", "b"), outputs([1, "a\nb\n"]), 0],
    ["may be none", lines("a", "b"), outputs([1, "c\n"]), undefined],
    ["are none without output", lines("a", "b"), outputs(), undefined],
    ["may end before the output does", lines("a", "b"), outputs([1, "b\nc\nd\n"]), 1],
    ["may go on after the output so far", lines("a", "b", "c"), outputs([1, "b\n"]), 1],
    ["may begin within a line", lines("hello world", "b"), outputs([1, "rld\nb\n"]), 0],
    ["a whole line before the end of another", lines("data", "a"), outputs([1, "a\n"]), 1],
    ["may end within a line", lines("a", "hello", "c"), outputs([1, "he"]), 1],
    ["may come in pieces", lines("a", "bcd"), outputs([1, "b"], [1, "c"], [1, "d\n"]), 1],
    ["of two channels", lines("x", "o1", "e1", "o2"), outputs([1, "o1\no2\n"], [2, "e1\n"]), 1],
    [
      "of two channels, the other first",
      lines("x", "e1", "o1"),
      outputs([1, "o1\n"], [2, "e1\n"]),
      1,
    ],
    ["must match in order", lines("a", "b", "a", "c"), outputs([1, "a\nc\nd\n"]), 2],
  ])("%s", (_, given, output, start) => {
    expect(overlapStart(given, output)).toBe(start);
  });

  it("are found among very many short ones, and in output that came in single bytes", () => {
    const lines = Array.from({ length: 200_000 }, () => Buffer.from("x\n"));
    const bytes = Array.from({ length: 100_000 }, () => Buffer.from("y"));
    expect(overlapStart(lines, outputs([1, "y\n"]))).toBeUndefined();
    expect(overlapStart([...lines, Buffer.from("y\n")], outputs([1, "y\n"]))).toBe(200_000);
    const channel = 1;
    const single = bytes.map((one) => ({ channel, bytes: one }));
    expect(overlapStart([Buffer.from(`${"y".repeat(100_000)}\n`)], single)).toBe(0);
  });
});
