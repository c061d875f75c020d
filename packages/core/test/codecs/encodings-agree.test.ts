import { deepStrictEqual } from "node:assert/strict";
import { codecs, type DecodeOptions } from "@typekube/core/internal";
import { chunksOf, everySplit, inChunks } from "@typekube/test-support/bytes";
import { capture, captureType, encodingPairs, hasCaptures } from "@typekube/test-support/captures";
import { goldenObjects, hasCorpus } from "@typekube/test-support/golden-corpus";
import { readList } from "@typekube/test-support/lists";
import { describe, expect, it } from "vitest";

const { json, protobuf } = codecs;

/**
 * Removes null creationTimestamps. Servers before 1.33 write the zero creationTimestamp of a template as null, and
 * protobuf does not show which server wrote it.
 */
function withoutZeroTimes(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(withoutZeroTimes);
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, field]) => key !== "creationTimestamp" || field !== null)
      .map(([key, field]) => [key, withoutZeroTimes(field)]),
  );
}

describe.runIf(hasCaptures)(
  "recorded JSON and protobuf responses decode to the same values",
  () => {
    it.each([{}, { managedFields: false }] as DecodeOptions[])(
      "ALT1, GRP1: streamed lists are equal from JSON and protobuf, with %j",
      async (options) => {
        const pairs = encodingPairs(/^(120|136t)-list-/);
        let items = 0;
        for (const pair of pairs) {
          const expected = await readList(json, chunksOf(capture(pair.json)), options);
          const bytes = capture(pair.protobuf);
          const sources =
            bytes.length < 3000 ? everySplit(bytes) : [chunksOf(bytes), inChunks(bytes, 1)];
          for (const source of sources) {
            deepStrictEqual(await readList(protobuf, source, options), expected, pair.protobuf);
          }
          items += expected.items.length;
        }
        console.log(
          `list captures ${JSON.stringify(options)}: ${pairs.length} pairs, ${items} items`,
        );
        expect(items).toBeGreaterThan(0);
      },
    );

    it("ALT1, GRP1: every recorded pair of bodies of a known kind", async () => {
      const pairs = encodingPairs(/^(120|136t)-/).filter(
        ({ protobuf: name }) => !/watch/.test(name) && captureType(name).includes("protobuf"),
      );
      const skipped: string[] = [];
      let equal = 0;
      for (const pair of pairs) {
        let decoded: unknown;
        try {
          decoded = await protobuf.decode(capture(pair.protobuf));
        } catch (error) {
          skipped.push(`${pair.protobuf} (${(error as Error).message})`);
          continue;
        }
        const expected = await json.decode(capture(pair.json));
        deepStrictEqual(withoutZeroTimes(decoded), withoutZeroTimes(expected), pair.protobuf);
        equal++;
      }
      console.log(
        `body captures: ${pairs.length} pairs, ${equal} equal, not compared: ${skipped.join(", ") || "none"}`,
      );
      expect(equal).toBeGreaterThan(0);
    });
  },
);

describe.runIf(hasCorpus)("golden objects without managedFields", () => {
  it("are the same from JSON and protobuf, and lack nothing else", async () => {
    let compared = 0;
    for (const { name, expected } of hasCorpus ? goldenObjects("v1.37.1") : []) {
      if (name === "core.v1.WatchEvent") {
        continue;
      }
      const options = { managedFields: false };
      const fromJson = await json.decode(expected.json, options);
      deepStrictEqual(await protobuf.decode(expected.protobuf, options), fromJson, name);
      const whole = (await json.decode(expected.json)) as {
        metadata?: { managedFields?: unknown };
      };
      delete whole.metadata?.managedFields;
      deepStrictEqual(fromJson, whole, name);
      compared++;
    }
    console.log(`golden v1.37.1 without managedFields: ${compared} equal`);
    expect(compared).toBeGreaterThan(0);
  });
});

describe("managedFields: false", () => {
  const managed = {
    managedFields: [{ manager: "kubectl", operation: "Update", fieldsV1: { "f:a": {} } }],
  };
  const template = { metadata: { name: "inner", ...managed } };
  const podTemplate = {
    kind: "PodTemplate",
    apiVersion: "v1",
    metadata: { name: "a", ...managed },
    template,
  };

  it.each(["json", "protobuf"] as const)(
    "drops them from the object and from no other place in %s",
    async (encoding) => {
      const codec = codecs[encoding];
      const options = { managedFields: false };
      const bytes = await codec.encode(podTemplate);
      const object = (await codec.decode(bytes, options)) as typeof podTemplate;
      expect(object.metadata).toEqual({ name: "a" });
      expect(object.template.metadata.managedFields).toEqual(managed.managedFields);

      const { kind: _, apiVersion: __, ...item } = podTemplate;
      const list = await codec.encode({
        kind: "PodTemplateList",
        apiVersion: "v1",
        metadata: {},
        items: [item],
      });
      const whole = (await codec.decode(list, options)) as { items: (typeof podTemplate)[] };
      expect(whole.items[0]?.metadata).toEqual({ name: "a" });
      expect(whole.items[0]?.template.metadata.managedFields).toEqual(managed.managedFields);
      const streamed = await readList(codec, chunksOf(list), options);
      deepStrictEqual(streamed.items[0], object);

      const event = await codec.encodeWatchEvent({ type: "ADDED", object: podTemplate });
      for await (const [first] of codec.decodeWatch(chunksOf(event), options)) {
        deepStrictEqual(first?.object, object);
      }
    },
  );
});
