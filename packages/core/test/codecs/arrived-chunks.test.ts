import { codecs, type ReclaimedBytes } from "@typekube/core/internal";
import { failure } from "@typekube/test-support/failure";
import { describe, expect, it } from "vitest";

const { json, protobuf } = codecs;

const named = (name: string) => ({ kind: "ConfigMap", apiVersion: "v1", metadata: { name } });

/** A body whose chunks have arrived: each is valid until the next one is requested, and overwritten then. */
function arrived(chunks: readonly Uint8Array[]): ReclaimedBytes {
  const waiting = chunks.map((chunk) => Uint8Array.from(chunk));
  let given: Uint8Array | undefined;
  const take = () => {
    given?.fill(0xff);
    given = waiting.shift();
    return given;
  };
  return {
    reclaimChunks: () => {},
    takeArrived: take,
    async *[Symbol.asyncIterator]() {
      for (let chunk = take(); chunk !== undefined; chunk = take()) {
        yield chunk;
      }
    },
  };
}

function pieces(bytes: Uint8Array, size: number): Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  );
}

describe("chunks that have arrived", () => {
  for (const codec of [json, protobuf]) {
    it(`are one part of a list in ${codec.name}, however they cut it`, async () => {
      const names = Array.from({ length: 20 }, (_, at) => `item-${at}`);
      const items = names.map((name) => ({ metadata: { name } }));
      const list = { kind: "ConfigMapList", apiVersion: "v1", metadata: {}, items };
      const bytes = await codec.encode(list);
      for (const size of [1, 7, 64, bytes.length]) {
        const parts: string[][] = [];
        for await (const part of codec.decodeList(arrived(pieces(bytes, size)))) {
          parts.push(part.items.map(({ metadata }) => metadata?.name ?? ""));
        }
        expect(parts.flat()).toEqual(names);
        expect(parts.filter((part) => part.length > 1)).toHaveLength(1);
      }
    });
  }

  for (const codec of [json, protobuf]) {
    it(`give the items in front of a bad one in ${codec.name}`, async () => {
      const items = ["a", "b", "c", "bad"].map((name) => ({ metadata: { name } }));
      const list = { kind: "ConfigMapList", apiVersion: "v1", metadata: {}, items };
      const bytes = Buffer.from(await codec.encode(list));
      // The field around the name in protobuf; the bracket in JSON.
      bytes.fill(0xff, bytes.lastIndexOf("bad") - 2, bytes.lastIndexOf("bad"));
      const found: unknown[] = [];
      const read = async () => {
        for await (const part of codec.decodeList(arrived(pieces(bytes, 16)))) {
          found.push(...part.items.map(({ metadata }) => metadata?.name));
        }
      };
      expect((await failure(read())).code).toBe("Decode");
      expect(found).toEqual(["a", "b", "c"]);
    });
  }

  it("are one group of a watch's events, those in front of a bad frame included", async () => {
    const frames = await Promise.all(
      ["a", "b", "c"].map((name) =>
        protobuf.encodeWatchEvent({ type: "ADDED", object: named(name) }),
      ),
    );
    const groups: number[] = [];
    const read = async () => {
      const bad = Uint8Array.of(0, 0, 0, 1, 0xff);
      for await (const events of protobuf.decodeWatch(arrived([...frames, bad]))) {
        groups.push(events.length);
      }
    };
    expect((await failure(read())).code).toBe("Decode");
    expect(groups).toEqual([3]);
  });
});
