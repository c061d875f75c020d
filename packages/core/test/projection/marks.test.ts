import { deepStrictEqual } from "node:assert/strict";
import {
  type Codec,
  codecs,
  hasMarkedMetadata,
  isMarkedProjected,
  markLike,
  markProjected,
  type Projection,
  projectBody,
  projectionOf,
  projectValue,
} from "@typekube/core/internal";
import { inChunks } from "@typekube/test-support/bytes";
import { describe, expect, it } from "vitest";

const some = projectionOf(["metadata.labels", "spec.nodeName"]);
const wholeMetadata = projectionOf(["metadata", "spec.nodeName"]);

const pod = (name: string) => ({
  kind: "Pod",
  apiVersion: "v1",
  metadata: { name, uid: name, labels: { app: "web" }, annotations: { a: "b" } },
  spec: { nodeName: "n1", containers: [] },
});

/** Tells which marks an object has. */
function marks(object: unknown): string {
  return [
    isMarkedProjected(object) ? "object" : "",
    hasMarkedMetadata(object) ? "metadata" : "",
  ].join("+");
}

async function event(codec: Codec, type: string, fields = some): Promise<unknown[]> {
  const bytes = await codec.encodeWatchEvent({ type, object: pod("a") });
  const found = [];
  // Three times: JSON and CBOR read the first objects of a kind by other code.
  const source = inChunks(Buffer.concat([bytes, bytes, bytes]), 50);
  for await (const batch of codec.decodeWatch(source, { projection: fields })) {
    found.push(...batch.map(({ object }) => object));
  }
  return found;
}

async function items(
  codec: Codec,
  shareEqual: boolean,
  projection: Projection | null = some,
): Promise<unknown[]> {
  const list = {
    kind: "PodList",
    apiVersion: "v1",
    metadata: { resourceVersion: "1" },
    items: Array.from({ length: 9 }, (_, at) => {
      const { metadata, spec } = pod(`p-${at % 2}`);
      return { metadata, spec };
    }),
  };
  const found = [];
  const options = { projection: projection ?? undefined, shareEqual };
  for await (const part of codec.decodeList(inChunks(await codec.encode(list), 70), options)) {
    found.push(...part.items);
  }
  return found;
}

describe("FIELDS-marks: a mark", () => {
  it("stays with the object, and is neither copied nor visible", () => {
    const metadata = { name: "a" };
    const object = { a: 1, metadata };
    markProjected(object, some);
    markProjected(object, some);
    expect(marks(object)).toBe("object+metadata");
    expect(marks({ ...object })).toBe("+metadata");
    expect(marks({ metadata })).toBe("+metadata");
    expect(marks({ ...object, metadata: { ...metadata } })).toBe("+");
    expect(marks(structuredClone(object))).toBe("+");
    expect(isMarkedProjected(null)).toBe(false);
    expect(hasMarkedMetadata(null)).toBe(false);
    deepStrictEqual(object, { a: 1, metadata: { name: "a" } });
    expect(Reflect.ownKeys(object)).toEqual(["a", "metadata"]);
    expect(Reflect.ownKeys(metadata)).toEqual(["name"]);
    expect(Object.getPrototypeOf(metadata)).toBe(Object.prototype);
    const frozen = Object.freeze({ metadata: Object.freeze({}) });
    markProjected(frozen, some);
    expect(marks(frozen)).toBe("object+metadata");
  });

  it.each([
    ["none", {}],
    ["null", { metadata: null }],
    ["a text", { metadata: "a" }],
  ])("is not set on metadata that is no object: %s", (_what, object) => {
    markProjected(object, some);
    expect(marks(object)).toBe("object+");
  });

  it("is not set on metadata that a path keeps as a whole", () => {
    for (const fields of [["metadata"], ['["metadata"]'], ["metadata", "metadata.labels"]]) {
      const object = pod("a");
      markProjected(object, projectionOf(fields));
      expect(marks(object)).toBe("object+");
    }
  });

  it("is set like that of another object", () => {
    const like = (original: object) => {
      const object = pod("a");
      markLike(object, original);
      return marks(object);
    };
    expect(like(pod("b"))).toBe("+");
    const part = projectValue(pod("b"), some.root) as object;
    markProjected(part, some);
    expect(like(part)).toBe("object+metadata");
    expect(marks(part)).toBe("object+metadata");
    const copy = { ...part };
    markLike(copy, part);
    expect(marks(copy)).toBe("object+metadata");
    const whole = projectValue(pod("b"), wholeMetadata.root) as object;
    markProjected(whole, wholeMetadata);
    expect(like(whole)).toBe("object+");
  });
});

describe("FIELDS-marks: projectValue", () => {
  it("marks the metadata of what it returns, and nothing of its argument", () => {
    const value = pod("a");
    const kept = projectValue(value, some.root) as object;
    expect(marks(kept)).toBe("+metadata");
    markProjected(kept, some);
    expect(marks(kept)).toBe("object+metadata");
    expect(marks(value)).toBe("+");
    deepStrictEqual(value, pod("a"));
  });

  it("shares metadata that it keeps as a whole, without a mark", () => {
    const value = pod("a");
    const kept = projectValue(value, wholeMetadata.root) as typeof value;
    expect(kept.metadata).toBe(value.metadata);
    expect(marks(kept)).toBe("object+");
    expect(marks(value)).toBe("+");
  });

  it("marks the items of a list, and neither the list nor a Status", () => {
    const list = { kind: "PodList", metadata: {}, items: [pod("a")] };
    const kept = projectBody(list, some) as typeof list;
    expect(marks(kept)).toBe("+");
    expect(marks(kept.items[0])).toBe("+metadata");
    const status = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure" };
    expect(marks(projectBody(status, some))).toBe("+");
  });

  it("leaves the metadata of templates alone", () => {
    const value = { metadata: { name: "a" }, spec: { template: { metadata: { labels: {} } } } };
    const projection = projectionOf(["spec.template.metadata.labels"]);
    const kept = projectValue(value, projection.root) as typeof value;
    expect(marks(kept)).toBe("+metadata");
    expect(marks(kept.spec.template)).toBe("+");
  });
});

describe.each([codecs.json, codecs.protobuf, codecs.cbor, codecs.yaml])(
  "FIELDS-marks: reads of $name mark",
  (codec) => {
    it("the metadata of an object, or the object of whole metadata", async () => {
      const bytes = await codec.encode(pod("a"));
      for (let round = 0; round < 3; round++) {
        const part = (await codec.decode(bytes, { projection: some })) as object;
        expect(marks(part)).toBe("+metadata");
        markProjected(part, some);
        expect(marks(part)).toBe("object+metadata");
        const whole = await codec.decode(bytes, { projection: wholeMetadata });
        expect(marks(whole)).toBe("object+");
        expect(marks(await codec.decode(bytes))).toBe("+");
      }
    });

    it.each([false, true])("the metadata of items, shareEqual %s", async (shareEqual) => {
      const found = await items(codec, shareEqual);
      expect(found.length).toBe(9);
      for (const item of found) {
        expect(hasMarkedMetadata(item)).toBe(true);
      }
      const whole = await items(codec, shareEqual, wholeMetadata);
      expect(whole.filter(hasMarkedMetadata)).toEqual([]);
      expect((await items(codec, shareEqual, null)).filter(hasMarkedMetadata)).toEqual([]);
    });

    it("the metadata of the objects of events, and of no bookmark", async () => {
      for (const type of ["ADDED", "MODIFIED", "DELETED"]) {
        const found = await event(codec, type);
        expect(found.map(marks)).toEqual(Array(3).fill("+metadata"));
      }
      const kept = await event(codec, "ADDED", wholeMetadata);
      expect(kept.map(hasMarkedMetadata)).toEqual([false, false, false]);
      const bookmarks = await event(codec, "BOOKMARK");
      expect(bookmarks.map(marks)).toEqual(["+", "+", "+"]);
    });
  },
);
