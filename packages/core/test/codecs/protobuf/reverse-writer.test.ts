import { expect, it } from "vitest";
import { ReverseWriter } from "../../../src/codecs/protobuf/reverse-writer.js";

function written(writer: ReverseWriter, text: string): string {
  writer.text(text);
  return Buffer.from(writer.finish()).toString("latin1");
}

it("writers at the same time don't share a buffer", () => {
  new ReverseWriter().finish();
  const [one, two] = [new ReverseWriter(), new ReverseWriter()];
  one.text("a");
  two.text("b");
  expect(written(two, "B")).toBe("\x01B\x01b");
  expect(written(one, "A")).toBe("\x01A\x01a");
});

it("bytes that a writer returned stay when the next one writes", () => {
  const first = new ReverseWriter();
  first.text("first");
  const bytes = first.finish();
  written(new ReverseWriter(), "second");
  expect(Buffer.from(bytes).toString("latin1")).toBe("\x05first");
});

it("a writer that never finishes does not disturb the next one", () => {
  new ReverseWriter().text("lost");
  expect(written(new ReverseWriter(), "kept")).toBe("\x04kept");
});

it("a buffer that grew is written from its end again", () => {
  const long = "x".repeat(10_000);
  expect(written(new ReverseWriter(), long)).toHaveLength(10_002);
  expect(written(new ReverseWriter(), "short")).toBe("\x05short");
});
