import { setImmediate as turn } from "node:timers/promises";
import { codecs } from "@typekube/core/internal";
import { inChunks } from "@typekube/test-support/bytes";
import { expect, it } from "vitest";

const objectsPerList = 2_000;

/** Returns a list whose names, uids, labels, annotations and label keys never occurred before. */
function distinctConfigMaps(round: number) {
  const items = Array.from({ length: objectsPerList }, (_, i) => {
    const id = `${round}-${i}`;
    return {
      metadata: {
        name: `name-${id}`,
        uid: `uid-${id}`,
        labels: { [`key-${id}`]: `value-${id}`, app: `app-${id}` },
        annotations: { [`note.example.com/${id}`]: `text ${id}` },
        managedFields: [
          { manager: `m-${id}`, operation: "Update", fieldsV1: { [`f:${id}`]: { "f:a": {} } } },
        ],
      },
      data: { [`file-${id}`]: `content ${id}` },
    };
  });
  return { kind: "ConfigMapList", apiVersion: "v1", metadata: { resourceVersion: "1" }, items };
}

async function heapBytes(): Promise<number> {
  for (let i = 0; i < 3; i++) {
    globalThis.gc?.();
    await turn();
  }
  return process.memoryUsage().heapUsed;
}

it.each(["json", "protobuf", "cbor"] as const)(
  "keeps no name, uid or label once its objects are gone, in %s",
  { timeout: 480_000 },
  async (encoding) => {
    const codec = codecs[encoding];
    const decodeRound = async (round: number) => {
      const bytes = await codec.encode(distinctConfigMaps(round));
      let count = 0;
      for (const managedFields of [true, false]) {
        for await (const part of codec.decodeList(inChunks(bytes, 64 * 1024), {
          managedFields,
          shareEqual: managedFields,
        })) {
          count += part.items.length;
        }
      }
      return count;
    };
    // The tables of common strings have a fixed size and fill up first.
    let round = 0;
    while (round < 15) {
      await decodeRound(round++);
    }
    const before = await heapBytes();
    let decoded = 0;
    while (round < 45) {
      decoded += await decodeRound(round++);
    }
    const perObject = ((await heapBytes()) - before) / decoded;
    console.log(`${encoding}: ${perObject.toFixed(2)} bytes kept per object after ${decoded}`);
    // One short string would take at least 24 bytes.
    expect(perObject).toBeLessThan(8);
  },
);

/** Yields the bytes one by one. From time to time reports the memory in use after a garbage collection. */
async function* singleBytes(
  bytes: Uint8Array,
  received: (memory: number) => void,
): AsyncIterable<Uint8Array> {
  const step = Math.ceil(bytes.length / 8);
  for (let at = 0; at < bytes.length; at++) {
    if (at % step === step - 1) {
      globalThis.gc?.();
      const { heapUsed, arrayBuffers } = process.memoryUsage();
      received(heapUsed + arrayBuffers);
    }
    yield bytes.subarray(at, at + 1);
  }
}

it.each(["json", "protobuf", "cbor", "yaml"] as const)(
  "a list in single bytes takes no more memory than in large chunks, in %s",
  { timeout: 480_000 },
  async (encoding) => {
    const codec = codecs[encoding];
    const items = [{ metadata: { name: "a" }, data: { a: "x".repeat(1_000_000) } }];
    const list = { kind: "ConfigMapList", apiVersion: "v1", metadata: {}, items };
    const bytes = await codec.encode(list);
    const before = await heapBytes();
    const { arrayBuffers } = process.memoryUsage();
    let most = 0;
    const source = singleBytes(bytes, (memory) => {
      most = Math.max(most, memory - before - arrayBuffers);
    });
    let count = 0;
    for await (const part of codec.decodeList(source)) {
      count += part.items.length;
    }
    expect(count).toBe(1);
    console.log(`${encoding}: ${(most / bytes.length).toFixed(1)} bytes of memory per byte`);
    // One chunk per byte would take more than a hundred bytes.
    expect(most).toBeLessThan(10 * bytes.length);
  },
);
