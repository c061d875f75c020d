import { deepStrictEqual } from "node:assert/strict";
import { codecs } from "@typekube/core/internal";
import { failure } from "@typekube/test-support/failure";
import { describe, expect, it } from "vitest";
import { bytesItem, itemOf, mapItem } from "../../helpers/cbor-items.js";

const { cbor } = codecs;
const decode = (bytes: Uint8Array) => cbor.decode(bytes);

describe("N19: CBOR keys with a special meaning in JavaScript", () => {
  it("are ordinary data, however often they occur", async () => {
    const labels = mapItem(
      ["__proto__", bytesItem("x")],
      ["constructor", bytesItem("y")],
      ["toString", bytesItem("z")],
    );
    // From the third time on, other maps would come from a remembered shape.
    for (let i = 0; i < 5; i++) {
      const read = (await decode(labels)) as Record<string, unknown>;
      expect(Object.keys(read).sort()).toEqual(["__proto__", "constructor", "toString"]);
      expect(Object.getOwnPropertyDescriptor(read, "__proto__")?.value).toBe("x");
      expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
    }
    const polluter = mapItem(["__proto__", mapItem(["polluted", Buffer.from([0xf5])])]);
    for (let i = 0; i < 5; i++) {
      expect(((await decode(polluter)) as { polluted?: unknown }).polluted).toBeUndefined();
    }
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it("numeric, empty and very long keys are read", async () => {
    const keys = ["10", "9", "", "01", "x".repeat(65), "y".repeat(300), "ü", "length"];
    const object = Object.fromEntries(keys.map((key, i) => [key, i]));
    for (let i = 0; i < 4; i++) {
      const rotated = [...keys.slice(i), ...keys.slice(0, i)];
      deepStrictEqual(await decode(itemOf(object, () => rotated)), object);
    }
  });
});

describe("the order of keys on the wire", () => {
  const object = { kind: "A", apiVersion: "b", metadata: { name: "c" }, spec: { x: 1 }, status: 2 };

  it("does not matter: objects get one order, so that they share V8's hidden class", async () => {
    const orders = new Set<string>();
    for (let i = 0; i < 25; i++) {
      const rotate = (keys: string[]) => {
        const at = i % keys.length;
        return [...keys.slice(at), ...keys.slice(0, at)];
      };
      const read = await decode(
        itemOf(object, i % 2 === 0 ? rotate : (keys) => rotate(keys).reverse()),
      );
      deepStrictEqual(read, object);
      orders.add(Object.keys(read as object).join());
    }
    expect([...orders]).toEqual(["kind,apiVersion,metadata,spec,status"]);
  });

  it("a duplicate key is detected in a known set of keys", async () => {
    for (let i = 0; i < 4; i++) {
      await decode(mapItem(["p", bytesItem("1")], ["q", bytesItem("2")]));
    }
    const twice = mapItem(["p", bytesItem("1")], ["p", bytesItem("2")]);
    for (let i = 0; i < 4; i++) {
      expect((await failure(decode(twice))).code).toBe("Decode");
    }
  });

  it("reads more sets of keys than are remembered, and maps of every size", async () => {
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < 3000; i++) {
        const fields = Array.from({ length: i % 40 }, (_, j) => [`k${(i * 7 + j * 13) % 997}`, j]);
        const map = Object.fromEntries(fields) as Record<string, number>;
        deepStrictEqual(await decode(itemOf(map, (keys) => keys.reverse())), map);
      }
    }
  });
});
