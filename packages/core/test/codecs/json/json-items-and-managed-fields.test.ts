import { deepStrictEqual } from "node:assert/strict";
import type { KubeObject } from "@typekube/api";
import { KubeError } from "@typekube/core";
import { codecs } from "@typekube/core/internal";
import { chunksOf, flat, inChunks } from "@typekube/test-support/bytes";
import { failure } from "@typekube/test-support/failure";
import { readList } from "@typekube/test-support/lists";
import { seededRandom } from "@typekube/test-support/seeded-random";
import { describe, expect, it } from "vitest";

const { json } = codecs;

/**
 * Builds an entry of managedFields for the objects below. Their text contains what looks like the end of an item or of
 * managedFields where neither ends.
 */
const entry = (fieldsV1: object, extra = {}) => ({
  manager: "m",
  operation: "Update",
  fieldsV1,
  ...extra,
});
const awkward: readonly Record<string, unknown>[] = [
  { metadata: { name: "plain", managedFields: [entry({ "f:a": {} })] }, spec: { a: 1 } },
  { metadata: { name: "none" } },
  { metadata: { name: "empty", managedFields: [] }, spec: { managedFields: [{ a: 1 }] } },
  { metadata: { name: "below" }, spec: { managedFields: [{ a: 1 }] } },
  { metadata: { name: "in-metadata-below" }, spec: { metadata: { managedFields: [{ a: 1 }] } } },
  { metadata: { name: "only-below" }, spec: { metadata: { managedFields: [{ a: [{}] }] } } },
  { metadata: { managedFields: [entry({})], name: "sorted" }, managedFields: [{ b: 2 }] },
  {
    metadata: {
      name: "keys",
      managedFields: [
        entry({ 'k:{"a":[{}]}': {}, "f:}]}": {}, 'f:}],"': {}, 'v:"}]"': { ".": {} } }),
        entry({ "f:x": [{ y: [{}] }] }, { subresource: "}]" }),
      ],
    },
    status: { text: '"managedFields":[{}]}' },
  },
  {
    metadata: { name: "templates", labels: { managedFields: "no" }, managedFields: [entry({})] },
    spec: {
      volumeClaimTemplates: [
        { metadata: { name: "a", managedFields: [entry({})] }, spec: {} },
        { metadata: { name: "b" }, spec: {} },
        { metadata: { name: "c" }, spec: {} },
      ],
    },
  },
  { metadata: { name: "text" }, data: { a: '},{"metadata":{', b: '"}]},{"metadata":{"' } },
  { metadata: { name: "large", generation: 9007199254740993n, managedFields: [entry({})] } },
  { metadata: { name: "unicode €😀\u2028", managedFields: [entry({ "f:€": {} })] }, spec: "€" },
  { spec: { first: true }, metadata: { name: "late", managedFields: [entry({})] } },
  {},
];
const named = (item: object) => ({ apiVersion: "x/v1", kind: "X", ...item });
const namedAsGoDoes = (item: object) => ({ kind: "X", apiVersion: "x/v1", ...item });

/** Returns the expected items: parsed as a whole, then completed and stripped of managedFields in the plain way. */
function expected(items: readonly object[], managedFields: boolean): unknown[] {
  return items.map((item) => {
    const object = structuredClone({ kind: "X", apiVersion: "x/v1", ...item }) as KubeObject;
    if (!managedFields && object.metadata) {
      delete object.metadata.managedFields;
    }
    return object;
  });
}

async function assertRead(items: readonly object[], chunkBytes: number, spaces = 0): Promise<void> {
  const list = { kind: "XList", apiVersion: "x/v1", metadata: { resourceVersion: "1" }, items };
  let bytes = Buffer.from(await json.encode(list));
  if (spaces > 0 && !/\d{16}/.test(bytes.toString())) {
    bytes = Buffer.from(JSON.stringify(JSON.parse(bytes.toString()), null, spaces));
  }
  for (const managedFields of [true, false]) {
    const options = { managedFields };
    const read = await readList(json, inChunks(bytes, chunkBytes), options);
    deepStrictEqual(read.items, expected(items, managedFields), `${chunkBytes} ${managedFields}`);
    const whole = (await json.decode(bytes, options)) as { items: object[] };
    deepStrictEqual(expected(whole.items, true), expected(items, managedFields));
  }
}

describe("guesses about the end of items and managedFields never change the result", () => {
  it("awkward objects in pairs of every order, in chunks of any size, compact and indented", async () => {
    for (const first of awkward) {
      for (const second of awkward) {
        await assertRead([first, second, first, second], 17);
        await assertRead([named(first), named(second), named(first)], 64);
        await assertRead([first, second, first].map(namedAsGoDoes), 64);
      }
    }
    for (let size = 1; size < 200; size += 3) {
      await assertRead(awkward, size);
      await assertRead(awkward.map(named), size, size % 2);
    }
  });

  it("2,000 random lists of awkward objects", async () => {
    const random = seededRandom(7);
    for (let round = 0; round < 2_000; round++) {
      const count = Math.floor(random() * 12);
      const items = Array.from({ length: count }, () => {
        const item = awkward[Math.floor(random() * awkward.length)] as object;
        return random() < 0.3 ? named(item) : item;
      });
      await assertRead(items, 1 + Math.floor(random() * 400));
    }
  });

  it("a list with items larger than a chunk, after small ones", async () => {
    const large = { metadata: { name: "large" }, data: { text: "x".repeat(400_000) } };
    const small = { metadata: { name: "small" } };
    await assertRead([small, small, large, small, large, large, small], 64 * 1024);
  });

  it("lists that are large enough to be read in runs", async () => {
    const random = seededRandom(11);
    const items = Array.from({ length: 1_000 }, (_, at) => {
      const item = awkward[Math.floor(random() * awkward.length)] as Record<string, unknown>;
      return { ...item, pad: "p".repeat(Math.floor(random() * 1_500)), at };
    });
    for (const size of [1_000, 16_384, 65_536, 300_000, 2_000_000]) {
      await assertRead(items, size);
      await assertRead(items.map(named), size);
    }
  });

  it("watch events and single objects", async () => {
    for (const item of awkward) {
      for (const object of [named(item), { kind: "X", apiVersion: "x/v1", ...item }]) {
        const [cut] = expected([object], false) as object[];
        deepStrictEqual(
          await json.decode(await json.encode(object), { managedFields: false }),
          cut,
        );
        const event = await json.encodeWatchEvent({ type: "ADDED", object });
        const options = { managedFields: false };
        const [read] = await flat(json.decodeWatch(chunksOf(event), options));
        deepStrictEqual(read, { type: "ADDED", object: cut });
      }
    }
  });
});

it("drops the managedFields of an object that has items of its own", async () => {
  const items = [{ metadata: { name: "i", managedFields: [entry({})] } }];
  const object = { kind: "Cart", metadata: { name: "c", managedFields: [entry({})] }, items };
  for (const codec of [codecs.json, codecs.yaml, codecs.cbor]) {
    expect(
      await codec.decode(await codec.encode(object), { managedFields: false }),
      codec.name,
    ).toEqual({ kind: "Cart", metadata: { name: "c" }, items: [{ metadata: { name: "i" } }] });
  }
});

describe("invalid JSON in a list", () => {
  const head = '{"kind":"XList","apiVersion":"x/v1","metadata":{},"items":[';
  const a = '{"metadata":{"name":"a"}}';
  it.each([
    ["no comma between items", `${a}${a}]}`],
    ["two commas", `${a},,${a}]}`],
    ["a leading comma", `,${a}]}`],
    ["a trailing comma", `${a},${a},]}`],
    ["an invalid item among valid items", `${a},${a},{"metadata":{"name":"b},${a},${a}]}`],
    ["a bracket that closes a brace", `${a},${a},{"metadata":{"name":"b"]},${a},${a}]}`],
    [
      "an unterminated managedFields array",
      `${a},{"metadata":{"managedFields":[{"a":1},${a},${a}]}`,
    ],
    ["a string among the items", `${a},"x",${a}]}`],
  ])("a list with %s is a Decode error", async (_, rest) => {
    for (const options of [{}, { managedFields: false }]) {
      const error = await failure(readList(json, chunksOf(head + rest), options));
      expect(error).toMatchObject({ code: "Decode" });
    }
  });
});

describe("JSON that nests deeper than maxDepth", () => {
  const deep = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;

  it("is TooLarge and named, in an object, an item, the fields around items and an event", async () => {
    const object = `{"metadata":{"name":"a"},"spec":{"x":${deep(40_000)}}}`;
    const reads = [
      json.decode(Buffer.from(object)),
      readList(json, chunksOf(`{"kind":"XList","apiVersion":"x/v1","items":[${object}]}`)),
      readList(json, chunksOf(`{"kind":"XList","metadata":{"x":${deep(40_000)}},"items":[]}`)),
      readList(json, chunksOf(`{"kind":"XList","items":[{}],"x":${deep(40_000)}}`)),
      flat(json.decodeWatch(chunksOf(`{"type":"ADDED","object":${object}}\n`))),
    ];
    for (const read of reads) {
      expect(await failure(read)).toMatchObject({
        code: "TooLarge",
        message: expect.stringContaining("maxDepth (500)"),
      });
    }
  });

  it("ignores brackets in strings, and the limit can be raised", async () => {
    const text = JSON.stringify({ a: '[{\\"'.repeat(40_000) });
    expect(await json.decode(Buffer.from(text))).toBeDefined();
    const options = { limits: { maxDepth: 50_000 } };
    expect(await json.decode(Buffer.from(`{"a":${deep(40_000)}}`), options)).toBeDefined();
  });
});

describe("N8: an invalid event", () => {
  it.each([
    ["in the same chunk", 1_000_000],
    ["in small pieces", 5],
  ])("does not suppress the valid events before it, %s", async (_, size) => {
    const good = '{"type":"ADDED","object":{"metadata":{"name":"a"}}}\n';
    const seen: unknown[] = [];
    const reading = (async () => {
      const bytes = Buffer.from(`${good}${good}{"type":"ADD\n${good}`);
      for await (const events of json.decodeWatch(inChunks(bytes, size))) {
        seen.push(...events);
      }
    })();
    expect(await failure(reading)).toMatchObject({ code: "Decode" });
    expect(seen).toHaveLength(2);
  });
});

describe("extremely deep JSON", () => {
  it.each([
    "[".repeat(200_000),
    `${"[".repeat(200_000)}9007199254740993${"]".repeat(200_000)}`,
    `${"[".repeat(30_000)}9007199254740993${"]".repeat(30_000)}`,
  ])("gives a KubeError or a value (case %#)", async (text) => {
    await json.decode(Buffer.from(text)).catch((error: unknown) => {
      expect(error).toBeInstanceOf(KubeError);
    });
  });
});
