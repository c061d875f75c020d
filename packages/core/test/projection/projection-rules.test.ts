import { deepStrictEqual } from "node:assert/strict";
import {
  type Codec,
  codecs,
  isSameKept,
  projectionOf,
  projectValue,
} from "@typekube/core/internal";
import { inChunks } from "@typekube/test-support/bytes";
import { readList } from "@typekube/test-support/lists";
import { describe, expect, it } from "vitest";

const all = [codecs.json, codecs.protobuf, codecs.cbor, codecs.yaml];

async function watched(codec: Codec, events: readonly object[], fields: readonly string[]) {
  const bytes = await Promise.all(events.map((event) => codec.encodeWatchEvent(event as never)));
  const found = [];
  const source = inChunks(Buffer.concat(bytes), 77);
  for await (const batch of codec.decodeWatch(source, { projection: projectionOf(fields) })) {
    found.push(...batch);
  }
  return found;
}

const pod = (name: string) => ({
  kind: "Pod",
  apiVersion: "v1",
  metadata: { name, labels: { app: "web" }, annotations: { "k8s.io/initial-events-end": "true" } },
  spec: { nodeName: "n1", containers: [{ name: "main", image: "web", resources: {} }] },
});

describe("paths", () => {
  it.each([
    ["a", ["a"]],
    ["spec.containers.image", ["spec", "containers", "image"]],
    ['metadata.annotations["example.com/owner"]', ["metadata", "annotations", "example.com/owner"]],
    ['data["a\\"b"].c["d.e"]', ["data", 'a"b', "c", "d.e"]],
    ['["__proto__"].x', ["__proto__", "x"]],
  ])("%s", (path, names) => {
    const projection = projectionOf([path]);
    let at = projection.root;
    for (const name of names) {
      at = at.fields.get(name) as typeof at;
    }
    expect(at.whole).toBe(true);
  });

  it.each(["", ".", ".a", "a.", "a..b", "a[0]", "a[*]", 'a["b"', "a[b]", "a]", 'a"b', 'a["\\x"]'])(
    "%j is not one",
    (path) => {
      expect(() => projectionOf([path])).toThrow(
        expect.objectContaining({ code: "InvalidArgument" }),
      );
    },
  );

  it("a text of more than 10,000 characters is refused; 10,000 paths are not", () => {
    expect(() => projectionOf(["a.".repeat(5_001)])).toThrow(/10002 characters/);
    const many = Array.from({ length: 10_000 }, (_, at) => `data["key-${at}"]`);
    expect(projectionOf(many).root.fields.get("data")?.fields.size).toBe(10_000);
    expect(projectionOf(many)).toBe(projectionOf([...many].reverse()));
  });

  it("duplicates and paths into a chosen object add nothing; no fields leave those that identify it", () => {
    const one = projectionOf(["spec", "metadata.labels"]);
    expect(
      projectionOf(["metadata.labels", "spec.nodeName", "spec", "spec", "metadata.name"]),
    ).toBe(one);
    expect(one.contains(projectionOf(["spec.nodeName"]))).toBe(true);
    expect(projectionOf(["spec.nodeName"]).contains(one)).toBe(false);
    const { metadata, ...rest } = pod("a");
    deepStrictEqual(projectValue({ ...rest, metadata }, projectionOf([]).root), {
      kind: "Pod",
      apiVersion: "v1",
      metadata: { name: "a" },
    });
  });
});

describe.each(all)("decoding $name", (codec) => {
  it("keeps the Status of an ERROR and the annotations of a bookmark whole", async () => {
    const status = {
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: "too old resource version",
      reason: "Expired",
      code: 410,
    };
    const bookmark = { type: "BOOKMARK", object: pod("") };
    const events = [
      { type: "ADDED", object: pod("a") },
      { type: "MODIFIED", object: pod("a") },
      bookmark,
      { type: "ERROR", object: status },
    ];
    const found = await watched(codec, events, ["spec.nodeName"]);
    const kept = {
      kind: "Pod",
      apiVersion: "v1",
      metadata: { name: "a" },
      spec: { nodeName: "n1" },
    };
    deepStrictEqual(found[0]?.object, kept);
    deepStrictEqual(found[1]?.object, kept);
    expect(found[2]?.object).toMatchObject({
      metadata: { annotations: { "k8s.io/initial-events-end": "true" } },
    });
    expect(found[3]?.object).toMatchObject(status);
  });

  it("keeps a Status in place of an object", async () => {
    const status = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", code: 404 };
    const bytes = await codec.encode({ ...status, message: "not found", reason: "NotFound" });
    expect(await codec.decode(bytes, { projection: projectionOf(["spec"]) })).toMatchObject({
      message: "not found",
      reason: "NotFound",
    });
  });

  it("keeps the positions of items and what is empty on a path", async () => {
    const object = {
      kind: "Pod",
      apiVersion: "v1",
      metadata: { name: "a", labels: {}, annotations: { other: "x" } },
      spec: {
        containers: [
          { name: "one", image: "i" },
          { name: "two" },
          { name: "three", env: [{ name: "A", value: "1" }] },
        ],
      },
    };
    const fields = ["spec.containers.env.value", 'metadata.annotations["none"]', "spec.volumes"];
    const found = await codec.decode(await codec.encode(object), {
      projection: projectionOf(fields),
    });
    deepStrictEqual(found, {
      kind: "Pod",
      apiVersion: "v1",
      metadata: { name: "a", annotations: {} },
      spec: { containers: [{}, {}, { env: [{ value: "1" }] }] },
    });
  });
});

describe("protobuf", () => {
  it("a field of a newer server does not count in parts that are skipped, and does in others", async () => {
    const body = Buffer.from(await codecs.protobuf.encode(pod("a")));
    const watch = (fields: readonly string[]) => {
      const unknown: string[] = [];
      return codecs.protobuf
        .decode(newerField(body), {
          projection: projectionOf(fields),
          onUnknownField: (message, field) => unknown.push(`${message} ${field}`),
        })
        .then(() => unknown);
    };
    expect(await watch(["metadata.labels"])).toEqual([]);
    expect(await watch(["spec.nodeName"])).toEqual([]);
    expect(await watch(["spec"])).toEqual(["core/v1.PodSpec 999"]);
  });
});

/** Adds field 999, a number, to the spec of a pod in its envelope. */
function newerField(body: Buffer): Buffer {
  const magic = body.subarray(0, 4);
  const extra = Buffer.from([...varint(999 * 8), 1]);
  const parts = fieldsOf(body.subarray(4)).map(({ tag, value }) => {
    if (tag !== 18) {
      return field(tag, value);
    }
    const raw = fieldsOf(value).map((inner) =>
      inner.tag === 18
        ? field(18, Buffer.concat([inner.value, extra]))
        : field(inner.tag, inner.value),
    );
    return field(18, Buffer.concat(raw));
  });
  return Buffer.concat([magic, ...parts]);
}

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)];
}

function field(tag: number, value: Buffer): Buffer {
  return Buffer.concat([Buffer.from([...varint(tag), ...varint(value.length)]), value]);
}

/** The length-delimited fields of a message, which has no others. */
function fieldsOf(bytes: Buffer): { tag: number; value: Buffer }[] {
  const found = [];
  for (let at = 0; at < bytes.length; ) {
    const [tag, afterTag] = readVarint(bytes, at);
    const [length, start] = readVarint(bytes, afterTag);
    found.push({ tag, value: bytes.subarray(start, start + length) });
    at = start + length;
  }
  return found;
}

function readVarint(bytes: Buffer, start: number): [value: number, end: number] {
  let value = 0;
  for (let at = start, shift = 0; ; at++, shift += 7) {
    const byte = bytes[at] as number;
    value += (byte & 127) * 2 ** shift;
    if (byte < 128) {
      return [value, at + 1];
    }
  }
}

describe("JSON", () => {
  const list = (items: readonly string[]) =>
    Buffer.from(
      `{"kind":"WidgetList","apiVersion":"example.com/v1","metadata":{"resourceVersion":"1"},"items":[${items.join(",")}]}`,
    );
  const item = (name: string, skipped: string) =>
    `{"metadata":{"name":"${name}","managedFields":[{"f":{"x":"}]"}}]},"data":${skipped},"spec":{"a":1,"b":[2]}}`;

  it.each([
    ["brackets and quotes in strings", String.raw`{"a":"}]\"{[\\","b":["\\\\","]"]}`],
    ["escapes at the end of a string", String.raw`["\\","\u0022","\"\\\""]`],
    ["text beyond ASCII", `{"ü€𝄞":"ß\u2028"}`],
    ["a number", "-12.5e3"],
    ["a word", "null"],
    ["a text", `"spec\\":{"`],
    ["an empty object", "{}"],
    ["keys of the item", `{"spec":{"a":9},"metadata":{"name":"no"}}`],
    ["deep nesting", `${"[".repeat(500)}${"]".repeat(500)}`],
  ])("skips %s", async (_what, skipped) => {
    const names = ["a", "b", "c", "d"];
    const fields = ["spec.a"];
    const body = list(names.map((name) => item(name, skipped)));
    for (const size of [1, 7, 1_000_000]) {
      const { items } = await readList(codecs.json, inChunks(body, size), {
        projection: projectionOf(fields),
      });
      deepStrictEqual(
        items,
        names.map((name) => ({
          kind: "Widget",
          apiVersion: "example.com/v1",
          metadata: { name },
          spec: { a: 1 },
        })),
      );
    }
  });

  it("a list that ends inside of a skipped value fails", async () => {
    const body = list([item("a", "{}"), item("b", "{}"), item("c", '{"a":["b"]}')]);
    const cut = body.subarray(0, body.lastIndexOf('"b"]') + 3);
    await expect(
      readList(codecs.json, inChunks(cut, 50), { projection: projectionOf(["spec.a"]) }),
    ).rejects.toMatchObject({ code: "Decode" });
  });

  it("keeps a key __proto__ as a field", async () => {
    const body = `{"kind":"W","apiVersion":"e/v1","metadata":{"name":"a"},"__proto__":{"x":1,"y":2}}`;
    const found = (await codecs.json.decode(Buffer.from(body), {
      projection: projectionOf(['["__proto__"].x']),
    })) as object;
    expect(Object.keys(found)).toContain("__proto__");
    expect(JSON.stringify(found)).toContain('"__proto__":{"x":1}');
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });
});

describe("isSameKept", () => {
  const projection = projectionOf(["metadata.labels", "spec.items.name"]);
  const state = (change: object) => ({
    metadata: { name: "a", resourceVersion: "1", labels: { a: "b" } },
    spec: { items: [{ name: "x", other: 1 }] },
    ...change,
  });

  it.each([
    [
      "another resourceVersion",
      { metadata: { name: "a", resourceVersion: "2", labels: { a: "b" } } },
      true,
    ],
    ["a field that is not kept", { spec: { items: [{ name: "x", other: 2 }] }, status: {} }, true],
    ["a label", { metadata: { name: "a", labels: { a: "c" } } }, false],
    ["no labels", { metadata: { name: "a" } }, false],
    ["a field of an item", { spec: { items: [{ name: "y", other: 1 }] } }, false],
    ["another item", { spec: { items: [{ name: "x" }, { name: "x" }] } }, false],
    ["a deletion", { metadata: { name: "a", deletionTimestamp: "x", labels: { a: "b" } } }, false],
  ])("%s: %#", (_what, change, same) => {
    expect(isSameKept(state({}), state(change), projection)).toBe(same);
    expect(isSameKept(state(change), state({}), projection)).toBe(same);
  });

  it("an object of which nothing is kept equals none", () => {
    const key = projectionOf(['metadata.annotations["a"]', "status.items"]);
    const other = { metadata: { name: "a", annotations: { b: "x" } }, status: null };
    expect(isSameKept({ metadata: { name: "a" } }, other, key)).toBe(true);
    expect(isSameKept(other, { metadata: { name: "a" } }, key)).toBe(true);
    const mine = { metadata: { name: "a", annotations: { a: "x" } } };
    expect(isSameKept({ metadata: { name: "a" } }, mine, key)).toBe(false);
    expect(isSameKept({ metadata: { name: "a" }, status: { items: [] } }, other, key)).toBe(false);
  });

  it("with the whole metadata, the resourceVersion does not count either", () => {
    const whole = projectionOf(["metadata"]);
    const other = { metadata: { name: "a", resourceVersion: "2", labels: { a: "b" } } };
    expect(isSameKept(state({}), state(other), whole)).toBe(true);
  });
});

it.each([true, false])(
  "arrays that are equal at one place stay different ones (shareEqual %s)",
  async (shareEqual) => {
    const args = [["run", "1"], ["run", "2"], ["stop", "2"], ["run"]];
    const items = [...args, ...args].map((one) => ({
      apiVersion: "example.com/v1",
      kind: "Widget",
      metadata: { name: "a" },
      spec: { args: one },
    }));
    const list = { apiVersion: "example.com/v1", kind: "WidgetList", metadata: {}, items };
    for (const path of ["spec.args.0", "spec.args.1", "spec.args"]) {
      const bytes = Buffer.from(JSON.stringify(list));
      const options = { shareEqual, projection: projectionOf([path]) };
      const found = await readList(codecs.json, inChunks(bytes, 77), options);
      deepStrictEqual(
        found.items.map((item) => (item as never as (typeof items)[0]).spec.args),
        [...args, ...args],
      );
    }
  },
);
