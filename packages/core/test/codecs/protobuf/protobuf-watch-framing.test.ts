import { deepStrictEqual } from "node:assert/strict";
import { codecs, type WireWatchEvent } from "@typekube/core/internal";
import { chunksOf, everySplit, flat, inChunks } from "@typekube/test-support/bytes";
import { capture, captureNames, hasCaptures } from "@typekube/test-support/captures";
import { failure } from "@typekube/test-support/failure";
import { describe, expect, it } from "vitest";

const { json, protobuf } = codecs;

const event = (name: string, type = "ADDED"): WireWatchEvent => ({
  type,
  object: { kind: "ConfigMap", apiVersion: "v1", metadata: { name } },
});

async function encoded(...events: WireWatchEvent[]): Promise<Buffer> {
  return Buffer.concat(await Promise.all(events.map((one) => protobuf.encodeWatchEvent(one))));
}

describe("protobuf watches", () => {
  it("N7: yields the same events wherever the bytes are split", async () => {
    const events = [
      event("ä€😀"),
      event("b", "MODIFIED"),
      event("", "BOOKMARK"),
      event("c", "FOO"),
    ];
    const bytes = await encoded(...events);
    const expected = await flat(protobuf.decodeWatch(chunksOf(bytes)));
    expect(expected.map(({ type }) => type)).toEqual(["ADDED", "MODIFIED", "BOOKMARK", "FOO"]);
    for (const source of everySplit(bytes)) {
      deepStrictEqual(await flat(protobuf.decodeWatch(source)), expected);
    }
  });

  it("WAT21: yields the same events as in JSON", async () => {
    const status = {
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      reason: "Expired",
      code: 410,
    };
    const events = [event("a"), event("b", "DELETED"), { type: "ERROR", object: status }];
    const lines = Buffer.concat(await Promise.all(events.map((one) => json.encodeWatchEvent(one))));
    deepStrictEqual(
      await flat(protobuf.decodeWatch(chunksOf(await encoded(...events)))),
      await flat(json.decodeWatch(chunksOf(lines))),
    );
  });

  it("N8: a frame truncated anywhere fails after the whole events", async () => {
    const whole = await encoded(event("a"));
    const bytes = Buffer.concat([whole, await encoded(event("b"))]);
    for (let end = whole.length + 1; end < bytes.length; end++) {
      const seen: unknown[] = [];
      const read = async () => {
        for await (const events of protobuf.decodeWatch(inChunks(bytes.subarray(0, end), 16))) {
          seen.push(...events);
        }
      };
      expect((await failure(read())).code).toBe("Decode");
      expect(seen).toHaveLength(1);
    }
  });

  it("rejects a frame with a declared length above the limit before its bytes arrive", async () => {
    const announcement = Buffer.from([0x7f, 0xff, 0xff, 0xff]);
    expect((await failure(flat(protobuf.decodeWatch(chunksOf(announcement))))).code).toBe(
      "TooLarge",
    );
    const bytes = await encoded(event("a"));
    const limits = { maxObjectBytes: bytes.length - 4 };
    expect(await flat(protobuf.decodeWatch(chunksOf(bytes), { limits }))).toHaveLength(1);
    const less = { maxObjectBytes: bytes.length - 5 };
    expect(
      (await failure(flat(protobuf.decodeWatch(chunksOf(bytes), { limits: less })))).code,
    ).toBe("TooLarge");
  });

  it.each([
    ["nothing", Buffer.alloc(4)],
    ["a type without an object", Buffer.from([0, 0, 0, 3, 10, 1, 65])],
    ["an object without its envelope", Buffer.from([0, 0, 0, 5, 18, 3, 10, 1, 65])],
  ])("rejects a frame that holds %s", async (_, bytes) => {
    expect((await failure(flat(protobuf.decodeWatch(chunksOf(bytes))))).code).toBe("Decode");
  });

  it.runIf(hasCaptures)(
    "N7: recorded watches decode the same at every split, and as their JSON",
    async () => {
      const names = captureNames(/(pod-watch|watch-ns|watchlist-.*)-pb$/).filter(
        (name) => !name.includes("crd"),
      );
      let events = 0;
      let compared = 0;
      for (const name of names) {
        const bytes = capture(name);
        const expected = await flat(protobuf.decodeWatch(chunksOf(bytes)));
        events += expected.length;
        const sources =
          bytes.length < 4000 ? everySplit(bytes) : [inChunks(bytes, 1), inChunks(bytes, 997)];
        for (const source of sources) {
          deepStrictEqual(await flat(protobuf.decodeWatch(source)), expected, name);
        }
        const twin = name.replace(/-pb$/, "-json");
        if (captureNames(new RegExp(`^${twin}$`)).length > 0) {
          const other = await flat(json.decodeWatch(chunksOf(capture(twin))));
          deepStrictEqual(comparable(expected), comparable(other), name);
          compared++;
        }
      }
      console.log(
        `watch captures: ${names.length} read, ${events} events, ${compared} equal to their JSON`,
      );
      expect(events).toBeGreaterThan(0);
    },
  );
});

/**
 * Returns the events in a form that two recordings share: initial events come in any order, and the resourceVersion of
 * a bookmark depends on the time.
 */
function comparable(events: readonly WireWatchEvent[]): unknown {
  return events
    .map(({ type, object }) => {
      const { metadata } = object as { metadata: { uid?: string } };
      const shown = type === "BOOKMARK" ? { ...(object as object), metadata: {} } : object;
      return { key: metadata.uid ?? "", type, object: shown };
    })
    .sort((a, b) => (a.key < b.key ? -1 : 1));
}
