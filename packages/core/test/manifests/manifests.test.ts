import {
  type ManifestObject,
  type ManifestSource,
  parseManifests,
  readManifests,
} from "@typekube/core";
import { codecs } from "@typekube/core/internal";
import { failure } from "@typekube/test-support/failure";
import { describe, expect, it } from "vitest";

const head = "apiVersion: v1\nkind: ConfigMap\n";

async function data(yaml: string): Promise<Record<string, unknown>> {
  const [object] = await parseManifests(`${head}data:\n${yaml.replace(/^/gm, "  ")}`);
  return (object as { data?: Record<string, unknown> }).data ?? {};
}

async function streamedObjects(source: ManifestSource): Promise<ManifestObject[]> {
  const objects: ManifestObject[] = [];
  for await (const { object } of readManifests(source)) {
    objects.push(object);
  }
  return objects;
}

describe("parsing manifests", () => {
  it("reads any number of documents and skips empty ones", async () => {
    const text = `---\n# only a comment\n---\n${head}metadata: {name: a}\n---\n\n---\n${head}metadata: {name: b}\n...\n---\n`;
    expect((await parseManifests(text)).map(({ metadata }) => metadata?.name)).toEqual(["a", "b"]);
    for (const empty of ["", "\n", "---", "# nothing", "---\n---\n", "null"]) {
      expect(await parseManifests(empty)).toEqual([]);
    }
  });

  it("reads a JSON document as YAML", async () => {
    expect(
      await parseManifests('{"apiVersion":"v1","kind":"Pod","metadata":{"name":"\\u00e4"}}'),
    ).toEqual([{ apiVersion: "v1", kind: "Pod", metadata: { name: "ä" } }]);
  });

  it("CHK14: replaces a typed list by its items, which may lack kind and apiVersion", async () => {
    const made = (name: string) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name } });
    const read = (list: object) =>
      parseManifests(JSON.stringify({ apiVersion: "v1", kind: "ConfigMapList", ...list }));
    const items = [{ metadata: { name: "a" } }, made("b")];
    expect(await read({ metadata: { resourceVersion: "7" }, items })).toEqual([
      made("a"),
      made("b"),
    ]);
    expect(await read({ items: null })).toEqual([]);
    const inner = { apiVersion: "v1", kind: "ConfigMapList", items };
    expect(await read({ kind: "List", items: [inner, made("c")] })).toHaveLength(3);
    expect((await failure(read({ kind: "List", items }))).code).toBe("InvalidArgument");
    expect((await failure(read({ items: [null] }))).code).toBe("InvalidArgument");
  });

  it("keeps an object with a name whose kind ends with List", async () => {
    const named = { apiVersion: "x.io/v1", kind: "AllowList", metadata: { name: "a" }, items: [1] };
    expect(await parseManifests(JSON.stringify(named))).toEqual([named]);
  });

  it("CHK14: replaces a List by its items, also when nested", async () => {
    const item = (name: string) => ({ apiVersion: "v1", kind: "Pod", metadata: { name } });
    const list = (...items: object[]) => ({
      apiVersion: "v1",
      kind: "List",
      metadata: { resourceVersion: "" },
      items,
    });
    const text = JSON.stringify(list(item("a"), list(item("b")), item("c")));
    expect((await parseManifests(text)).map(({ metadata }) => metadata?.name)).toEqual([
      "a",
      "b",
      "c",
    ]);
    expect(await parseManifests(JSON.stringify(list()))).toEqual([]);
  });

  it.each([
    ["a: [1, 2", 1, 1],
    [`${head}a: 1\n b: 2\n`, 1, 4],
    [`${head}---\n\tkind: x\n`, 2, 4],
    [`${head}kind: Pod\n`, 1, 3],
    [`${head}a: *nowhere\n`, 1, 3],
    [`${head}a: !!js/function 'x'\n`, 1, 3],
  ])("rejects invalid YAML with its document and line: %j", async (text, document, line) => {
    const error = await failure(parseManifests(text));
    expect(error.code).toBe("InvalidArgument");
    expect(error.message).toMatch(
      new RegExp(`\\(document ${document}, line ${line}, column \\d+\\)$`),
    );
  });

  it.each([
    "text",
    "- a\n- b",
    "5",
    "kind: Pod",
    "apiVersion: v1",
    "apiVersion: 1\nkind: Pod",
    "apiVersion: v1\nkind: [Pod]",
    "apiVersion: v1\nkind: List\nitems: [null]",
  ])("rejects what is not an API object: %j", async (text) => {
    const error = await failure(parseManifests(`${head}---\n${text}`));
    expect(error.code).toBe("InvalidArgument");
    expect(error.message).toContain("document 2 of the manifest (starting at line 3)");
  });

  it("ALT10: reads scalars as kubectl does", async () => {
    expect(
      await data(
        "mode: 0644\nhex: 0x10\nthousand: 1_000\nplain: 10\nneg: -7\nplus: +7\nzero: 0\nold: 0o17",
      ),
    ).toEqual({
      mode: 420,
      hex: 16,
      thousand: 1000,
      plain: 10,
      neg: -7,
      plus: 7,
      zero: 0,
      old: 15,
    });
    expect(
      await data(
        "quoted: '0644'\nname: _1\ndate: 2026-01-01\ntime: 2026-01-01T00:00:00Z\nduration: 1:30\nversion: 1.2.3",
      ),
    ).toEqual({
      quoted: "0644",
      name: "_1",
      date: "2026-01-01",
      time: "2026-01-01T00:00:00Z",
      duration: "1:30",
      version: "1.2.3",
    });
  });

  it("N21: keeps integers beyond 2^53", async () => {
    const object = await data("a: 9007199254740993\nb: -9223372036854775808\nc: 9007199254740991");
    expect(object).toEqual({ a: 9007199254740993n, b: -9223372036854775808n, c: 9007199254740991 });
    expect(Buffer.from(await codecs.json.encode(object)).toString()).toContain(
      '"a":9007199254740993',
    );
  });

  it("SSA1: reads a JSON document as JSON, where YAML would remove blanks", async () => {
    const object = { apiVersion: "v1", kind: "Pod", metadata: { name: "a \u2028 b" } };
    expect(
      await parseManifests(`${JSON.stringify(object)}\n---\n${JSON.stringify(object)}`),
    ).toEqual([object, object]);
  });

  it("a document may be as large as maxBodyBytes; the error for a larger one names that limit", async () => {
    const text = "apiVersion: v1\nkind: Pod\n";
    const limits = { maxBodyBytes: text.length, maxObjectBytes: 5 };
    expect(await parseManifests(text, { limits })).toHaveLength(1);
    const error = await failure(parseManifests(`${text}#\n`, { limits }));
    expect(error.code).toBe("TooLarge");
    expect(error.message).toContain("document 1 of the manifest is larger than maxBodyBytes");
    expect(error.message).toContain("raise limits.maxBodyBytes");
  });

  it("limits.maxDepth applies to JSON with U+2028 too", async () => {
    const text = '{"apiVersion":"v1","kind":"Pod","a":"\u2028","b":[[[[1]]]]}';
    const error = await failure(parseManifests(text, { limits: { maxDepth: 4 } }));
    expect(error.code).toBe("TooLarge");
    expect(await parseManifests(text, { limits: { maxDepth: 5 } })).toHaveLength(1);
  });

  it("rejects a duplicate key, in JSON too", async () => {
    for (const text of [
      `${head}kind: Pod\n`,
      '{"apiVersion":"v1","kind":"Pod","kind":"Pod"}',
      '{"apiVersion":"v1","kind":"Pod","a":"\u2028","kind":"Pod"}',
    ]) {
      expect((await failure(parseManifests(text))).message).toContain(
        "a mapping has a duplicate key",
      );
    }
  });

  it("uses the last of two equal keys on request, as kubectl does", async () => {
    const last = { duplicateKeys: "last" } as const;
    const yaml = `${head}data: {p: 1, q: 2, p: 3}\nkind: Secret\n`;
    const expected = { apiVersion: "v1", kind: "Secret", data: { p: 3, q: 2 } };
    expect(await parseManifests(yaml, last)).toEqual([expected]);
    expect(await parseManifests('{"apiVersion":"v1","kind":"Pod","kind":"Job"}', last)).toEqual([
      { apiVersion: "v1", kind: "Job" },
    ]);
    const wrong = { duplicateKeys: "first" } as never;
    expect((await failure(parseManifests(yaml, wrong))).message).toContain("duplicateKeys");
  });

  it.each([
    ["|", "x\n"],
    [">", "x\n"],
    ["|+", "x\n"],
    ["|-", "x"],
  ])(
    "a block scalar (%s) at the end of the text keeps its line break, as in kubectl",
    async (style, value) => {
      const text = `${head}data:\n  a: ${style}\n    x`;
      const [parsed] = await parseManifests(text);
      const [streamed] = await streamedObjects(text);
      for (const object of [parsed, streamed]) {
        expect(object).toMatchObject({ data: { a: value } });
      }
    },
  );

  it("decodes the base64 of a !!binary value to text, as kubectl does", async () => {
    expect(await data("a: !!binary aGk=")).toEqual({ a: "hi" });
    expect((await failure(data("a: !!binary a"))).message).toContain("!!binary");
  });

  it("a byte order mark before a later document is not part of it", async () => {
    const mark = "\ufeff";
    const texts = [
      `${mark}${head}---\n${mark}${head}`,
      `---\n${mark}${head}--- # c\n\n${mark}# c\n${head}`,
      `${head}---\n${mark}---\n${head}`,
      `${head}${mark}---\n${head}`,
      `${head}---\n${mark}{"apiVersion":"v1","kind":"ConfigMap"}`,
    ];
    for (const text of texts) {
      const object = { apiVersion: "v1", kind: "ConfigMap" };
      expect(await parseManifests(text), JSON.stringify(text)).toEqual([object, object]);
    }
  });

  it("reads consecutive JSON objects as one document each, with or without a separator", async () => {
    const made = (name: string) => ({ apiVersion: "v1", kind: "Pod", metadata: { name } });
    const names = ["a} {", '"\\', "[{", "d"];
    const objects = names.map(made);
    for (const separator of ["", " ", "\n", "\r\n", "\n\n\t", "\n---\n"]) {
      for (const indent of [undefined, 2, "\t"]) {
        const text = objects.map((object) => JSON.stringify(object, null, indent)).join(separator);
        for (const full of [text, `---\n${text}`, `--- ${text}\n`, `\ufeff# c\n${text} # c`]) {
          expect(await parseManifests(full), full).toEqual(objects);
          const chunks = [...Buffer.from(full)].map((byte) => Uint8Array.of(byte));
          const streamed = await streamedObjects(chunks);
          expect(streamed).toEqual(objects);
        }
      }
    }
    const broken = `${JSON.stringify(objects[0])}\n{"apiVersion": 1,\n"kind"`;
    expect((await failure(parseManifests(broken))).message).toMatch(/document 2, line 3/);
    expect((await failure(parseManifests(`${JSON.stringify(objects[0])} x`))).code).toBe(
      "InvalidArgument",
    );
  });

  it("reads a UTF-16 stream with a byte order mark, in chunks of any size", async () => {
    const text = `\ufeff${head}metadata: {name: "ä 😀"}\n---\n${head}`;
    const little = Buffer.from(text, "utf16le");
    for (const bytes of [little, Buffer.from(little).swap16()]) {
      for (const size of [1, 3, bytes.length]) {
        const chunks: Uint8Array[] = [];
        for (let at = 0; at < bytes.length; at += size) {
          chunks.push(bytes.subarray(at, at + size));
        }
        const objects = await streamedObjects(chunks);
        expect(objects.map(({ metadata }) => metadata?.name)).toEqual(["ä 😀", undefined]);
      }
    }
    expect((await failure(streamedObjects([little.subarray(0, 1)]))).code).toBe("InvalidArgument");
  });

  it("reads a YAML flow mapping that only resembles consecutive JSON objects as one document", async () => {
    const text = `{apiVersion: v1, kind: Pod, metadata: {name: '} {'}, "a": {b: c}}`;
    expect(await parseManifests(text)).toEqual([
      { apiVersion: "v1", kind: "Pod", metadata: { name: "} {" }, a: { b: "c" } },
    ]);
  });

  it("flattens a list of any length", async () => {
    const items = Array.from({ length: 200_000 }, () => ({ apiVersion: "v1", kind: "Pod" }));
    const text = JSON.stringify({ apiVersion: "v1", kind: "List", items });
    expect(await parseManifests(text)).toHaveLength(items.length);
  });

  it("resolves anchors and merge keys", async () => {
    expect(await data("base: &base {a: 1, b: 2}\nmore: {<<: *base, b: 3}")).toEqual({
      base: { a: 1, b: 2 },
      more: { a: 1, b: 3 },
    });
  });
});
