import { deepStrictEqual } from "node:assert/strict";
import { codecs, type WireWatchEvent } from "@typekube/core/internal";
import { chunksOf, everySplit, flat, inChunks } from "@typekube/test-support/bytes";
import { failure } from "@typekube/test-support/failure";
import { describe, expect, it } from "vitest";
import { bytesItem, itemOf, mapItem, openMapItem, textItem } from "../../helpers/cbor-items.js";

const { cbor, json } = codecs;

const event = (name: string, type = "ADDED"): WireWatchEvent => ({
  type,
  object: { kind: "ConfigMap", apiVersion: "v1", metadata: { name } },
});

async function encoded(...events: WireWatchEvent[]): Promise<Buffer> {
  return Buffer.concat(await Promise.all(events.map((one) => cbor.encodeWatchEvent(one))));
}

/** Returns the events before the failure, and the failure. */
async function untilFailure(source: AsyncIterable<Uint8Array>, maxObjectBytes?: number) {
  const seen: WireWatchEvent[] = [];
  const options = maxObjectBytes === undefined ? {} : { limits: { maxObjectBytes } };
  const error = await failure(
    (async () => {
      for await (const events of cbor.decodeWatch(source, options)) {
        seen.push(...events);
      }
    })(),
  );
  return { seen, error };
}

describe("CBOR watches", () => {
  it("N7, ALT19: yields the same events wherever the bytes are split", async () => {
    const events = [
      event("ä€😀"),
      event("b", "MODIFIED"),
      event("", "BOOKMARK"),
      event("c", "FOO"),
    ];
    const bytes = await encoded(...events);
    for (const source of everySplit(bytes)) {
      deepStrictEqual(await flat(cbor.decodeWatch(source)), events);
    }
  });

  it("WAT21: yields the same events as in JSON", async () => {
    const status = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", code: 410 };
    const events = [event("a"), event("b", "DELETED"), { type: "ERROR", object: status }];
    const lines = Buffer.concat(await Promise.all(events.map((one) => json.encodeWatchEvent(one))));
    deepStrictEqual(
      await flat(cbor.decodeWatch(chunksOf(await encoded(...events)))),
      await flat(json.decodeWatch(chunksOf(lines))),
    );
  });

  it("yields an event as soon as its last byte arrives", async () => {
    const bytes = await encoded(event("a"), event("b"));
    let sent = 0;
    async function* slowly(): AsyncIterable<Uint8Array> {
      for await (const chunk of inChunks(bytes, 1)) {
        sent++;
        yield chunk;
      }
    }
    const at: number[] = [];
    for await (const _ of cbor.decodeWatch(slowly())) {
      at.push(sent);
    }
    expect(at).toEqual([bytes.length / 2, bytes.length]);
  });

  it("reads events without tags, with text strings, and with breaks", async () => {
    const object = itemOf((event("a") as { object: unknown }).object, (keys) => keys);
    const forms = [
      mapItem(["type", bytesItem("ADDED")], ["object", object]),
      mapItem(["object", object], ["type", textItem("ADDED")]),
      openMapItem(["type", bytesItem("ADDED")], ["object", object]),
      mapItem(["type", bytesItem("ADDED")], ["other", bytesItem("x")], ["object", object]),
    ];
    const bytes = Buffer.concat(forms);
    for (const source of everySplit(bytes)) {
      deepStrictEqual(
        await flat(cbor.decodeWatch(source)),
        forms.map(() => event("a")),
      );
    }
  });

  it("yields no events for an empty watch", async () => {
    expect(await flat(cbor.decodeWatch(chunksOf()))).toEqual([]);
    expect(await flat(cbor.decodeWatch(chunksOf("", "")))).toEqual([]);
  });

  it("N8: a frame truncated anywhere fails after the whole events", async () => {
    const whole = await encoded(event("a"));
    const bytes = Buffer.concat([whole, await encoded(event("b"))]);
    for (let end = whole.length + 1; end < bytes.length; end++) {
      for (const size of [1, 16, bytes.length]) {
        const { seen, error } = await untilFailure(inChunks(bytes.subarray(0, end), size));
        expect(error.code, `cut at ${end}`).toBe("Decode");
        expect(seen, `cut at ${end}`).toEqual([event("a")]);
      }
    }
  });

  it.each([
    ["a reserved initial byte", Buffer.from([0x1c])],
    ["a break", Buffer.from([0xff])],
    ["a number", Buffer.from([0x01])],
    ["null", Buffer.from([0xf6])],
    ["an array", Buffer.from([0x80])],
    ["an event without an object", mapItem(["type", bytesItem("ADDED")])],
    [
      "an event whose object is null",
      mapItem(["type", bytesItem("A")], ["object", Buffer.from([0xf6])]),
    ],
    [
      "an event whose object is an array",
      mapItem(["type", bytesItem("A")], ["object", Buffer.from([0x80])]),
    ],
    ["an event without a type", mapItem(["object", mapItem()])],
    [
      "an event that contains undefined",
      mapItem(["type", bytesItem("A")], ["object", Buffer.from([0xf7])]),
    ],
    ["a duplicate key", mapItem(["type", bytesItem("A")], ["type", bytesItem("A")])],
  ])("N8: %s is a Decode error after the events before it in the same chunk", async (_, bad) => {
    const before = await encoded(event("a"), event("b"));
    const after = await encoded(event("c"));
    const bytes = Buffer.concat([before, bad, after]);
    for (const source of everySplit(bytes)) {
      const { seen, error } = await untilFailure(source);
      expect(error.code).toBe("Decode");
      expect(seen).toEqual([event("a"), event("b")]);
    }
  });

  it("rejects an event that is too large before keeping it", async () => {
    const small = await encoded(event("a"));
    const large = await encoded(event("x".repeat(2000)));
    for (const size of [1, 100, 10_000]) {
      const { seen, error } = await untilFailure(
        inChunks(Buffer.concat([small, large]), size),
        1000,
      );
      expect(error).toMatchObject({ code: "TooLarge" });
      expect(error.hint).toContain("limits.maxObjectBytes");
      expect(seen).toEqual([event("a")]);
    }
    let taken = 0;
    async function* endless(): AsyncIterable<Uint8Array> {
      yield Buffer.from("a244747970655a7fffffff", "hex");
      for (;;) {
        taken++;
        yield Buffer.alloc(1000);
      }
    }
    expect((await untilFailure(endless())).error.code).toBe("TooLarge");
    expect(taken).toBe(0);
  });

  it("rejects an endless event at the limit", async () => {
    let taken = 0;
    async function* endless(): AsyncIterable<Uint8Array> {
      yield Buffer.from([0x9f]);
      for (;;) {
        taken++;
        yield Buffer.alloc(1000);
      }
    }
    expect((await untilFailure(endless(), 100_000)).error.code).toBe("TooLarge");
    expect(taken).toBeLessThanOrEqual(101);
  });

  it("inspects a large event in small chunks a bounded number of times", async () => {
    const data = Object.fromEntries(Array.from({ length: 60_000 }, (_, i) => [`k${i}`, "v"]));
    const large = { type: "ADDED", object: { kind: "ConfigMap", apiVersion: "v1", data } };
    const bytes = await cbor.encodeWatchEvent(large);
    // Quadratic time would be minutes, more than the timeout of a test.
    const [first] = await flat(cbor.decodeWatch(inChunks(bytes, 20)));
    deepStrictEqual(first, large);
  });

  it("managedFields: false drops those of the event's object and no others", async () => {
    const managedFields = [{ manager: "m", operation: "Apply", fieldsV1: { "f:a": {} } }];
    const metadata = { name: "a", managedFields };
    const object = { kind: "A", apiVersion: "v1", metadata, template: { metadata } };
    const [first] = await flat(
      cbor.decodeWatch(chunksOf(await encoded({ type: "ADDED", object })), {
        managedFields: false,
      }),
    );
    deepStrictEqual(first?.object, { ...object, metadata: { name: "a" } });
  });
});
