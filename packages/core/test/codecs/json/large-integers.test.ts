import { deepStrictEqual } from "node:assert/strict";
import { codecs } from "@typekube/core/internal";
import { chunksOf } from "@typekube/test-support/bytes";
import { capture, hasCaptures } from "@typekube/test-support/captures";
import { failure } from "@typekube/test-support/failure";
import { readList } from "@typekube/test-support/lists";
import { describe, expect, it } from "vitest";

const { json, protobuf } = codecs;

const text = async (bytes: Promise<Uint8Array>) => Buffer.from(await bytes).toString();

describe("N21: integers beyond 2^53", () => {
  it.each([
    "9007199254740993",
    "-9007199254740993",
    "9223372036854775807",
    "-9223372036854775808",
    "123456789012345678901234567890",
  ])("%s survives a JSON read-modify-write", async (digits) => {
    const raw = `{"spec":{"a":${digits},"s":"${digits}","list":[${digits},{"${digits}":${digits}}]},"n":1.5}`;
    const object = (await json.decode(Buffer.from(raw))) as { spec: { a: unknown; s: unknown } };
    expect(object.spec.a).toBe(BigInt(digits));
    expect(object.spec.s).toBe(digits);
    expect(await text(json.encode({ ...object, added: true }))).toBe(
      `${raw.slice(0, -1)},"added":true}`,
    );
  });

  it("are written as integers in a program that defines BigInt.prototype.toJSON", async () => {
    Object.defineProperty(BigInt.prototype, "toJSON", {
      configurable: true,
      value(this: bigint) {
        return `${this}n`;
      },
    });
    try {
      expect(await text(json.encode({ a: 1n, b: [9007199254740993n] }))).toBe(
        '{"a":1,"b":[9007199254740993]}',
      );
    } finally {
      Reflect.deleteProperty(BigInt.prototype, "toJSON");
    }
  });

  it("numbers that fit stay numbers, and digits in a string stay a string", async () => {
    const raw =
      '{"a":9007199254740991,"b":-9007199254740991,"c":1.7976931348623157e308,"d":0.12345678901234567890,"e":"1234567890123456789 \\"9007199254740993\\\\"}';
    expect(await json.decode(Buffer.from(raw))).toEqual(JSON.parse(raw));
  });

  it.each(Array.from({ length: 40 }, (_, at) => at))(
    "are found after %d bytes of white space",
    async (at) => {
      const raw = `${" ".repeat(at)}[9007199254740993]`;
      expect(await json.decode(Buffer.from(raw))).toEqual([9007199254740993n]);
    },
  );

  it("are found beside strings of digits only, however long", async () => {
    const digits = "1".repeat(4 * 1024 * 1024);
    const raw = `{"a":"${digits}","b":["x${digits}"],"c":9007199254740993}`;
    expect(await json.decode(Buffer.from(raw))).toEqual({
      a: digits,
      b: [`x${digits}`],
      c: 9007199254740993n,
    });
  });

  it.each(Array.from({ length: 40 }, (_, digits) => digits))(
    "are found after a string of %d digits",
    async (length) => {
      const digits = "1".repeat(length);
      for (const raw of [`["${digits}",9007199254740993]`, `{"${digits}":9007199254740993}`]) {
        const value = (await json.decode(Buffer.from(raw))) as object;
        expect(Object.values(value).at(-1)).toBe(9007199254740993n);
      }
    },
  );

  it("are found beside a string of many megabytes", async () => {
    const long = `${"x".repeat(8_000_000)}\\"`;
    const object = (await json.decode(Buffer.from(`{"s":"${long}","n":9007199254740993}`))) as {
      n: unknown;
      s: string;
    };
    expect(object.n).toBe(9007199254740993n);
    expect(object.s).toHaveLength(8_000_001);
  });

  it.each([["x"], ["\\n"], ['\\"']])("are found beside a long string of %j", async (piece) => {
    const count = 24_000_000 / piece.length;
    const text = `{"s":"${piece.repeat(count)}","n":[9007199254740993, 1, -9007199254740993]}`;
    const object = (await json.decode(Buffer.from(text))) as { n: unknown; s: string };
    expect(object.n).toEqual([9007199254740993n, 1, -9007199254740993n]);
    expect(object.s).toHaveLength(count);
  });

  it("survive in a watch and in a streamed list", async () => {
    const raw = '{"type":"ADDED","object":{"n":9007199254740993}}\n';
    for await (const [event] of json.decodeWatch(chunksOf(raw))) {
      expect(event?.object).toEqual({ n: 9007199254740993n });
    }
    const list = await readList(
      json,
      chunksOf('{"kind":"XList","metadata":{},"items":[{"n":9007199254740993}]}'),
    );
    expect(list.items).toMatchObject([{ n: 9007199254740993n }]);
  });

  it.each([
    9007199254740993n,
    -9007199254740993n,
    9223372036854775807n,
    -9223372036854775808n,
    2 ** 53,
    -1,
    0,
    2 ** 31,
  ])("the integer %s survives protobuf and JSON", async (generation) => {
    const pod = { kind: "Pod", apiVersion: "v1", metadata: { name: "a", generation } };
    const decoded = (await protobuf.decode(await protobuf.encode(pod))) as typeof pod;
    expect(BigInt(decoded.metadata.generation || 0)).toBe(BigInt(generation));
    const fromJson = (await json.decode(await json.encode(decoded))) as typeof pod;
    deepStrictEqual(fromJson, decoded);
  });

  it.each([
    [{ metadata: { generation: 2n ** 63n } }, "Pod.metadata.generation"],
    [{ metadata: { generation: -(2n ** 63n) - 1n } }, "Pod.metadata.generation"],
    [{ metadata: { generation: 2 ** 64 } }, "Pod.metadata.generation"],
    [{ spec: { priority: 2 ** 31 } }, "Pod.spec.priority"],
    [{ spec: { priority: -(2 ** 31) - 1 } }, "Pod.spec.priority"],
    [{ spec: { priority: 1.5 } }, "Pod.spec.priority"],
    [{ spec: { priority: "1" } }, "Pod.spec.priority"],
  ])("rejects %o, which does not fit the field", async (part, path) => {
    const error = await failure(protobuf.encode({ kind: "Pod", apiVersion: "v1", ...part }));
    expect(error.code).toBe("InvalidArgument");
    expect(error.message).toContain(path);
  });

  it.runIf(hasCaptures)(
    "a recorded object is re-encoded as it was read, except for changed numbers",
    async () => {
      for (const name of ["136t-pod-get-json", "136t-pod-create"]) {
        const object = (await json.decode(capture(name))) as { spec: Record<string, unknown> };
        deepStrictEqual(await json.decode(await json.encode(object)), object);
        const changed = {
          ...object,
          spec: { ...object.spec, activeDeadlineSeconds: 9007199254740993n },
        };
        deepStrictEqual(await json.decode(await json.encode(changed)), changed);
        deepStrictEqual(await protobuf.decode(await protobuf.encode(changed)), changed);
      }
      const bytes = capture("136t-pod-get-pb");
      expect(Buffer.compare(await protobuf.encode(await protobuf.decode(bytes)), bytes)).toBe(0);
    },
  );
});
