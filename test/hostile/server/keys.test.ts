import { deepStrictEqual } from "node:assert/strict";
import { matchesLabels, parseManifests } from "@typekube/core";
import { codecs, parseMediaType } from "@typekube/core/internal";
import { chunksOf } from "@typekube/test-support/bytes";
import { failure } from "@typekube/test-support/failure";
import { readList } from "@typekube/test-support/lists";
import { describe, expect, it } from "vitest";

const raw =
  '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","labels":{"__proto__":"x","constructor":"y","toString":"z"}},"data":{"__proto__":"1","hasOwnProperty":"2"}}';

interface Labelled {
  readonly metadata: { readonly labels: Record<string, string> };
}

function expectKept(object: unknown): void {
  const { labels } = (object as Labelled).metadata;
  expect(Object.keys(labels).sort()).toEqual(["__proto__", "constructor", "toString"]);
  expect(Object.getOwnPropertyDescriptor(labels, "__proto__")?.value).toBe("x");
  expect(Object.getPrototypeOf(labels)).toBe(Object.prototype);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
}

describe("N19: keys with a meaning in JavaScript", () => {
  it("are ordinary labels in both encodings, also beside a large integer", async () => {
    const object = await codecs.json.decode(Buffer.from(raw));
    expectKept(object);
    const bytes = await codecs.protobuf.encode(object);
    const decoded = await codecs.protobuf.decode(bytes);
    expectKept(decoded);
    deepStrictEqual(decoded, object);
    expect(Buffer.from(await codecs.json.encode(object)).toString()).toBe(raw);
    const large = `${raw.slice(0, -1)},"n":9007199254740993}`;
    const withLarge = await codecs.json.decode(Buffer.from(large));
    expectKept(withLarge);
    expect(Buffer.from(await codecs.json.encode(withLarge)).toString()).toBe(large);
  });

  it.each(["json", "protobuf"] as const)("survive in lists and watches in %s", async (encoding) => {
    const codec = codecs[encoding];
    const object = await codecs.json.decode(Buffer.from(raw));
    const { kind: _, apiVersion: __, ...item } = object as Record<string, unknown>;
    const list = await codec.encode({
      kind: "ConfigMapList",
      apiVersion: "v1",
      metadata: {},
      items: [item],
    });
    const { items } = await readList(codec, chunksOf(list), { managedFields: false });
    expectKept(items[0]);
    const event = await codec.encodeWatchEvent({ type: "ADDED", object });
    for await (const [first] of codec.decodeWatch(chunksOf(event))) {
      expectKept(first?.object);
    }
  });

  it("__proto__ as a key of an item does not change its prototype", async () => {
    const text =
      '{"kind":"XList","apiVersion":"x/v1","metadata":{},"items":[{"__proto__":{"polluted":true}}]}';
    const { items } = await readList(codecs.json, chunksOf(text));
    expect(Object.keys(items[0] as object)).toEqual(["kind", "apiVersion", "__proto__"]);
    expect((items[0] as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it.each([
    ["constructor", "Pod"],
    ["__proto__", "Pod"],
    ["v1", "constructor"],
    ["v1", "__proto__"],
    ["toString/v1", "hasOwnProperty"],
  ])("%s %s is not a known kind", async (apiVersion, kind) => {
    const error = await failure(codecs.protobuf.encode({ apiVersion, kind }));
    expect(error.message).toContain("has no protobuf schema");
  });

  it.each(["constructor", "__proto__", "toString"])("%s is not a known content type", (type) => {
    expect(codecs.forContentType(type)).toBeUndefined();
    expect(parseMediaType(`a/b;${type}=1`).parameters[type.toLowerCase()]).toBe("1");
    expect(parseMediaType("a/b").parameters[type]).toBeUndefined();
  });

  it("do not match as labels when only Object.prototype has them", () => {
    expect(matchesLabels([{ key: "toString", operator: "Exists", values: [] }], {})).toBe(false);
    expect(matchesLabels([{ key: "constructor", operator: "DoesNotExist", values: [] }], {})).toBe(
      true,
    );
  });

  it("keep their values in parsed YAML", async () => {
    const [object] = await parseManifests(raw);
    expectKept(object);
  });
});
