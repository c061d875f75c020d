import { deepStrictEqual } from "node:assert/strict";
import { codecs } from "@typekube/core/internal";
import { failure } from "@typekube/test-support/failure";
import { describe, expect, it } from "vitest";
import {
  arrayItem,
  bytesItem,
  mapItem,
  openArrayItem,
  openMapItem,
  tagItem,
  textItem,
} from "../../helpers/cbor-items.js";

const { cbor } = codecs;
const decode = (bytes: Uint8Array | string) =>
  cbor.decode(typeof bytes === "string" ? Buffer.from(bytes, "hex") : bytes);

/** Marks a value that Kubernetes' decoder rejects. */
const refused = Symbol("refused");
const oneTo25 = Array.from({ length: 25 }, (_, i) => i + 1);

/** RFC 8949 Appendix A: each example with the value that Kubernetes reads, which sometimes differs from the RFC. */
const appendixA: readonly (readonly [hex: string, expected: unknown])[] = [
  ["00", 0],
  ["01", 1],
  ["0a", 10],
  ["17", 23],
  ["1818", 24],
  ["1819", 25],
  ["1864", 100],
  ["1903e8", 1000],
  ["1a000f4240", 1000000],
  ["1b000000e8d4a51000", 1000000000000],
  ["1bffffffffffffffff", refused],
  ["c249010000000000000000", refused],
  ["3bffffffffffffffff", refused],
  ["c349010000000000000000", refused],
  ["20", -1],
  ["29", -10],
  ["3863", -100],
  ["3903e7", -1000],
  ["f90000", 0],
  ["f98000", -0],
  ["f93c00", 1],
  ["fb3ff199999999999a", 1.1],
  ["f93e00", 1.5],
  ["f97bff", 65504],
  ["fa47c35000", 100000],
  ["fa7f7fffff", 3.4028234663852886e38],
  ["fb7e37e43c8800759c", 1e300],
  ["f90001", 2 ** -24],
  ["f90400", 0.00006103515625],
  ["f9c400", -4],
  ["fbc010666666666666", -4.1],
  ["f97c00", refused],
  ["f97e00", refused],
  ["f9fc00", refused],
  ["fa7f800000", refused],
  ["fa7fc00000", refused],
  ["faff800000", refused],
  ["fb7ff0000000000000", refused],
  ["fb7ff8000000000000", refused],
  ["fbfff0000000000000", refused],
  ["f4", false],
  ["f5", true],
  ["f6", null],
  ["f7", refused],
  ["f0", refused],
  ["f8ff", refused],
  ["c074323031332d30332d32315432303a30343a30305a", "2013-03-21T20:04:00Z"],
  ["c11a514b67b0", "2013-03-21T20:04:00Z"],
  ["c1fb41d452d9ec200000", "2013-03-21T20:04:00.5Z"],
  ["d74401020304", "01020304"],
  ["d818456449455446", "dIETF"],
  ["d82076687474703a2f2f7777772e6578616d706c652e636f6d", "http://www.example.com"],
  ["40", ""],
  ["4401020304", "\u0001\u0002\u0003\u0004"],
  ["60", ""],
  ["6161", "a"],
  ["6449455446", "IETF"],
  ["62225c", '"\\'],
  ["62c3bc", "ü"],
  ["63e6b0b4", "水"],
  ["64f0908591", "𐅑"],
  ["80", []],
  ["83010203", [1, 2, 3]],
  ["8301820203820405", [1, [2, 3], [4, 5]]],
  ["98190102030405060708090a0b0c0d0e0f101112131415161718181819", oneTo25],
  ["a0", {}],
  ["a201020304", refused],
  ["a26161016162820203", { a: 1, b: [2, 3] }],
  ["826161a161626163", ["a", { b: "c" }]],
  ["a56161614161626142616361436164614461656145", { a: "A", b: "B", c: "C", d: "D", e: "E" }],
  ["5f42010243030405ff", "\u0001\u0002\u0003\u0004\u0005"],
  ["7f657374726561646d696e67ff", "streaming"],
  ["9fff", []],
  ["9f018202039f0405ffff", [1, [2, 3], [4, 5]]],
  ["9f01820203820405ff", [1, [2, 3], [4, 5]]],
  ["83018202039f0405ff", [1, [2, 3], [4, 5]]],
  ["83019f0203ff820405", [1, [2, 3], [4, 5]]],
  ["9f0102030405060708090a0b0c0d0e0f101112131415161718181819ff", oneTo25],
  ["bf61610161629f0203ffff", { a: 1, b: [2, 3] }],
  ["826161bf61626163ff", ["a", { b: "c" }]],
  ["bf6346756ef563416d7421ff", { Fun: true, Amt: -2 }],
];

describe("CBOR values", () => {
  it("ALT18: reads the examples of RFC 8949 Appendix A as Kubernetes does", async () => {
    let values = 0;
    for (const [hex, expected] of appendixA) {
      if (expected === refused) {
        expect(await failure(decode(hex)), hex).toMatchObject({ code: "Decode" });
      } else {
        deepStrictEqual(await decode(hex), expected, hex);
        values++;
      }
    }
    console.log(`RFC 8949 Appendix A: ${values} values, ${appendixA.length - values} refused`);
    expect(appendixA).toHaveLength(81);
  });

  it("reads integers up to 64 bits, as bigint only where a number would be inexact", async () => {
    deepStrictEqual(await decode("1b001fffffffffffff"), Number.MAX_SAFE_INTEGER);
    deepStrictEqual(await decode("1b0020000000000000"), 9007199254740992n);
    deepStrictEqual(await decode("1b7fffffffffffffff"), 9223372036854775807n);
    deepStrictEqual(await decode("3b001ffffffffffffe"), Number.MIN_SAFE_INTEGER);
    deepStrictEqual(await decode("3b001fffffffffffff"), -9007199254740992n);
    deepStrictEqual(await decode("3b7fffffffffffffff"), -9223372036854775808n);
    expect((await failure(decode("1b8000000000000000"))).code).toBe("Decode");
    expect((await failure(decode("3b8000000000000000"))).code).toBe("Decode");
  });

  it("accepts any number of self-described tags at any place", async () => {
    const object = mapItem(["a", bytesItem("b")]);
    for (const bytes of [
      object,
      tagItem(55799, object),
      tagItem(55799, tagItem(55799, object)),
      mapItem(["a", tagItem(55799, bytesItem("b"))]),
    ]) {
      deepStrictEqual(await decode(bytes), { a: "b" });
    }
  });

  it("converts bytes under later-encoding tags to their JSON form", async () => {
    const bytes = bytesItem(Uint8Array.of(0xfb, 0xff, 0, 0x80));
    expect(await decode(tagItem(22, bytes))).toBe("+/8AgA==");
    expect(await decode(tagItem(21, bytes))).toBe("-_8AgA");
    expect(await decode(tagItem(23, bytes))).toBe("fbff0080");
    // The tag applies to all byte strings in it, but not to those with a tag of their own, and not to text.
    deepStrictEqual(
      await decode(tagItem(22, arrayItem(bytes, tagItem(23, bytes), textItem("a"), bytes))),
      ["+/8AgA==", "fbff0080", "a", "+/8AgA=="],
    );
    expect(await decode(Buffer.from("d65f41fb43ff0080ff", "hex"))).toBe("+/8AgA==");
    expect(await decode(tagItem(22, bytesItem("")))).toBe("");
  });

  it.each([
    ["2006-01-02T15:04:05.120+01:00", "2006-01-02T15:04:05.12+01:00"],
    ["2006-01-02T15:04:05.000Z", "2006-01-02T15:04:05Z"],
    ["2006-01-02T15:04:05+00:00", "2006-01-02T15:04:05Z"],
    ["2006-01-02T15:04:05.1234567899Z", "2006-01-02T15:04:05.123456789Z"],
  ])("reads the time %s as Go writes it", async (text, expected) => {
    expect(await decode(tagItem(0, textItem(text)))).toBe(expected);
    expect(await decode(textItem(text))).toBe(text);
  });

  it.each([
    ["c120", "1969-12-31T23:59:59Z"],
    ["c1f9bc00", "1969-12-31T23:59:59Z"],
    ["c1f9b800", "1969-12-31T23:59:59.5Z"],
    ["c1f93c00", "1970-01-01T00:00:01Z"],
  ])("reads the epoch time %s as %s", async (hex, expected) => {
    expect(await decode(hex)).toBe(expected);
  });

  it.each([
    ["nothing", ""],
    ["a tag without content", "d9d9f7"],
    ["an integer whose bytes are missing", "1900"],
    ["a float whose bytes are missing", "fb00000000000000"],
    ["a string that is longer than the input", "4361"],
    ["a string of 2^64-1 bytes", "5bffffffffffffffff"],
    ["an array of 2^64-1 elements", "9bffffffffffffffff"],
    ["a map of 2^63 entries", "bb8000000000000000"],
    ["an array without its last element", "8201"],
    ["an indefinite-length array without its break", "9f01"],
    ["a map without its last value", "a14161"],
    ["an indefinite-length map that breaks after a key", "bf4161ff"],
    ["a second item", "a000"],
    ["a second empty map", "a0a0"],
    ["a lone break", "ff"],
    ["a break in a definite-length array", "81ff"],
    ["the reserved additional information 28", "1c"],
    ["the reserved additional information 29", "5d"],
    ["the reserved additional information 30", "9e"],
    ["an integer of indefinite length", "1f"],
    ["a negative integer of indefinite length", "3f"],
    ["a tag of indefinite length", "df00"],
    ["a simple value below 32 in two bytes", "f814"],
    ["undefined", "a14161f7"],
    ["an unassigned simple value", "e0"],
    ["a duplicate key", "a2416101416102"],
    ["a duplicate key, as bytes and as text", "a2416101616102"],
    ["a duplicate key in an indefinite-length map", "bf416101416102ff"],
    ["a duplicate key in chunks", "a2426162015f41614162ff02"],
    ["a number as a key", "a10a01"],
    ["null as a key", "a1f601"],
    ["an array as a key", "a18001"],
    ["text that is not UTF-8", "61ff"],
    ["text with a lone surrogate", "63eda080"],
    ["text with an overlong form", "62c080"],
    ["a text key that is not UTF-8", "a161ff01"],
    ["long text that is not UTF-8", `7850${"61".repeat(79)}ff`],
    ["chunks of text that are UTF-8 only together", "7f61c361bcff"],
    ["a chunk of bytes in text", "7f4161ff"],
    ["a chunk of indefinite length", "5f5f4161ffff"],
    ["a number as a chunk", "5f01ff"],
    ["a bignum", "c240"],
    ["a time as bytes", "c054323030362d30312d30325431353a30343a30355a"],
    ["a time that cannot be parsed", "c06474657874"],
    ["a time on February 30", "c074323030362d30322d33305431353a30343a30355a"],
    ["a time as an array", "c180"],
    ["a time in the year 10000", "c11b0000003afff44181"],
    ["a time before the year 0", "c13b0000000fffffffff"],
    ["a time that is not finite", "c1f97c00"],
  ])("ALT18: rejects %s with a Decode error", async (_, hex) => {
    const error = await failure(decode(hex));
    expect(error.code).toBe("Decode");
  });

  it("keeps a U+FFFD that the server sent", async () => {
    expect(await decode(bytesItem("a\ufffd"))).toBe("a\ufffd");
    expect(await decode(bytesItem(`${"a".repeat(100)}\ufffd`))).toHaveLength(101);
  });

  it("reads chunks of a byte string that split a character", async () => {
    expect(await decode("5f41c341bcff")).toBe("ü");
  });

  it("rejects values nested deeper than maxDepth, in every form", async () => {
    const nested = (depth: number, wrap: (inner: Buffer) => Buffer) => {
      let item = bytesItem("x");
      for (let i = 0; i < depth; i++) {
        item = wrap(item);
      }
      return item;
    };
    for (const wrap of [
      (inner: Buffer) => arrayItem(inner),
      (inner: Buffer) => openArrayItem(inner),
      (inner: Buffer) => mapItem(["a", inner]),
      (inner: Buffer) => openMapItem(["a", inner]),
      (inner: Buffer) => tagItem(55799, inner),
      (inner: Buffer) => tagItem(22, inner),
    ]) {
      await expect(decode(nested(500, wrap))).resolves.toBeDefined();
      expect((await failure(decode(nested(501, wrap)))).message).toContain("maxDepth");
      const limits = { maxDepth: 3 };
      await expect(cbor.decode(nested(3, wrap), { limits })).resolves.toBeDefined();
      expect((await failure(cbor.decode(nested(4, wrap), { limits }))).code).toBe("TooLarge");
    }
    const deep = Buffer.concat([Buffer.alloc(50_000, 0x81), Buffer.from([0])]);
    const limits = { maxDepth: 100_000 };
    expect((await failure(cbor.decode(deep, { limits }))).code).toBe("Decode");
    const endless = Buffer.alloc(200_000, 0x9f);
    expect((await failure(decode(endless))).code).toBe("TooLarge");
    const skipped = mapItem(["metadata", mapItem(["managedFields", endless])]);
    const without = { managedFields: false };
    // The skipped value is found truncated before it is too deep: nothing is built from it.
    expect((await failure(cbor.decode(skipped, without))).code).toMatch(/^(?:Decode|TooLarge)$/);
  });

  it("false counts cost no memory", async () => {
    const liar = Buffer.from("9a7fffffff".repeat(400), "hex");
    expect((await failure(decode(liar))).code).toBe("Decode");
    expect((await failure(decode(Buffer.from("ba7fffffff4161".repeat(400), "hex")))).code).toBe(
      "Decode",
    );
  });

  it("an error contains nothing of the body", async () => {
    const secret = "hunter2";
    for (const bytes of [
      mapItem([secret, bytesItem("a")], [secret, bytesItem("a")]),
      tagItem(0, textItem(secret)),
      mapItem([secret, Buffer.from([0xf7])]),
      Buffer.concat([mapItem([secret, bytesItem(secret)]), bytesItem(secret)]),
    ]) {
      const error = await failure(decode(bytes));
      expect(`${error.message} ${String(error.cause)}`).not.toContain(secret);
    }
  });
});
