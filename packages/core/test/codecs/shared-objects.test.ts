import { deepStrictEqual } from "node:assert/strict";
import type { KubeObject } from "@typekube/api";
import { type Codec, codecs, projectionOf } from "@typekube/core/internal";
import { chunksOf, flat } from "@typekube/test-support/bytes";
import { goldenObjects, hasCorpus } from "@typekube/test-support/golden-corpus";
import { readList } from "@typekube/test-support/lists";
import { describe, expect, it } from "vitest";

const { json, protobuf } = codecs;
const shareEqual = true;

const podOf = (name: string, image: string) => ({
  metadata: { name },
  spec: {
    containers: [{ name: "c", image, ports: [{ name: "http", containerPort: 8080 }] }],
    tolerations: [{ key: "example.com/idle", operator: "Exists", effect: "NoSchedule" }],
  },
});

/** Returns a protobuf field of a message or a text, of up to 127 bytes. */
function field(number: number, ...parts: readonly Uint8Array[]): Buffer {
  const bytes = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([number * 8 + 2, bytes.length]), bytes]);
}

function text(number: number, value: string): Buffer {
  return field(number, Buffer.from(value));
}

/** Returns a list in protobuf, whose items are fields with the number 2. */
function listBytes(kind: string, items: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat([field(1), ...items]);
  return Buffer.concat([
    Buffer.from("k8s\0"),
    field(1, text(1, "v1"), text(2, kind)),
    Buffer.from([18, (content.length & 127) | 128, content.length >> 7]),
    content,
    Buffer.from([26, 0, 34, 0]),
  ]);
}

async function pods(
  codec: Codec,
  images: readonly string[],
  options = {},
): Promise<(KubeObject & { spec: Record<string, object[]> })[]> {
  const items = images.map((image, i) => podOf(`p${i}`, image));
  const bytes = await codec.encode({ kind: "PodList", apiVersion: "v1", metadata: {}, items });
  const list = await readList(codec, chunksOf(bytes), options);
  return list.items as never;
}

describe.each([json, protobuf])("equal parts of objects, in $name", (codec) => {
  it("are one frozen object when the reader opts in", async () => {
    const images = Array<string>(5).fill("shared:1");
    const [, , third, fourth] = await pods(codec, images, { shareEqual });
    expect(third?.spec["tolerations"]?.[0]).toBe(fourth?.spec["tolerations"]?.[0]);
    expect(Object.isFrozen(third?.spec["tolerations"]?.[0])).toBe(true);
    expect(() => {
      (third?.spec["tolerations"]?.[0] as { key: string }).key = "mine";
    }).toThrow(TypeError);
    const copy = structuredClone(third) as typeof third;
    (copy?.spec["tolerations"]?.[0] as { key: string }).key = "mine";
  });

  it("belong to each object by default, even if another reader shares them", async () => {
    const images = Array<string>(5).fill("own:1");
    await pods(codec, images, { shareEqual });
    const [first, second] = await pods(codec, images);
    expect(first?.spec["tolerations"]?.[0]).not.toBe(second?.spec["tolerations"]?.[0]);
    (first?.spec["tolerations"]?.[0] as { key: string }).key = "mine";
    expect(second?.spec["tolerations"]?.[0]).toMatchObject({ key: "example.com/idle" });
  });

  it("are distinguished when any single byte differs", async () => {
    const base = "registry.example.com/team/image:v1.0.0-abcdefghijklmnopqrstuvwxyz";
    const images = [...base].map((_, i) => `${base.slice(0, i)}#${base.slice(i + 1)}`);
    for (let round = 0; round < 3; round++) {
      const read = await pods(codec, images, { shareEqual });
      const seen = read.map(({ spec }) => spec["containers"]?.[0]);
      expect(seen).toMatchObject(images.map((image) => ({ image })));
    }
  });

  it("are shared in watch events, too", async () => {
    const events = ["a", "b", "c", "d"].map((name) => ({
      type: "MODIFIED",
      object: { kind: "Pod", apiVersion: "v1", ...podOf(name, "watched:1") },
    }));
    const bytes = await Promise.all(events.map((event) => codec.encodeWatchEvent(event)));
    const read = await flat(codec.decodeWatch(chunksOf(...bytes), { shareEqual }));
    expect(read).toMatchObject(events);
    const specs = read.map(({ object }) => (object as { spec: Record<string, object[]> }).spec);
    expect(specs[2]?.["containers"]?.[0]).toBe(specs[3]?.["containers"]?.[0]);
    expect(Object.isFrozen(read[3]?.object)).toBe(false);
  });

  it("have managedFields as their own reader requests, not as another one did", async () => {
    const entry = { manager: "m", operation: "Update", fieldsV1: { "f:data": {} } };
    const items = Array.from({ length: 4 }, () => ({
      metadata: { name: "kept", managedFields: [entry] },
    }));
    const list = { kind: "ConfigMapList", apiVersion: "v1", metadata: {}, items };
    const bytes = await codec.encode(list);
    for (const managedFields of [true, false, true, false]) {
      const read = await readList(codec, chunksOf(bytes), { shareEqual, managedFields });
      const expected = managedFields ? { name: "kept", managedFields: [entry] } : { name: "kept" };
      expect(read.items.map((item) => (item as KubeObject).metadata)).toEqual(
        Array(4).fill(expected),
      );
    }
  });
});

describe("maps and lists of equal content, in protobuf", () => {
  const labels = { app: "shop", tier: "backend" };
  const owner = { apiVersion: "apps/v1", kind: "ReplicaSet", name: "shop-1", uid: "u1" };
  const items = Array.from({ length: 5 }, (_, i) => ({
    metadata: { name: `p${i}`, uid: `u-${i}`, labels, ownerReferences: [owner] },
    spec: { nodeName: `node-${i % 2}`, hostname: `h${i}` },
    status: { phase: "Running", message: `m${i}` },
  }));
  const list = { kind: "PodList", apiVersion: "v1", metadata: {}, items };

  it("are one frozen map or list, and belong to each object by default", async () => {
    const bytes = await protobuf.encode(list);
    const read = async (options = {}) =>
      (await readList(protobuf, chunksOf(bytes), options)).items as KubeObject[];
    const [, , third, fourth] = await read({ shareEqual });
    expect(third?.metadata?.labels).toEqual(labels);
    expect(third?.metadata?.labels).toBe(fourth?.metadata?.labels);
    expect(third?.metadata?.ownerReferences).toBe(fourth?.metadata?.ownerReferences);
    expect(Object.isFrozen(third?.metadata?.labels)).toBe(true);
    expect(Object.isFrozen(third?.metadata?.ownerReferences)).toBe(true);
    const own = await read();
    expect(own[2]?.metadata?.labels).not.toBe(own[3]?.metadata?.labels);
    (own[2] as { metadata: { ownerReferences: unknown[] } }).metadata.ownerReferences.push(owner);
    expect(own[3]?.metadata?.ownerReferences).toHaveLength(1);
  });

  it("are one frozen object for the same text, when a projection keeps nothing else of them", async () => {
    const bytes = await protobuf.encode(list);
    const projection = projectionOf(["spec.nodeName", "status.phase"]);
    const read = async (options = {}) =>
      (await readList(protobuf, chunksOf(bytes), { projection, ...options })).items as {
        spec: object;
        status: object;
      }[];
    const shared = await read({ shareEqual });
    expect(shared.map(({ spec }) => spec)).toEqual(
      items.map(({ spec: { nodeName } }) => ({ nodeName })),
    );
    expect(shared[0]?.spec).toBe(shared[2]?.spec);
    expect(shared[0]?.spec).not.toBe(shared[1]?.spec);
    expect(shared[0]?.status).toBe(shared[4]?.status);
    expect(Object.isFrozen(shared[0]?.status)).toBe(true);
    const own = await read();
    expect(own).toEqual(shared);
    expect(own[0]?.spec).not.toBe(own[2]?.spec);
    expect(Object.isFrozen(own[0]?.spec)).toBe(false);
  });

  it("have the last of several texts, as without sharing", async () => {
    const specs = [
      [text(10, "a")],
      [text(10, "b"), text(3, "Always"), text(10, "a")],
      [text(10, "a"), text(10, "")],
      [text(3, "Always")],
      [text(10, "a")],
    ];
    const bytes = listBytes(
      "PodList",
      specs.map((spec) => field(2, field(1, text(1, "p")), field(2, ...spec))),
    );
    const projection = projectionOf(["spec.nodeName"]);
    const plain = await readList(protobuf, chunksOf(bytes), { projection });
    const nodes = plain.items.map(
      (pod) => (pod as { spec?: { nodeName?: string } }).spec?.nodeName,
    );
    expect(nodes).toEqual(["a", "a", undefined, undefined, "a"]);
    for (let round = 0; round < 3; round++) {
      deepStrictEqual(await readList(protobuf, chunksOf(bytes), { projection, shareEqual }), plain);
    }
  });

  it("stay as they are when another object has further elements after another field", async () => {
    const label = (key: string, value: string) => field(11, text(1, key), text(2, value));
    const reference = (name: string) => field(13, text(3, name));
    const first = [label("split", "one"), label("map", "two")];
    const owners = [reference("split-1"), reference("split-2")];
    const whole = field(1, ...first, ...owners, text(1, "whole"));
    const split = field(
      1,
      ...first,
      ...owners,
      text(1, "split"),
      label("more", "three"),
      reference("split-3"),
    );
    const raw = [whole, whole, whole, split, whole].map((metadata) => field(2, metadata));
    const bytes = listBytes("ConfigMapList", raw);
    const plain = await readList(protobuf, chunksOf(bytes));
    const { metadata } = plain.items[3] as KubeObject;
    expect(metadata?.labels).toEqual({ split: "one", map: "two", more: "three" });
    expect(metadata?.ownerReferences).toHaveLength(3);
    for (let round = 0; round < 3; round++) {
      deepStrictEqual(await readList(protobuf, chunksOf(bytes), { shareEqual }), plain);
    }
  });
});

describe("equal parts of golden objects", () => {
  it.runIf(hasCorpus)("have the same content as unshared parts, in JSON lists", async () => {
    let compared = 0;
    for (const { name, json: text } of hasCorpus ? goldenObjects("v1.37.1") : []) {
      if (name === "core.v1.WatchEvent") {
        continue;
      }
      const object = (await json.decode(text)) as KubeObject;
      const items = [object, object, object, object];
      const list = {
        kind: `${object.kind}List`,
        apiVersion: object.apiVersion,
        metadata: {},
        items,
      };
      const bytes = await json.encode(list);
      const read = await readList(json, chunksOf(bytes), { shareEqual });
      deepStrictEqual(read.items, items, name);
      compared++;
    }
    console.log(`golden objects in lists of JSON with shared parts: ${compared} equal`);
  });

  it.runIf(hasCorpus)("have the same content as unshared parts, in protobuf", async () => {
    let compared = 0;
    for (const { name, protobuf: bytes } of hasCorpus ? goldenObjects("v1.37.1") : []) {
      if (name === "core.v1.WatchEvent") {
        continue;
      }
      const expected = await protobuf.decode(bytes);
      for (let round = 0; round < 3; round++) {
        deepStrictEqual(await protobuf.decode(bytes, { shareEqual }), expected, name);
      }
      compared++;
    }
    console.log(`golden objects with shared parts: ${compared} equal`);
  });

  it.each([
    [true, false],
    [false, true],
  ])(
    "have managedFields as their own reader requests, not as another one did (%j, then %j)",
    async (others, managedFields) => {
      const entry = { manager: "m", operation: "Update", fieldsV1: { "f:data": {} } };
      const metadata = { name: `kept-${others}`, managedFields: [entry] };
      const object = { kind: "ConfigMap", apiVersion: "v1", metadata };
      const list = { kind: "ConfigMapList", apiVersion: "v1", metadata: {}, items: [{ metadata }] };
      for (const bytes of [await protobuf.encode(object), await protobuf.encode(list)]) {
        for (let round = 0; round < 4; round++) {
          await protobuf.decode(bytes, { shareEqual, managedFields: others });
        }
        deepStrictEqual(
          await protobuf.decode(bytes, { shareEqual, managedFields }),
          await protobuf.decode(bytes, { managedFields }),
        );
      }
    },
  );

  it("report a field unknown to the schema each time it is decoded", async () => {
    const object = { kind: "ConfigMap", apiVersion: "v1", metadata: { name: "a" } };
    const bytes = withUnknownField(Buffer.from(await protobuf.encode(object)));
    const received: string[] = [];
    for (let round = 0; round < 4; round++) {
      const onUnknownField = (where: string) => received.push(where);
      await protobuf.decode(bytes, { shareEqual, onUnknownField });
    }
    expect(received).toEqual(Array(4).fill("meta/v1.ObjectMeta"));
  });
});

/** Returns a small object with an additional field in its metadata, which has a shareable size. */
function withUnknownField(bytes: Buffer): Buffer {
  const field = Buffer.from([0xfa, 0x3f, 8, ...Buffer.from("a future")]);
  // The bytes are k8s\0, type meta, then field 2 with the object, whose first field is the metadata. Every length is
  // one byte.
  const rawAt = 4 + 2 + (bytes[5] as number);
  const raw = bytes.subarray(rawAt + 2, rawAt + 2 + (bytes[rawAt + 1] as number));
  const metadataEnd = 2 + (raw[1] as number);
  const metadata = Buffer.concat([raw.subarray(2, metadataEnd), field]);
  const object = [raw[0] as number, metadata.length, ...metadata, ...raw.subarray(metadataEnd)];
  return Buffer.from([...bytes.subarray(0, rawAt + 1), object.length, ...object, 0x1a, 0, 0x22, 0]);
}

it("entries of two maps that take turns are read in linear time", async () => {
  const varint = (value: number): number[] =>
    value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)];
  const part = (field: number, bytes: Uint8Array) =>
    Buffer.concat([Buffer.from([...varint(field * 8 + 2), ...varint(bytes.length)]), bytes]);
  const text = (field: number, value: string) => part(field, Buffer.from(value));
  // 40,000 pairs: copies of the map for each would take more than ten minutes.
  const pairs = Array.from({ length: 40_000 }, (_, at) =>
    Buffer.concat([
      part(11, Buffer.concat([text(1, `k${at}`), text(2, "v")])),
      part(12, Buffer.concat([text(1, "a"), text(2, "v")])),
    ]),
  );
  const meta = Buffer.concat([text(1, "x"), ...pairs]);
  const type = part(1, Buffer.concat([text(1, "v1"), text(2, "ConfigMap")]));
  const body = Buffer.concat([Buffer.from("k8s\0"), type, part(2, part(1, meta))]);
  const { metadata } = (await protobuf.decode(body, { shareEqual })) as KubeObject;
  expect(Object.keys(metadata?.labels ?? {})).toHaveLength(40_000);
  expect(metadata?.annotations).toEqual({ a: "v" });
});
