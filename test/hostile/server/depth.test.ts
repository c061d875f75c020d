import {
  KubeError,
  parseFieldPath,
  parseFieldSelector,
  parseLabelSelector,
  parseManifests,
  printFieldPath,
  readFieldsV1,
  readManifests,
  writeFieldsV1,
} from "@typekube/core";
import { codecs, defaultLimits } from "@typekube/core/internal";
import { chunksOf, flat } from "@typekube/test-support/bytes";
import { failure, thrown } from "@typekube/test-support/failure";
import { readList } from "@typekube/test-support/lists";
import { describe, expect, it } from "vitest";

const { json, cbor, yaml, protobuf } = codecs;

const depths = [10, 400, 498, 501, 2_000, 20_000, 200_000];

/** Nested values as JSON text, which is valid YAML too. */
const nested: Readonly<Record<string, (depth: number) => string>> = {
  arrays: (depth) => `${"[".repeat(depth)}1${"]".repeat(depth)}`,
  objects: (depth) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`,
  both: (depth) => `${'[{"a":'.repeat(depth / 2)}1${"}]".repeat(depth / 2)}`,
  "arrays that are not closed": (depth) => "[".repeat(depth),
  "objects that are not closed": (depth) => '{"a":'.repeat(depth),
  "items beside each level": (depth) => `${"[1,".repeat(depth)}1${"]".repeat(depth)}`,
};

const objectOf = (value: string) => `{"kind":"ConfigMap","apiVersion":"v1","x":${value}}`;
const listOf = (value: string) =>
  `{"kind":"ConfigMapList","apiVersion":"v1","items":[{"a":1},{"a":2},{"x":${value}}]}`;
const eventOf = (value: string) => `{"type":"ADDED","object":${objectOf(value)}}\n`;

/** Returns a protobuf envelope whose content is JSON. */
function jsonInProtobuf(value: string): Buffer {
  const field = (number: number, content: Uint8Array) => {
    const length = content.length;
    const varint =
      length < 0x80
        ? [length]
        : length < 0x4000
          ? [(length & 0x7f) | 0x80, length >> 7]
          : [(length & 0x7f) | 0x80, ((length >> 7) & 0x7f) | 0x80, length >> 14];
    return Buffer.concat([Buffer.of((number << 3) | 2, ...varint), content]);
  };
  return Buffer.concat([
    Buffer.from("k8s\0"),
    field(2, Buffer.from(objectOf(value))),
    field(4, Buffer.from("application/json")),
  ]);
}

/** Returns nested CBOR arrays or maps. */
const cborNested = (depth: number, head: readonly number[]) =>
  Buffer.concat([Buffer.alloc(depth * head.length, Buffer.from(head)), Buffer.of(1)]);

async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const values: T[] = [];
  for await (const value of source) {
    values.push(value);
  }
  return values;
}

const readers: Readonly<Record<string, (value: string) => Promise<unknown>>> = {
  "json object": (value) => json.decode(Buffer.from(objectOf(value))),
  "json value": (value) => json.decode(Buffer.from(value)),
  "json list": (value) => readList(json, chunksOf(listOf(value))),
  "json list around the items": (value) =>
    readList(json, chunksOf(`{"kind":"XList","x":${value},"items":[]}`)),
  "json watch": (value) => flat(json.decodeWatch(chunksOf(eventOf("1") + eventOf(value)))),
  "yaml object": (value) => yaml.decode(Buffer.from(objectOf(value))),
  "yaml list": (value) => readList(yaml, chunksOf(listOf(value))),
  "yaml watch": (value) => flat(yaml.decodeWatch(chunksOf(eventOf(value)))),
  "json in protobuf": (value) => protobuf.decode(jsonInProtobuf(value)),
  "parseManifests()": (value) => parseManifests(objectOf(value)),
  "parseManifests() of a List": (value) => parseManifests(listOf(value)),
  "readManifests()": (value) => all(readManifests([objectOf(value)])),
  "readFieldsV1()": async (value) => readFieldsV1({ "f:a": JSON.parse(value) as object }),
  "a step of readFieldsV1()": async (value) => readFieldsV1({ [`k:{"a":${value}}`]: {} }),
  "a value in readFieldsV1()": async (value) => readFieldsV1({ [`v:${value}`]: {} }),
  "parseFieldPath()": async (value) => parseFieldPath(`.a[=${value}]`),
  "keys in parseFieldPath()": async (value) => parseFieldPath(`.a[b=${value}]`),
  "parseFieldPath() in an object": async (value) =>
    parseFieldPath(".a[=1].b", { a: [JSON.parse(value)] }),
  "parseLabelSelector()": async (value) => parseLabelSelector(value),
  "parseFieldSelector()": async (value) => parseFieldSelector(value),
};

describe.each(Object.entries(readers))("values of any depth, to %s", (_, read) => {
  it.each(Object.entries(nested))("give a value or a KubeError: %s", async (_name, textOf) => {
    for (const depth of depths) {
      try {
        await read(textOf(depth));
      } catch (error) {
        // JSON.parse in the test itself may fail.
        if (!(error instanceof KubeError || error instanceof SyntaxError)) {
          expect.fail(`${String(error)} at depth ${depth}`);
        }
      }
    }
  });
});

describe("depth beyond the limit", () => {
  it.each(depths)("CBOR of depth %i gives a value or a KubeError", async (depth) => {
    for (const head of [[0x81], [0xa1, 0x61, 0x61], [0x9f], [0xc1], [0xd9, 0xd9, 0xf7]]) {
      const bytes = cborNested(depth, head);
      for (const reading of [
        () => cbor.decode(bytes),
        () => readList(cbor, chunksOf(bytes)),
        () => flat(cbor.decodeWatch(chunksOf(bytes))),
      ]) {
        try {
          await reading();
        } catch (error) {
          expect(error).toBeInstanceOf(KubeError);
        }
      }
    }
  });

  it("fieldsV1 nested too deep is TooLarge, and at the limit it is read", async () => {
    const fieldsOf = (depth: number): object =>
      JSON.parse(
        nested["objects"]?.(depth).replaceAll('"a"', '"f:a"').replace("1}", "{}}") as string,
      ) as object;
    const { maxDepth } = defaultLimits;
    expect((await thrown(() => readFieldsV1(fieldsOf(20_000)))).code).toBe("TooLarge");
    expect(writeFieldsV1(readFieldsV1(fieldsOf(maxDepth - 1)))).toEqual(fieldsOf(maxDepth - 1));
  });

  it("a path with too many steps is TooLarge, and at the limit it is read", async () => {
    const { maxDepth } = defaultLimits;
    for (const step of [".a", "[0]", '["a.b"]', '[a="b"]']) {
      const longest = step.repeat(maxDepth);
      expect(printFieldPath(parseFieldPath(longest), { quoteNames: true })).toBe(longest);
      expect((await thrown(() => parseFieldPath(step.repeat(20_000)))).code).toBe("TooLarge");
      expect((await thrown(() => parseFieldPath(step.repeat(maxDepth + 1)))).code).toBe("TooLarge");
    }
  });

  it("rejects a path with a name of millions of characters, or with a character outside Unicode", async () => {
    const huge = `["${"a".repeat(10_000_000)}"]`;
    expect((await thrown(() => parseFieldPath(huge))).code).toBe("TooLarge");
    const noCharacter = String.raw`["\Uffffffff"]`;
    expect((await thrown(() => parseFieldPath(noCharacter))).code).toBe("InvalidArgument");
  });

  it("a deeply nested JSON body of more than 64 KiB, and such a list item, is TooLarge", async () => {
    const value = nested["arrays"]?.(40_000) ?? "";
    expect((await failure(json.decode(Buffer.from(objectOf(value))))).code).toBe("TooLarge");
    expect((await failure(readList(json, chunksOf(listOf(value))))).code).toBe("TooLarge");
  });
});
