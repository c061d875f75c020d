import { codecs } from "@typekube/core/internal";
import { everySplit, inChunks } from "@typekube/test-support/bytes";
import { failure } from "@typekube/test-support/failure";
import { configMapItems, encodedConfigMaps, readList } from "@typekube/test-support/lists";
import { describe, expect, it } from "vitest";

const { protobuf } = codecs;

/** Number of bytes of fields 3 and 4 of the envelope, which the server writes after a list: two empty strings. */
const emptyTail = 4;
const field = (number: number, text: string) =>
  Buffer.concat([Buffer.of(number * 8 + 2, text.length), Buffer.from(text)]);

async function listWithTail(tail: Uint8Array): Promise<Buffer> {
  const bytes = await encodedConfigMaps("protobuf");
  return Buffer.concat([bytes.subarray(0, bytes.length - emptyTail), tail]);
}

describe("the envelope of a protobuf list", () => {
  it.each([
    ["an encoding", field(3, "gzip"), "gzip"],
    ["another content type", field(4, "application/json"), "application/json"],
    ["a second list", field(2, "x"), "followed by something else"],
    ["another kind", field(1, "\x12\x03Pod"), "followed by something else"],
    ["a truncated field", Buffer.of(0x1a, 9, 1), "longer than its message"],
    ["the field number 0", Buffer.of(2, 0), "number 0"],
  ])("ALT12: %s after the list is a Decode error that names it", async (_, tail, text) => {
    const bytes = await listWithTail(tail);
    for (const source of everySplit(bytes)) {
      const error = await failure(readList(protobuf, source));
      expect(error).toMatchObject({ code: "Decode", message: expect.stringContaining(text) });
    }
  });

  it.each([
    ["nothing", Buffer.alloc(0)],
    ["its own content type", field(4, "application/vnd.kubernetes.protobuf")],
    ["a field of a later version", field(9, "later")],
  ])("accepts %s after the list", async (_, tail) => {
    for (const source of everySplit(await listWithTail(tail))) {
      expect((await readList(protobuf, source)).items).toEqual(configMapItems);
    }
  });

  it("limits the bytes that follow a list", async () => {
    const bytes = await listWithTail(field(9, "x".repeat(120)));
    const endless = Buffer.concat([bytes, ...Array<Buffer>(20).fill(field(9, "y".repeat(120)))]);
    const options = { limits: { maxObjectBytes: 1000 } };
    const error = await failure(readList(protobuf, inChunks(endless, 100), options));
    expect(error).toMatchObject({ code: "TooLarge" });
  });

  it("N8: an invalid frame does not suppress the valid events before it", async () => {
    const object = { kind: "ConfigMap", apiVersion: "v1", metadata: { name: "a" } };
    const good = await protobuf.encodeWatchEvent({ type: "ADDED", object });
    const bad = Buffer.from(good);
    bad[4] = 0x07;
    const bytes = Buffer.concat([good, good, bad, good]);
    for (const source of [...everySplit(bytes), inChunks(bytes, bytes.length)]) {
      let seen = 0;
      const reading = (async () => {
        for await (const events of protobuf.decodeWatch(source)) {
          seen += events.length;
        }
      })();
      expect(await failure(reading)).toMatchObject({ code: "Decode" });
      expect(seen).toBe(2);
    }
  });
});
