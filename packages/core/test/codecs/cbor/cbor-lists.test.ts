import { deepStrictEqual } from "node:assert/strict";
import { codecs, type ListPart } from "@typekube/core/internal";
import { chunksOf, everySplit, inChunks } from "@typekube/test-support/bytes";
import { failure } from "@typekube/test-support/failure";
import { configMapItems, configMaps, readList } from "@typekube/test-support/lists";
import { describe, expect, it } from "vitest";
import {
  arrayItem,
  bytesItem,
  itemOf,
  mapItem,
  openArrayItem,
  openMapItem,
  tagItem,
} from "../../helpers/cbor-items.js";

const { cbor, json } = codecs;
const inOrder = (keys: string[]) => keys;
const raw = (value: unknown) => itemOf(value, inOrder);

/** Encodes {@link configMaps} with its fields in the given order. */
function listIn(order: readonly string[]): Buffer {
  const fields: Readonly<Record<string, unknown>> = configMaps;
  return tagItem(55799, mapItem(...order.map((key) => [key, raw(fields[key])] as const)));
}

function permutations<T>(values: readonly T[]): T[][] {
  return values.length <= 1
    ? [[...values]]
    : values.flatMap((value) =>
        permutations(values.filter((other) => other !== value)).map((rest) => [value, ...rest]),
      );
}

const orders = permutations(["kind", "apiVersion", "metadata", "items"]);

async function parts(source: AsyncIterable<Uint8Array>): Promise<ListPart[]> {
  const all: ListPart[] = [];
  for await (const part of cbor.decodeList(source)) {
    all.push(part);
  }
  return all;
}

describe("CBOR lists with their fields in any order", () => {
  it.each(orders)("N18, CHK13: %s, %s, %s, %s gives the same items", async (...order) => {
    const bytes = listIn(order);
    for (const source of everySplit(bytes)) {
      deepStrictEqual(await readList(cbor, source), {
        apiVersion: "v1",
        kind: "ConfigMapList",
        metadata: { resourceVersion: "42" },
        items: configMapItems,
      });
    }
  });

  it("yields items as their bytes arrive, if the list's kind came before them", async () => {
    for (const order of orders.filter((each) => each[3] === "items")) {
      const bytes = listIn(order);
      const given = await parts(inChunks(bytes, 1));
      expect(given.map(({ items }) => items.length)).toEqual([1, 1, 1, 0]);
      expect(given[0]?.metadata).toEqual({ resourceVersion: "42" });
    }
  });

  it("holds back items that come before the list's kind until it is known", async () => {
    const bytes = listIn(["items", "kind", "apiVersion", "metadata"]);
    const given = await parts(inChunks(bytes, 1));
    expect(given.map(({ items }) => items.length)).toEqual([3, 0]);
    expect(given[0]).toMatchObject({
      apiVersion: "v1",
      kind: "ConfigMapList",
      metadata: undefined,
    });
    expect(given[1]?.metadata).toEqual({ resourceVersion: "42" });
  });

  it("never holds back items that carry their kind", async () => {
    const fields: Readonly<Record<string, unknown>> = { ...configMaps, items: configMapItems };
    const order = ["items", "kind", "apiVersion", "metadata"];
    const bytes = mapItem(...order.map((key) => [key, raw(fields[key])] as const));
    const given = await parts(inChunks(bytes, 1));
    expect(given.map(({ items }) => items.length)).toEqual([1, 1, 1, 0]);
    deepStrictEqual(
      given.flatMap(({ items }) => items),
      configMapItems,
    );
  });

  it("keeps the order of items with and without a kind", async () => {
    const items = [configMaps.items[0], configMapItems[1], configMaps.items[2]];
    const bytes = mapItem(
      ["items", raw(items)],
      ["apiVersion", bytesItem("v1")],
      ["kind", bytesItem("ConfigMapList")],
    );
    for (const source of everySplit(bytes)) {
      deepStrictEqual((await readList(cbor, source)).items, configMapItems);
    }
  });

  it("reads items with only one of kind and apiVersion, and tagged items, as in JSON", async () => {
    const items = [{ apiVersion: "own/v1" }, { kind: "Own" }, { metadata: {} }, {}];
    const list = { kind: "AList", apiVersion: "v1", metadata: {}, items };
    const bytes = mapItem(
      ["kind", bytesItem("AList")],
      ["apiVersion", bytesItem("v1")],
      ["metadata", raw({})],
      ["items", arrayItem(...items.map((item) => tagItem(55799, raw(item))))],
    );
    const expected = await readList(json, chunksOf(JSON.stringify(list)));
    for (const body of [bytes, Buffer.from(await cbor.encode(list)), raw(list)]) {
      for (const source of everySplit(body)) {
        deepStrictEqual(await readList(cbor, source), expected);
      }
    }
  });

  it("yields the items of a list without kind unchanged", async () => {
    const bytes = mapItem(["items", raw([{ metadata: { name: "a" } }])]);
    deepStrictEqual(await readList(cbor, chunksOf(bytes)), {
      apiVersion: undefined,
      kind: undefined,
      metadata: undefined,
      items: [{ metadata: { name: "a" } }],
    });
  });

  it("reads maps and arrays that end with a break", async () => {
    const bytes = openMapItem(
      ["items", openArrayItem(...configMaps.items.map(raw))],
      ["metadata", openMapItem(["resourceVersion", bytesItem("42")])],
      ["apiVersion", bytesItem("v1")],
      ["kind", bytesItem("ConfigMapList")],
    );
    for (const source of everySplit(bytes)) {
      deepStrictEqual((await readList(cbor, source)).items, configMapItems);
    }
    for (let end = 0; end < bytes.length; end++) {
      const error = await failure(readList(cbor, inChunks(bytes.subarray(0, end), 7)));
      expect(error.code, `cut at ${end}`).toBe("Decode");
    }
  });

  it("reads empty lists in every form", async () => {
    for (const items of [
      arrayItem(),
      openArrayItem(),
      Buffer.from([0xf6]),
      tagItem(99, arrayItem()),
    ]) {
      for (const list of [mapItem(["items", items]), openMapItem(["items", items])]) {
        for (const source of everySplit(list)) {
          expect((await readList(cbor, source)).items).toEqual([]);
        }
      }
    }
  });

  it.each([
    ["an empty body", Buffer.alloc(0)],
    ["an array", arrayItem(raw({ metadata: {} }))],
    ["a string", bytesItem("items")],
    ["a map without items", mapItem(["kind", bytesItem("ConfigMapList")])],
    ["an empty map", mapItem()],
    ["items that are an object", mapItem(["items", raw({})])],
    ["items that are a string", mapItem(["items", bytesItem("")])],
    ["an item that is a string", mapItem(["items", raw(["a"])])],
    ["an item that is an array", mapItem(["items", raw([[]])])],
    ["an item that is null", mapItem(["items", raw([null])])],
    ["items twice", mapItem(["items", raw([])], ["items", raw([])])],
    [
      "a duplicate field",
      mapItem(["kind", bytesItem("A")], ["kind", bytesItem("A")], ["items", raw([])]),
    ],
    ["a number as a key", Buffer.from("a20180456974656d7380", "hex")],
    ["a second list after the first", Buffer.concat([mapItem(["items", raw([])]), mapItem()])],
    ["a break instead of a list", Buffer.from([0xff])],
    ["a map that ends after a key", Buffer.from("bf456974656d73ff", "hex")],
    ["items with a reserved length", Buffer.from("a1456974656d739c", "hex")],
  ])("ALT18: rejects %s with a Decode error", async (_, bytes) => {
    for (const source of everySplit(bytes)) {
      expect((await failure(readList(cbor, source))).code).toBe("Decode");
    }
  });

  it("yields the whole items of earlier chunks before it rejects a broken one", async () => {
    const bytes = mapItem(
      ["kind", bytesItem("AList")],
      ["apiVersion", bytesItem("v1")],
      ["items", arrayItem(raw({ metadata: { name: "a" } }), Buffer.from([0xf7]))],
    );
    const seen: unknown[] = [];
    const read = async () => {
      for await (const { items } of cbor.decodeList(inChunks(bytes, 1))) {
        seen.push(...items);
      }
    };
    expect((await failure(read())).code).toBe("Decode");
    expect(seen).toHaveLength(1);
  });

  it("rejects a declared size above the limit before keeping the bytes", async () => {
    const limits = { maxObjectBytes: 1000 };
    const claims = {
      "a string of 4 GiB": "5affffffff",
      "a map of 2^40 entries": "bb0000010000000000",
      "an array of 2000 elements": "9907d0",
    };
    for (const [what, hex] of Object.entries(claims)) {
      let taken = 0;
      async function* source(): AsyncIterable<Uint8Array> {
        const start = mapItem(["items", arrayItem(mapItem(["a", Buffer.from(hex, "hex")]))]);
        yield start;
        for (;;) {
          taken++;
          yield Buffer.alloc(100);
        }
      }
      const error = await failure(readList(cbor, source(), { limits }));
      expect(error.code, what).toBe("TooLarge");
      expect(taken, what).toBe(0);
    }
  });

  it("limits all fields around the items to the size of one item", async () => {
    const fields = Array.from(
      { length: 50 },
      (_, i) => [`field${i}`, bytesItem("x".repeat(100))] as const,
    );
    const limits = { maxObjectBytes: 1000 };
    const error = await failure(
      readList(cbor, inChunks(mapItem(...fields, ["items", raw([])]), 30), { limits }),
    );
    expect(error).toMatchObject({ code: "TooLarge" });
  });

  it("reads items of very different sizes, in chunks of many items or a part of one", async () => {
    const items = Array.from({ length: 300 }, (_, i) => ({
      metadata: { name: `n${i}` },
      data: { text: "x".repeat(i % 17 === 0 ? 30_000 : i) },
    }));
    const bytes = listOf(items);
    const expected = items.map((item) => ({ kind: "ConfigMap", apiVersion: "v1", ...item }));
    for (const size of [10, 999, 4096, 65_536, bytes.length]) {
      deepStrictEqual((await readList(cbor, inChunks(bytes, size))).items, expected);
    }
  });

  it("managedFields: false drops those of each item and no others", async () => {
    const managedFields = [{ manager: "m", fieldsV1: { "f:a": { ".": {} } } }];
    const item = {
      metadata: { name: "a", managedFields },
      spec: { metadata: { managedFields } },
      managedFields,
    };
    const list = {
      kind: "AList",
      apiVersion: "v1",
      metadata: { managedFields },
      items: [item, item],
    };
    for (const order of permutations(["kind", "apiVersion", "metadata", "items"])) {
      const bytes = mapItem(
        ...order.map((key) => [key, raw((list as Record<string, unknown>)[key])] as const),
      );
      const options = { managedFields: false };
      const text = Buffer.from(JSON.stringify(list));
      deepStrictEqual(
        await readList(cbor, inChunks(bytes, 20), options),
        await readList(json, chunksOf(text), options),
      );
    }
  });
});

function listOf(items: readonly unknown[]): Buffer {
  return mapItem(
    ["kind", bytesItem("ConfigMapList")],
    ["apiVersion", bytesItem("v1")],
    [
      "items",
      Buffer.concat([
        Buffer.from([0x99, items.length >> 8, items.length & 255]),
        ...items.map(raw),
      ]),
    ],
  );
}
