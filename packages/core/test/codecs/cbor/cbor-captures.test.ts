import { deepStrictEqual } from "node:assert/strict";
import { codecs, type DecodeOptions } from "@typekube/core/internal";
import { everySplit, flat, inChunks } from "@typekube/test-support/bytes";
import { capture, captureType, cborPairs, hasCaptures } from "@typekube/test-support/captures";
import { readList } from "@typekube/test-support/lists";
import { describe, expect, it } from "vitest";

const { cbor, json } = codecs;

/** Cuts small bodies in two at every position, and larger ones into chunks of every size from 1 to 64. */
function manySplits(bytes: Uint8Array): AsyncIterable<Uint8Array>[] {
  return bytes.length < 1500
    ? everySplit(bytes)
    : Array.from({ length: 64 }, (_, i) => inChunks(bytes, i + 1));
}

describe.runIf(hasCaptures)("recorded JSON and CBOR responses decode to the same values", () => {
  it.each([{}, { managedFields: false }] as DecodeOptions[])(
    "ALT1, ALT18: every recorded body, with %j",
    async (options) => {
      const pairs = cborPairs(/^136/).filter(({ cbor: name }) => !isWatch(name));
      for (const pair of pairs) {
        const decoded = await cbor.decode(capture(pair.cbor), options);
        const expected = await json.decode(capture(pair.json), options);
        deepStrictEqual(decoded, expected, pair.cbor);
      }
      console.log(`CBOR bodies ${JSON.stringify(options)}: ${pairs.length} pairs equal`);
      expect(pairs.length).toBeGreaterThan(0);
    },
  );

  it.each([{}, { managedFields: false }] as DecodeOptions[])(
    "ALT1, CHK13: every recorded list, wherever it is split, with %j",
    async (options) => {
      const pairs = cborPairs(/^136t?-(list|crd-list|pom-)/);
      let items = 0;
      let splits = 0;
      for (const pair of pairs) {
        const expected = await readList(json, inChunks(capture(pair.json), 1 << 20), options);
        for (const source of manySplits(capture(pair.cbor))) {
          deepStrictEqual(await readList(cbor, source, options), expected, pair.cbor);
          splits++;
        }
        items += expected.items.length;
      }
      console.log(
        `CBOR lists ${JSON.stringify(options)}: ${pairs.length} pairs, ${items} items, ${splits} ways of splitting`,
      );
      expect(items).toBeGreaterThan(0);
    },
  );

  it.each([{}, { managedFields: false }] as DecodeOptions[])(
    "ALT19, WAT21: every recorded watch, wherever it is split, with %j",
    async (options) => {
      const pairs = cborPairs(/^136/).filter(({ cbor: name }) => isWatch(name));
      let events = 0;
      let splits = 0;
      for (const pair of pairs) {
        const expected = await flat(
          json.decodeWatch(inChunks(capture(pair.json), 1 << 20), options),
        );
        for (const source of manySplits(capture(pair.cbor))) {
          deepStrictEqual(await flat(cbor.decodeWatch(source, options)), expected, pair.cbor);
          splits++;
        }
        events += expected.length;
      }
      console.log(
        `CBOR watches ${JSON.stringify(options)}: ${pairs.length} pairs, ${events} events, ${splits} ways of splitting`,
      );
      expect(events).toBeGreaterThan(0);
    },
  );

  it("re-encoding gives the same bytes, except for the order of keys", async () => {
    const pairs = cborPairs(/^136/).filter(({ cbor: name }) => !isWatch(name));
    for (const { cbor: name } of pairs) {
      const bytes = capture(name);
      const again = await cbor.encode(await cbor.decode(bytes));
      expect(Buffer.from(again).subarray(0, 3).toString("hex"), name).toBe("d9d9f7");
      // Only Secrets hold bytes, which come back as base64 text.
      if (!name.includes("secrets")) {
        expect(again.length, name).toBe(bytes.length);
      }
      deepStrictEqual(await cbor.decode(again), await cbor.decode(bytes));
    }
    console.log(`CBOR bodies encoded again: ${pairs.length}`);
  });
});

function isWatch(name: string): boolean {
  return captureType(name).startsWith("application/cbor-seq");
}
