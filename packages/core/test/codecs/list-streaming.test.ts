import { deepStrictEqual } from "node:assert/strict";
import { KubeError } from "@typekube/core";
import { codecs } from "@typekube/core/internal";
import { chunksOf, everySplit, inChunks } from "@typekube/test-support/bytes";
import { failure } from "@typekube/test-support/failure";
import {
  configMapItems,
  configMaps,
  encodedConfigMaps,
  readList,
} from "@typekube/test-support/lists";
import { describe, expect, it } from "vitest";

describe.each(["json", "protobuf"] as const)("a list streamed as %s", (encoding) => {
  const codec = codecs[encoding];
  const encode = (value: unknown) => codec.encode(value);
  const list = async (value: unknown) => readList(codec, chunksOf(await encode(value)));

  it("CHK13, N18: items carry kind and apiVersion, wherever the bytes are split", async () => {
    const bytes = await encodedConfigMaps(encoding);
    for (const source of everySplit(bytes)) {
      deepStrictEqual(await readList(codec, source), {
        apiVersion: "v1",
        kind: "ConfigMapList",
        metadata: { resourceVersion: "42" },
        items: configMapItems,
      });
    }
  });

  it("yields an item once its bytes arrive, with the list's resourceVersion", async () => {
    const bytes = await encodedConfigMaps(encoding);
    let sent = 0;
    async function* slowly(): AsyncIterable<Uint8Array> {
      for await (const chunk of inChunks(bytes, 1)) {
        sent++;
        yield chunk;
      }
    }
    const first: number[] = [];
    for await (const part of codec.decodeList(slowly())) {
      if (part.items.length > 0) {
        first.push(sent);
        expect(part.metadata?.resourceVersion).toBe("42");
      }
    }
    expect(first).toHaveLength(3);
    expect(first[0]).toBeLessThan(bytes.length * 0.8);
  });

  it("an empty list keeps its metadata", async () => {
    const metadata = { resourceVersion: "7", continue: "abc", remainingItemCount: 3 };
    const empty = { kind: "ConfigMapList", apiVersion: "v1", metadata };
    expect(await list({ ...empty, items: [] })).toEqual({ ...empty, items: [] });
    expect(await list({ ...empty, items: null })).toEqual({ ...empty, items: [] });
  });

  it("rejects a Status with the error it represents", async () => {
    const details = { name: "x", kind: "configmaps" };
    const status = {
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      reason: "Expired",
      code: 410,
      details,
    };
    const bytes = await encode({ ...status, message: "too old" });
    for (const source of everySplit(bytes)) {
      const error = await failure(readList(codec, source));
      expect(error).toMatchObject({ code: "Expired", rawMessage: "too old", status: { details } });
    }
    expect((await failure(list({ ...status, status: "Success" }))).code).toBe("Decode");
  });

  it("rejects another object and names its kind", async () => {
    const error = await failure(
      list({ kind: "ConfigMap", apiVersion: "v1", metadata: { name: "a" } }),
    );
    expect(error).toMatchObject({ code: "Decode" });
    expect(error.message).toContain("ConfigMap");
  });

  it("rejects a list that is truncated anywhere", async () => {
    const bytes = await encodedConfigMaps(encoding);
    // In protobuf a list is followed by two empty strings of its envelope: 4 bytes that may be missing.
    const last = encoding === "json" ? bytes.length : bytes.length - 4;
    for (let end = 0; end < last; end++) {
      const error = await failure(readList(codec, inChunks(bytes.subarray(0, end), 50)));
      expect(error.code, `cut at ${end}`).toBe("Decode");
    }
  });

  it("rejects an item that is too large, in chunks of any size", async () => {
    const large = {
      ...configMaps,
      items: [{ metadata: { name: "a" }, data: { a: "x".repeat(2000) } }],
    };
    const bytes = await encode(large);
    for (const size of [1, 100, bytes.length]) {
      const error = await failure(
        readList(codec, inChunks(bytes, size), { limits: { maxObjectBytes: 1000 } }),
      );
      expect(error, `chunks of ${size}`).toMatchObject({ code: "TooLarge" });
      expect(error.hint).toContain("limits.maxObjectBytes");
    }
  });

  it("inspects a large item in small chunks a bounded number of times", async () => {
    const data = { a: "x".repeat(4_000_000) };
    const item = { metadata: { name: "a" }, data };
    const bytes = await encode({ ...configMaps, items: [item, { metadata: { name: "b" } }] });
    // Quadratic time would be minutes, more than the timeout of a test.
    const { items } = await readList(codec, inChunks(bytes, 100));
    expect(items).toMatchObject([{ data }, { metadata: { name: "b" } }]);
  });

  it("a list may be larger than an item", async () => {
    const items = Array.from({ length: 100 }, (_, i) => ({ metadata: { name: `n${i}` } }));
    const bytes = await encode({ ...configMaps, items });
    for (const size of [1, 100, bytes.length]) {
      const read = await readList(codec, inChunks(bytes, size), {
        limits: { maxObjectBytes: 300 },
      });
      expect(read.items).toHaveLength(100);
    }
  });

  it("ending the iteration early ends the source", async () => {
    const bytes = await encodedConfigMaps(encoding);
    let ended = false;
    async function* source(): AsyncIterable<Uint8Array> {
      try {
        yield* inChunks(bytes, 40);
      } finally {
        ended = true;
      }
    }
    for await (const part of codec.decodeList(source())) {
      if (part.items.length > 0) {
        break;
      }
    }
    expect(ended).toBe(true);
  });

  it("rethrows the failure of the source unchanged", async () => {
    const reset = new KubeError("ConnectionReset", "gone");
    async function* source(): AsyncIterable<Uint8Array> {
      yield (await encodedConfigMaps(encoding)).subarray(0, 60);
      throw reset;
    }
    await expect(readList(codec, source())).rejects.toBe(reset);
  });
});
