import { deepStrictEqual } from "node:assert/strict";
import { KubeError } from "@typekube/core";
import { codecs } from "@typekube/core/internal";
import { failure } from "@typekube/test-support/failure";
import { goldenObjects, hasCorpus } from "@typekube/test-support/golden-corpus";
import { seededRandom } from "@typekube/test-support/seeded-random";
import { Decoder, Encoder } from "cbor-x";
import { describe, expect, it } from "vitest";

const { cbor, json } = codecs;
const hexOf = async (value: unknown) => Buffer.from(await cbor.encode(value)).toString("hex");
const selfDescribed = "d9d9f7";

describe("encoding CBOR", () => {
  it("ALT2, ALT19: both Content-Types select the codec", () => {
    expect(codecs.forContentType("application/cbor")).toBe(cbor);
    expect(codecs.forContentType("application/cbor-seq")).toBe(cbor);
    expect([cbor.name, cbor.mediaType, cbor.watchMediaType]).toEqual([
      "cbor",
      "application/cbor",
      "application/cbor-seq",
    ]);
  });

  it.each([
    ["a string", "a", "4161"],
    ["a string that is not ASCII", "ü€😀", "49c3bce282acf09f9880"],
    ["a string of 24 bytes", "x".repeat(24), `5818${"78".repeat(24)}`],
    ["a string of 256 bytes", "x".repeat(256), `590100${"78".repeat(256)}`],
    ["true", true, "f5"],
    ["false", false, "f4"],
    ["null", null, "f6"],
    ["no elements", [], "80"],
    ["no entries", {}, "a0"],
    ["0", 0, "00"],
    ["-0, like JSON", -0, "00"],
    ["23", 23, "17"],
    ["24", 24, "1818"],
    ["65536", 65536, "1a00010000"],
    ["2^32 - 1", 4294967295, "1affffffff"],
    ["2^32", 4294967296, "1b0000000100000000"],
    ["-1", -1, "20"],
    ["-2^32", -4294967296, "3affffffff"],
    ["-2^32 - 1", -4294967297, "3b0000000100000000"],
    ["the largest safe integer", Number.MAX_SAFE_INTEGER, "1b001fffffffffffff"],
    ["an integer beyond the safe range, like JSON", 2 ** 60, "1b1000000000000000"],
    ["-2^63", -(2 ** 63), "3b7fffffffffffffff"],
    ["2^63, which Kubernetes treats as a float", 2 ** 63, "fa5f000000"],
    ["a small bigint", 5n, "05"],
    ["a bigint", 9007199254740993n, "1b0020000000000001"],
    ["the largest bigint", 9223372036854775807n, "1b7fffffffffffffff"],
    ["the smallest bigint", -9223372036854775808n, "3b7fffffffffffffff"],
    ["a half", 0.5, "f93800"],
    ["the smallest half-precision float", 2 ** -24, "f90001"],
    ["the largest subnormal half-precision float", 1023 * 2 ** -24, "f903ff"],
    ["a float too small for half precision", 2 ** -25, "fa33000000"],
    ["a single-precision float", 100000.5, "fa47c35040"],
    ["a double-precision float", 1.1, "fb3ff199999999999a"],
    ["-4.1", -4.1, "fbc010666666666666"],
    ["1e300", 1e300, "fb7e37e43c8800759c"],
  ])("writes %s as Kubernetes does", async (_, value, expected) => {
    expect(await hexOf(value)).toBe(selfDescribed + expected);
    const back = await cbor.decode(await cbor.encode(value));
    expect(typeof value === "bigint" ? BigInt(back as number) : back).toEqual(
      Object.is(value, -0)
        ? 0
        : typeof value === "number" && typeof back === "bigint"
          ? BigInt(value)
          : value,
    );
  });

  it("sorts keys by length and then by bytes, whatever their order", async () => {
    const keys = ["b", "a", "aa", "", "ü", "Z", "kind", "\u{ffff}", "😀", "__proto__", "a\u0000"];
    const sorted = ["", "Z", "a", "b", "a\u0000", "aa", "ü", "\u{ffff}", "kind", "😀", "__proto__"];
    const entries = keys.map((key) => [key, 1] as const);
    const bytes = await cbor.encode(Object.fromEntries(entries));
    const reversed = await cbor.encode(Object.fromEntries(entries.toReversed()));
    deepStrictEqual(reversed, bytes);
    const expected = sorted.map((key) => {
      const text = Buffer.from(key);
      return Buffer.concat([Buffer.from([0x40 | text.length]), text, Buffer.from([1])]);
    });
    expect(Buffer.from(bytes).toString("hex")).toBe(
      `${selfDescribed}ab${Buffer.concat(expected).toString("hex")}`,
    );
  });

  it("omits the same values as JSON, and writes null for the same values", async () => {
    const date = new Date(0);
    const own = { toJSON: (key: string) => ({ key }) };
    const value = {
      gone: undefined,
      call: () => 1,
      symbol: Symbol("s"),
      list: [undefined, () => 1, Symbol("s"), date, own],
      date,
      own,
      goneLater: { toJSON: () => undefined },
      text: new String("t"),
      number: new Number(1),
      truth: new Boolean(false),
      map: new Map([["a", 1]]),
      ["__proto__"]: 1,
    };
    deepStrictEqual(
      await cbor.decode(await cbor.encode(value)),
      await json.decode(await json.encode(value)),
    );
  });

  it.each([
    ["NaN", Number.NaN],
    ["Infinity", Number.POSITIVE_INFINITY],
    ["-Infinity", Number.NEGATIVE_INFINITY],
    ["an integer beyond 64 bits", 9223372036854775808n],
    ["a negative integer beyond 64 bits", -9223372036854775809n],
    ["undefined", undefined],
    ["a function", () => 1],
  ])("rejects %s with InvalidArgument, at the top level and nested", async (_, value) => {
    expect((await failure(cbor.encode(value))).code).toBe("InvalidArgument");
    if (value !== undefined && typeof value !== "function") {
      expect((await failure(cbor.encode({ a: [value] }))).code).toBe("InvalidArgument");
    }
  });

  it("rejects an object that contains itself, but not one that occurs twice", async () => {
    const loop: Record<string, unknown> = { payload: "x".repeat(1000) };
    loop["inner"] = [{ loop }];
    expect((await failure(cbor.encode(loop))).code).toBe("InvalidArgument");
    const shared = { a: 1 };
    deepStrictEqual(await cbor.decode(await cbor.encode([shared, shared])), [shared, shared]);
  });

  it("an error thrown by toJSON is the cause of an InvalidArgument; a KubeError is rethrown", async () => {
    const cause = new Error("no");
    const throwing = (error: Error) => ({
      toJSON: () => {
        throw error;
      },
    });
    expect(await failure(cbor.encode(throwing(cause)))).toMatchObject({
      code: "InvalidArgument",
      cause,
    });
    const own = new KubeError("Config", "mine");
    expect(await failure(cbor.encode(throwing(own)))).toBe(own);
  });

  it("does not overwrite an earlier result", async () => {
    const first = await cbor.encode({ a: "first" });
    const copy = Buffer.from(first).toString("hex");
    await cbor.encode({ a: "other" });
    expect(Buffer.from(first).toString("hex")).toBe(copy);
  });

  it("ALT19: tags both a watch event and its object", async () => {
    const object = { kind: "A", apiVersion: "v1" };
    const event = await cbor.encodeWatchEvent({ type: "ADDED", object });
    const inner = Buffer.from(await cbor.encode(object));
    expect(inner.subarray(0, 3).toString("hex")).toBe(selfDescribed);
    const outer = Buffer.from([0xd9, 0xd9, 0xf7, 0xa2, 0x44, ..."type".split("").map(codeOf)]);
    const rest = Buffer.concat([Buffer.from("EADDED"), Buffer.from("Fobject"), inner]);
    expect(Buffer.from(event).toString("hex")).toBe(Buffer.concat([outer, rest]).toString("hex"));
  });
});

function codeOf(character: string): number {
  return character.charCodeAt(0);
}

describe.runIf(hasCorpus)("golden objects through CBOR", () => {
  it.each(["v1.37.1", "v1.34.0"])("ALT17: every kind of %s round-trips", async (release) => {
    let equal = 0;
    for (const { name, json: bytes } of hasCorpus ? goldenObjects(release) : []) {
      const object = await json.decode(bytes);
      const encoded = await cbor.encode(object);
      deepStrictEqual(await cbor.decode(encoded), object, name);
      const without = { managedFields: false };
      deepStrictEqual(await cbor.decode(encoded, without), await json.decode(bytes, without), name);
      deepStrictEqual(await cbor.encode(await cbor.decode(encoded)), encoded, name);
      equal++;
    }
    console.log(`golden ${release} through CBOR: ${equal} equal`);
    expect(equal).toBeGreaterThan(0);
  });
});

// cbor-x cannot read Kubernetes' maps as objects (their keys are byte strings), so it reads them as Map here. It writes
// text strings, and integers above 2^32 as floats. It reads all 64-bit integers as bigint.
const reader = new Decoder({ mapsAsObjects: false, useRecords: false });
const writer = new Encoder({ useRecords: false });

function fromCborX(value: unknown): unknown {
  if (value instanceof Map) {
    return Object.fromEntries(
      [...value].map(([key, field]) => [fromCborX(key) as string, fromCborX(field)]),
    );
  }
  if (value instanceof Uint8Array) {
    return Buffer.from(value).toString();
  }
  if (typeof value === "bigint" && Number.isSafeInteger(Number(value))) {
    return Number(value);
  }
  return Array.isArray(value) ? value.map(fromCborX) : value;
}

/** Returns a random value of any JSON type. */
function anyValue(random: () => number, depth: number): unknown {
  const choice = Math.floor(random() * (depth > 0 ? 10 : 7));
  const text = () =>
    Array.from(
      { length: Math.floor(random() * 40) },
      () => "aZ09-./ü€😀"[Math.floor(random() * 9)],
    ).join("");
  switch (choice) {
    case 0:
      return random() < 0.5;
    case 1:
      return null;
    case 2:
      return Math.floor(random() * 300) - 150;
    case 3:
      return Math.floor((random() - 0.5) * 2 ** 53);
    case 4:
      return (random() - 0.5) * 10 ** Math.floor(random() * 35 - 20);
    case 5:
    case 6:
      return text().replace(/[\ud800-\udfff]/g, "");
    case 7:
      return Array.from({ length: Math.floor(random() * 30) }, () => anyValue(random, depth - 1));
    default:
      return Object.fromEntries(
        Array.from({ length: Math.floor(random() * 30) }, (_, i) => [
          `${text().replace(/[\ud800-\udfff]/g, "")}${i}`,
          anyValue(random, depth - 1),
        ]),
      );
  }
}

describe("interoperability with cbor-x", () => {
  it("each decodes what the other encoded", async () => {
    const random = seededRandom(7);
    for (let i = 0; i < 800; i++) {
      const value = anyValue(random, 3);
      const ours = await cbor.encode(value);
      deepStrictEqual(fromCborX(reader.decode(ours.subarray(3))), value);
      deepStrictEqual(await cbor.decode(writer.encode(value)), value);
      deepStrictEqual(await cbor.decode(ours), value);
    }
  });

  it.runIf(hasCorpus)("each decodes the other's golden objects", async () => {
    let equal = 0;
    for (const { name, json: bytes } of hasCorpus ? goldenObjects("v1.37.1") : []) {
      const object = await json.decode(bytes);
      const ours = await cbor.encode(object);
      deepStrictEqual(fromCborX(reader.decode(ours.subarray(3))), object, name);
      deepStrictEqual(await cbor.decode(writer.encode(object)), object, name);
      equal++;
    }
    console.log(`golden v1.37.1 beside cbor-x: ${equal} equal both ways`);
    expect(equal).toBeGreaterThan(0);
  });
});
