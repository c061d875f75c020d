import { codecs } from "@typekube/core/internal";
import { describe, expect, it } from "vitest";

const { json, yaml, cbor, protobuf } = codecs;

const definition = (schema: object) => ({
  kind: "CustomResourceDefinition",
  apiVersion: "apiextensions.k8s.io/v1",
  metadata: { name: "a" },
  spec: {
    group: "g.io",
    names: { plural: "a", kind: "A" },
    scope: "Namespaced",
    versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } }],
  },
});

function schemaOf(value: unknown): object {
  const { spec } = value as ReturnType<typeof definition>;
  return spec.versions[0]?.schema.openAPIV3Schema ?? {};
}

/** Encodes a float in CBOR as its head and eight bytes, without the shortening that encoders apply. */
function float64(value: number): Buffer {
  const bytes = Buffer.alloc(9, 0xfb);
  bytes.writeDoubleBE(value, 1);
  return bytes;
}

describe("ALT1, N21: a whole number beyond 2^53 is the same in every encoding", () => {
  // The float, its text in a real server's JSON, and the decoded value.
  it.each([
    [2 ** 63, "9223372036854776000", 2 ** 63],
    [-(2 ** 63), "-9223372036854776000", -(2 ** 63)],
    [1e20, "100000000000000000000", 1e20],
    [2 ** 60, "1152921504606847000", 1_152_921_504_606_847_000n],
    [-(2 ** 53), "-9007199254740992", -9_007_199_254_740_992n],
    [1e21, "1e+21", 1e21],
    [2 ** 53 - 1, "9007199254740991", 2 ** 53 - 1],
    [0.1, "0.1", 0.1],
  ])("the float %d decodes to the same value in every encoding", async (float, text, expected) => {
    const bytes = Buffer.from(JSON.stringify(definition({ maximum: "?" })).replace('"?"', text));
    const fromJson = await json.decode(bytes);
    expect(schemaOf(fromJson)).toEqual({ maximum: expected });
    expect(await yaml.decode(bytes)).toEqual(fromJson);
    expect(await cbor.decode(float64(float))).toEqual(expected);
    const inProtobuf = await protobuf.encode(definition({ maximum: float }));
    expect(schemaOf(await protobuf.decode(inProtobuf))).toEqual({ maximum: expected });
  });

  it("can be written in every encoding after it was read from JSON", async () => {
    for (const maximum of [2 ** 63, 1e20, -1e20, 2 ** 60, -(2 ** 53), 1e21]) {
      const read = await json.decode(await json.encode(definition({ maximum })));
      for (const codec of [json, yaml, cbor, protobuf]) {
        expect(schemaOf(await codec.decode(await codec.encode(read))), codec.name).toEqual(
          schemaOf(read),
        );
      }
    }
  });

  it("keeps all digits that no float has", async () => {
    for (const digits of [
      "18446744073709551615",
      "-9223372036854775809",
      "100000000000000000001",
    ]) {
      const text = Buffer.from(`{"n":${digits}}`);
      expect(await json.decode(text)).toEqual({ n: BigInt(digits) });
      expect(await yaml.decode(Buffer.from(`"n": ${digits}`))).toEqual({ n: BigInt(digits) });
    }
  });
});
