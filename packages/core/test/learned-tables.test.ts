import { codecs } from "@typekube/core/internal";
import { describe, expect, it } from "vitest";
import { chunksOf, flat } from "./helpers/bytes.js";
import { readList } from "./helpers/lists.js";

// Each table is of the process, and this file has one of its own: what fills it stays in it.

const { json, cbor, protobuf } = codecs;

/** More strings and objects than any table holds. */
const many = 20_000;

const options = { managedFields: false, shareEqual: true } as const;

/** An event of a watch as a server writes it. */
const eventOf = (name: string, before = "") =>
  `{"type":"ADDED",${before}"object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"${name}","managedFields":[{"manager":"m"}]}}}\n`;

const names = (events: readonly { object: unknown }[]) =>
  events.map(({ object }) => (object as { metadata: { name: string } }).metadata.name);

/** Lists objects that hold more new keys than the table takes, never more in one map than a shape keeps. */
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
  // The same event again and again: what is shareable is shared from the third on.
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

describe("the table of JSON keys, filled and passed", () => {
  it("events whose keys cannot be learned any more are read, and their objects stay changeable", async () => {
    // The watch is open while the keys are learned: its own shape was made before.
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

  it("kinds that come after the limit are read by the hundred", async () => {
    await fillKeys("m");
    await assertEventsAreReadAndUnfrozen(Array.from({ length: 300 }, (_, i) => `Kind${i}`));
  });

  it.each([
    ["more keys than a shape keeps", Array.from({ length: 70 }, (_, i) => `"x${i}":{"a":${i}},`)],
    ["a key longer than any that is learned", [`"${"x".repeat(300)}":{"a":1},`]],
    ["keys that every JavaScript object has", ['"constructor":{"a":1},"toString":{"a":1},']],
  ])(
    "an event with %s before its object is read, and its object stays changeable",
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
  "tables of strings and shared objects in $name, passed",
  (codec) => {
    it("every string and object is the one that was written", { timeout: 60_000 }, async () => {
      // Each twice: only what comes again is kept.
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
