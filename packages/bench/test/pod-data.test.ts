import { codecs } from "@typekube/core/internal";
import { describe, expect, it } from "vitest";
import { CannedBodies } from "../src/canned-bodies.js";
import { makePods } from "../src/pod-data.js";

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

describe("benchmark pods", () => {
  it("are the same for the same seed", () => {
    expect(makePods(20)).toEqual(makePods(20));
    expect(makePods(20, 2)).not.toEqual(makePods(20));
  });

  it("are about 4.9 KB of JSON and 3 KB of protobuf, a third of it managedFields", async () => {
    const pods = makePods(500);
    const list = await new CannedBodies(500).list("protobuf");
    const managed = pods.reduce((sum, { metadata }) => sum + bytesOf(metadata.managedFields), 0);
    expect(bytesOf(pods) / 500).toBeGreaterThan(4_800);
    expect(bytesOf(pods) / 500).toBeLessThan(5_100);
    expect(managed / bytesOf(pods)).toBeCloseTo(0.32, 1);
    expect(list.byteLength / 500).toBeGreaterThan(2_900);
    expect(list.byteLength / 500).toBeLessThan(3_400);
  });

  it("are sorted by key and repeat apps, namespaces and nodes", () => {
    const pods = makePods(5_000);
    const keys = pods.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
    expect(keys).toEqual([...keys].sort());
    expect(new Set(keys).size).toBe(5_000);
    expect(new Set(pods.map(({ metadata }) => metadata.labels?.["app"])).size).toBe(240);
    expect(new Set(pods.map(({ metadata }) => metadata.namespace)).size).toBe(40);
    expect(new Set(pods.map(({ spec }) => spec?.nodeName)).size).toBe(400);
  });

  it("have unique names among 10,000", () => {
    const names = makePods(10_000).map(({ metadata }) => metadata.name);
    expect(new Set(names).size).toBe(10_000);
  });

  it("decode equally from both encodings", async () => {
    const bodies = new CannedBodies(10);
    const [fromJson, fromProtobuf] = await Promise.all(
      (["json", "protobuf"] as const).map(async (name) => {
        const list = await codecs[name].decode(await bodies.list(name));
        return (list as { items: unknown[] }).items.length > 0 ? list : undefined;
      }),
    );
    expect(fromProtobuf).toEqual(fromJson);
  });
});
