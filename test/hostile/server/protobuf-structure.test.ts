import { codecs } from "@typekube/core/internal";
import { inChunks } from "@typekube/test-support/bytes";
import { readList } from "@typekube/test-support/lists";
import { describe, expect, it } from "vitest";

const { protobuf } = codecs;

describe("hostile protobuf structures", () => {
  const envelope = (raw: readonly number[]) =>
    Buffer.from([
      0x6b,
      0x38,
      0x73,
      0,
      10,
      9,
      10,
      2,
      ...Buffer.from("v1"),
      18,
      3,
      ...Buffer.from("Pod"),
      18,
      raw.length,
      ...raw,
    ]);

  it.each([
    ["a wire type that gogo does not write (start group)", [0x0b]],
    ["a wire type that gogo does not write (end group)", [0x0c]],
    ["the wire type 6", [0x0e]],
    ["the wire type 7", [0x0f]],
    ["a length beyond the end", [0x0a, 0x7f]],
    ["a varint of eleven bytes", [0x0a, ...Array<number>(10).fill(0xff), 1]],
    ["an unterminated tag", [0xff]],
    ["a truncated fixed64", [0x79, 1, 2]],
    ["a truncated fixed32", [0x7d, 1, 2]],
  ])("a protobuf body with %s is a Decode error", async (_, raw) => {
    await expect(protobuf.decode(envelope(raw))).rejects.toMatchObject({ code: "Decode" });
  });

  it.each([
    ["a number", [0x0a, 2, 0x38, 0x80], "the number in generation is truncated"],
    ["a time", [0x0a, 4, 0x42, 2, 8, 0x80], "the time in creationTimestamp is truncated"],
  ])("the error for %s that is truncated names the field", async (_, raw, message) => {
    await expect(protobuf.decode(envelope(raw))).rejects.toMatchObject({
      code: "Decode",
      rawMessage: message,
    });
  });

  it("two alternating repeated fields cost no more than each alone", async () => {
    const turns = 200_000;
    const volumeAndContainer = [0x0a, 0, 0x12, 0];
    const varint = (value: number) =>
      Buffer.of((value & 0x7f) | 0x80, ((value >> 7) & 0x7f) | 0x80, value >> 14);
    const spec = Buffer.alloc(turns * volumeAndContainer.length, Buffer.from(volumeAndContainer));
    const pod = Buffer.concat([Buffer.of(18), varint(spec.length), spec]);
    const bytes = Buffer.concat([
      Buffer.from("k8s\0\x0a\x09\x0a\x02v1\x12\x03Pod\x12", "latin1"),
      varint(pod.length),
      pod,
    ]);
    const decoded = (await protobuf.decode(bytes)) as {
      spec: { containers: unknown[]; volumes: unknown[] };
    };
    expect(decoded.spec.containers).toHaveLength(turns);
    expect(decoded.spec.volumes).toHaveLength(turns);
  });

  it("a list head of very many fields is scanned once, whatever the number of chunks", async () => {
    const list = await protobuf.encode({ kind: "ConfigMapList", apiVersion: "v1", items: [{}] });
    // The field "" repeated very often: the last one counts.
    const head = Buffer.alloc(8 * 1024 * 1024, Buffer.of(0x1a, 0));
    const bytes = Buffer.concat([list.subarray(0, 4), head, list.subarray(4)]);
    const { kind, items } = await readList(protobuf, inChunks(bytes, 1024));
    expect([kind, items.length]).toEqual(["ConfigMapList", 1]);
  });

  it("deeply nested messages are TooLarge", async () => {
    let schema: object = { type: "object" };
    for (let i = 0; i < 600; i++) {
      schema = { properties: { a: schema } };
    }
    const crd = {
      kind: "CustomResourceDefinition",
      apiVersion: "apiextensions.k8s.io/v1",
      spec: { versions: [{ name: "v1", schema: { openAPIV3Schema: schema } }] },
    };
    const bytes = await protobuf.encode(crd);
    await expect(protobuf.decode(bytes)).rejects.toMatchObject({ code: "TooLarge" });
    await expect(protobuf.decode(bytes, { limits: { maxDepth: 5000 } })).resolves.toBeDefined();
  });

  describe("JSON in protobuf nested deeper than maxDepth", () => {
    let data: object = { text: "x".repeat(70_000) };
    for (let i = 0; i < 600; i++) {
      data = { a: data };
    }
    const object = { kind: "Odd", apiVersion: "example.com/v1", data };
    const raised = { limits: { maxDepth: 5000 } };

    it("is TooLarge in a field that holds any object", async () => {
      const revision = { kind: "ControllerRevision", apiVersion: "apps/v1", data, revision: 1 };
      const bytes = await protobuf.encode(revision);
      await expect(protobuf.decode(bytes)).rejects.toMatchObject({ code: "TooLarge" });
      await expect(protobuf.decode(bytes, raised)).resolves.toMatchObject({ data });
    });

    it("is TooLarge in an item of a List", async () => {
      const bytes = await protobuf.encode({ kind: "List", apiVersion: "v1", items: [object] });
      const list = (options = {}) => readList(protobuf, inChunks(bytes, 16_384), options);
      await expect(list()).rejects.toMatchObject({ code: "TooLarge" });
      await expect(list(raised)).resolves.toMatchObject({ items: [object] });
    });

    it("is TooLarge when the envelope declares its content as JSON", async () => {
      const json = Buffer.from(JSON.stringify(object));
      const bytes = Buffer.concat([
        Buffer.from("k8s\0\x12", "latin1"),
        // Length as a varint.
        Buffer.of(
          (json.length & 0x7f) | 0x80,
          ((json.length >> 7) & 0x7f) | 0x80,
          json.length >> 14,
        ),
        json,
        Buffer.from("\x22\x10application/json", "latin1"),
      ]);
      await expect(protobuf.decode(bytes)).rejects.toMatchObject({ code: "TooLarge" });
      await expect(protobuf.decode(bytes, raised)).resolves.toEqual(object);
    });
  });
});
