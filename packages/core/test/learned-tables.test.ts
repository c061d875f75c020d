import { codecs } from "@typekube/core/internal";
import { chunksOf, flat } from "@typekube/test-support/bytes";
import { readList } from "@typekube/test-support/lists";
import { describe, expect, it } from "vitest";

// The tables belong to the process, and this file runs in its own: tables that it fills affect no other test.

const { json, cbor, protobuf } = codecs;

/** More strings and objects than any table holds. */
const many = 20_000;

const options = { managedFields: false, shareEqual: true } as const;

/** Returns a watch event as a server writes it. */
const eventOf = (name: string, before = "") =>
  `{"type":"ADDED",${before}"object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"${name}","managedFields":[{"manager":"m"}]}}}\n`;

const names = (events: readonly { object: unknown }[]) =>
  events.map(({ object }) => (object as { metadata: { name: string } }).metadata.name);

/** Reads lists whose objects have more new keys than the table takes, but in no map more than a shape keeps. */
async function fillKeys(prefix: string): Promise<void> {
  const mapOf = (name: string, of: (name: string) => unknown) =>
    Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`${name}${i}`, of(`${name}${i}-`)]));
  const spec = mapOf(prefix, (outer) => mapOf(outer, (inner) => ({ [inner]: { [inner]: 1 } })));
  const items = Array.from({ length: 3 }, (_, i) => ({ metadata: { name: `a${i}` }, spec }));
  const list = { kind: `${prefix}List`, apiVersion: "x/v1", metadata: {}, items };
  const read = await readList(json, chunksOf(await json.encode(list)), options);
  expect(read.items.at(-1)).toMatchObject(items.at(-1) as object);
}

async function assertEventsAreReadAndUnfrozen(kinds: readonly string[]): Promise<void> {
  const lines = ["a", "b", "c", "d"].map((name) => eventOf(name));
  // The same event repeatedly: shareable parts are shared from the third one on.
  const same = Array.from({ length: 6 }, () => eventOf("same"));
  for (const kind of kinds) {
    const body = [...lines, ...same].join("").replaceAll('"Pod"', `"${kind}"`);
    const events = await flat(json.decodeWatch(chunksOf(body), options));
    expect(names(events)).toEqual(["a", "b", "c", "d", ...Array<string>(6).fill("same")]);
    for (const { object } of events) {
      expect(Object.isFrozen(object)).toBe(false);
      expect(object).not.toHaveProperty("metadata.managedFields");
    }
  }
}

describe("a full table of JSON keys", () => {
  it("reads events whose keys can no longer be learned, and does not freeze their objects", async () => {
    // The watch is open while the keys are learned: its own shape already exists.
    let learned = false;
    async function* body() {
      yield Buffer.from(eventOf("first"));
      await fillKeys("k");
      learned = true;
      for (let i = 0; i < 6; i++) {
        yield Buffer.from(eventOf("again"));
        yield Buffer.from(eventOf("again", '"later":{"field":true},'));
      }
    }
    const events = await flat(json.decodeWatch(body(), options));
    expect(learned).toBe(true);
    expect(events).toHaveLength(13);
    for (const { object } of events) {
      expect(Object.isFrozen(object)).toBe(false);
      expect(object).not.toHaveProperty("metadata.managedFields");
    }
  });

  it("reads hundreds of kinds beyond the limit", async () => {
    await fillKeys("m");
    await assertEventsAreReadAndUnfrozen(Array.from({ length: 300 }, (_, i) => `Kind${i}`));
  });

  it.each([
    ["more keys than a shape keeps", Array.from({ length: 70 }, (_, i) => `"x${i}":{"a":${i}},`)],
    ["a key too long to be learned", [`"${"x".repeat(300)}":{"a":1},`]],
    ["keys that every JavaScript object inherits", ['"constructor":{"a":1},"toString":{"a":1},']],
  ])(
    "reads an event with %s before its object, and does not freeze the object",
    async (_, before) => {
      const line = eventOf("same", before.join(""));
      const events = await flat(json.decodeWatch(chunksOf(line.repeat(8)), options));
      expect(names(events)).toEqual(Array<string>(8).fill("same"));
      expect(events.some(({ object }) => Object.isFrozen(object))).toBe(false);
      expect(
        events.some(({ object }) => "managedFields" in (object as { metadata: object }).metadata),
      ).toBe(false);
    },
  );
});

describe.each([json, cbor, protobuf])(
  "full tables of strings and shared objects in $name",
  (codec) => {
    it("every string and object equals the one that was written", { timeout: 60_000 }, async () => {
      // Each twice, because only repeated ones are kept.
      const items = Array.from({ length: many }, (_, i) => ({
        metadata: {
          name: `${codec.name}-${i >> 1}`,
          labels: { [`key-${i >> 1}`]: `value-${i >> 1}` },
        },
        data: { [`data-${(i >> 1) % 5000}`]: "x".repeat((i >> 1) % 130) },
      }));
      const bytes = await codec.encode({
        kind: "ConfigMapList",
        apiVersion: "v1",
        metadata: {},
        items,
      });
      for (let round = 0; round < 2; round++) {
        const list = await readList(codec, chunksOf(bytes), options);
        expect(list.items).toEqual(
          items.map((item) => ({ kind: "ConfigMap", apiVersion: "v1", ...item })),
        );
      }
    });
  },
);
