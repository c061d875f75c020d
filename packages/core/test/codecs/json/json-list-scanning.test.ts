import { codecs } from "@typekube/core/internal";
import { chunksOf, everySplit, inChunks } from "@typekube/test-support/bytes";
import { failure } from "@typekube/test-support/failure";
import { readList } from "@typekube/test-support/lists";
import { describe, expect, it } from "vitest";

const read = (text: string) => readList(codecs.json, chunksOf(text));

const head = '"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":"1"}';

describe("finding the items of a JSON list", () => {
  it("metadata may follow the items, whose kind comes from the fields before them", async () => {
    const text =
      '{"kind":"ConfigMapList","apiVersion":"v1","items":[{"metadata":{"name":"a"}}],"metadata":{"resourceVersion":"9"}}';
    for (const source of everySplit(Buffer.from(text))) {
      expect(await readList(codecs.json, source)).toEqual({
        kind: "ConfigMapList",
        apiVersion: "v1",
        metadata: { resourceVersion: "9" },
        items: [{ kind: "ConfigMap", apiVersion: "v1", metadata: { name: "a" } }],
      });
    }
  });

  it("reads only the outermost items", async () => {
    const items = [
      { items: [{ items: [] }], metadata: { name: "a" }, spec: { items: [[{}], "]"] } },
    ];
    const metadata = { annotations: { items: "[{}]" }, items: [1] };
    const list = {
      metadata,
      kind: "XList",
      apiVersion: "x/v1",
      before: { items: [{ a: 1 }] },
      items,
    };
    const text = JSON.stringify(list, null, 2);
    for (const source of [chunksOf(text), inChunks(Buffer.from(text), 1)]) {
      const result = await readList(codecs.json, source);
      expect(result.items).toEqual([{ kind: "X", apiVersion: "x/v1", ...items[0] }]);
      expect(result.metadata).toEqual(metadata);
    }
  });

  it.each(['\\"', "\\\\", '\\\\\\"', "}]", "[{", "\\u005d", "€😀", "\u2028", '\\",\\"items\\":[{'])(
    "%s in a string neither opens nor closes a value",
    async (inside) => {
      const text = `{"note":"${inside}",${head},"items":[{"data":{"${inside}":"${inside}"}}],"end":"${inside}"}`;
      const expected = JSON.parse(text) as { items: object[] };
      for (const source of everySplit(Buffer.from(text))) {
        const { items } = await readList(codecs.json, source);
        expect(items).toEqual([{ kind: "ConfigMap", apiVersion: "v1", ...expected.items[0] }]);
      }
    },
  );

  it.each([
    ["an item", (text: string) => `{${head},"items":[{"data":{"a":"${text}"}}]}`],
    ["a field before the items", (text: string) => `{"note":"${text}",${head},"items":[{}]}`],
  ])("inspects each byte of a long text in %s once, however small the chunks", async (_, list) => {
    const bytes = Buffer.from(list('\\"'.repeat(4_000_000)));
    const { items } = await readList(codecs.json, inChunks(bytes, 1024));
    expect(items).toHaveLength(1);
  });

  it("a guess that ends inside an item loses nothing and leaves the caller's bytes unchanged", async () => {
    // Beginnings of items occur inside of items, also at the end of a chunk, where the reader searches for the last
    // one.
    const nested = { list: [{ metadata: { name: "x" } }, { metadata: { name: "y" } }, "},{"] };
    const items = Array.from({ length: 40 }, (_, at) => ({
      metadata: { name: `n${at}`, annotations: { text: '},{"metadata":{' } },
      spec: at % 3 === 0 ? { nested, pad: "p".repeat(at) } : { at },
    }));
    const bytes = Buffer.from(JSON.stringify({ kind: "XList", apiVersion: "x/v1", items }));
    const before = Buffer.from(bytes);
    for (const size of [97, 512, 1_000, 4_096, bytes.length]) {
      const result = await readList(codecs.json, inChunks(bytes, size));
      expect(result.items).toEqual(
        items.map((item) => ({ kind: "X", apiVersion: "x/v1", ...item })),
      );
    }
    expect(bytes.equals(before)).toBe(true);
  });

  it.each(["5", "[]", "null", '"x"'])("rejects %s among the items", async (stray) => {
    const item = '{"metadata":{"name":"a"}}';
    const text = `{${head},"items":[${item},${item},${stray},${item},${item}]}`;
    expect((await failure(read(text))).code).toBe("Decode");
  });

  it("does not silently lose items under a key written with escapes", async () => {
    const text = String.raw`{"kind":"XList","metadata":{},"\u0069tems":[{"a":1}]}`;
    expect((await failure(readList(codecs.json, chunksOf(text)))).code).toBe("Decode");
    const empty = String.raw`{"kind":"XList","metadata":{},"\u0069tems":[]}`;
    expect((await readList(codecs.json, chunksOf(empty))).items).toEqual([]);
  });

  it.each([
    '[{"a":1}:,{"a":2}]',
    '[:{"a":1}]',
    '[{"a":1},:{"a":2}]',
    '[{"a":1}{"a":2}]',
    '[{"a":1},,{"a":2}]',
    '[,{"a":1}]',
    '[{"a":1},]',
    '[{"a":1};{"a":2}]',
    '[{"a":1}"b"]',
    '[{"a":1}}',
    '[{"a":1]',
    '{{"a":1}]',
  ])("rejects what JSON.parse rejects: %s", async (items) => {
    for (const text of [`{${head},"items":${items}}`, `{"items":${items},${head}}`]) {
      expect(() => JSON.parse(text)).toThrow();
      expect((await failure(read(text))).code).toBe("Decode");
    }
  });

  it.each([
    '"items":[],"items":[{"a":3}]',
    '"items":[],"items":null',
    '"items":null,"items":[{"a":3}]',
    '"items":[],"x":{"items":[{"a":1}]},"items":[{"a":3},{"a":4}]',
    String.raw`"\u0069tems":[{"a":1}],"items":[{"a":3}]`,
  ])("the last of two keys items counts, as in JSON.parse: %s", async (fields) => {
    const text = `{"kind":"XList",${fields}}`;
    const { items } = JSON.parse(text) as { items: object[] | null };
    for (const chunks of everySplit(Buffer.from(text))) {
      const list = await readList(codecs.json, chunks);
      expect(list.items).toEqual(
        (items ?? []).map((item) => ({ kind: "X", apiVersion: undefined, ...item })),
      );
    }
  });

  it.each([
    '"items":[{"a":1},{"a":2}],"items":[{"a":3}]',
    '"items":[{"a":1}],"items":[]',
    '"items":[{"a":1}],"items":null',
    '"items":[],"items":[{"a":1}],"items":[]',
    '"items":[{"metadata":{"name":"a"}},{"metadata":{"name":"b"}}],"items":[{"metadata":{}}]',
  ])(
    "rejects two keys items when the first has items, in chunks of any size: %s",
    async (fields) => {
      const bytes = Buffer.from(`{"kind":"XList",${fields}}`);
      for (const chunks of [...everySplit(bytes), inChunks(bytes, bytes.length)]) {
        const error = await failure(readList(codecs.json, chunks));
        expect([error.code, error.message, error.hint]).toEqual([
          "Decode",
          expect.stringContaining("a duplicate key items"),
          expect.stringContaining("proxies"),
        ]);
      }
      for (let size = 1; size <= bytes.length; size++) {
        expect((await failure(readList(codecs.json, inChunks(bytes, size)))).code).toBe("Decode");
      }
    },
  );

  it("rejects a second key items written with escapes", async () => {
    const escaped = String.raw`{"kind":"XList","items":[{"a":1}],"\u0069tems":[]}`;
    expect((await failure(readList(codecs.json, chunksOf(escaped)))).code).toBe("Decode");
  });

  it("an item keeps its own kind", async () => {
    const own = { kind: "Secret", apiVersion: "v1", metadata: { name: "s" } };
    const { items } = await read(
      JSON.stringify({
        kind: "List",
        apiVersion: "v1",
        metadata: {},
        items: [own, { metadata: {} }],
      }),
    );
    expect(items).toEqual([own, { metadata: {} }]);
  });

  it("kind and apiVersion come first, as in a single object", async () => {
    const { items } = await read(`{${head},"items":[{"metadata":{}}]}`);
    expect(Object.keys(items[0] as object)).toEqual(["kind", "apiVersion", "metadata"]);
  });

  it.each([
    ["a string among the items", `{${head},"items":[{}, "a", {}]}`],
    ["a number among the items", `{${head},"items":[1]}`],
    ["null among the items", `{${head},"items":[null]}`],
    ["items that are an object", `{${head},"items":{}}`],
    ["items that are a string", `{${head},"items":"none"}`],
    ["no items", `{${head}}`],
    ["an array", "[{}]"],
    ["an empty body", ""],
    ["white space", " \n "],
    ["a string", '"list"'],
    ["null", "null"],
    ["HTML", "<html></html>"],
    ["a string after the list", `{${head},"items":[]}"more"`],
    ["another list after the list", `{${head},"items":[]}{}`],
    ["too many brackets", `{${head},"items":[]}}`],
    ["a bracket of the wrong kind", `{${head},"items":[{"a":1]]}`],
    ["an item that is not JSON", `{${head},"items":[{a:1}]}`],
    ["a head that is not JSON", '{kind:1,"items":[{}]}'],
  ])("rejects text that is not a JSON list with a Decode error: %s", async (_, text) => {
    expect((await failure(read(text))).code).toBe("Decode");
    expect((await failure(readList(codecs.json, inChunks(Buffer.from(text), 1)))).code).toBe(
      "Decode",
    );
  });

  it("rejects an endless head before it fills the memory", async () => {
    async function* endless(): AsyncIterable<Uint8Array> {
      yield Buffer.from('{"kind":"');
      for (;;) {
        yield Buffer.alloc(1024, "a");
      }
    }
    const error = await failure(
      readList(codecs.json, endless(), { limits: { maxObjectBytes: 10_000 } }),
    );
    expect(error.code).toBe("TooLarge");
  });
});
