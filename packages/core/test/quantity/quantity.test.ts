import { KubeError, microTime, type QuantityValue, quantity } from "@typekube/core";
import { describe, expect, it } from "vitest";

describe("quantities", () => {
  it.each([
    ["1024Mi", "1Gi"],
    ["0.1", "100m"],
    ["1.5Gi", "1536Mi"],
    [2, "2"],
    [5n, "5"],
    ["-500m", "-500m"],
    ["0", "0"],
  ] as const)("formats the quantity %s as %s", (value, text) => {
    expect(quantity.format(value)).toBe(text);
  });

  it("adds and subtracts exactly, with the suffixes of the first value that is not 0", () => {
    expect(quantity.add("500m", "1")).toBe("1500m");
    expect(quantity.add("0.1", "0.2")).toBe("300m");
    expect(quantity.add("1Gi", "512Mi")).toBe("1536Mi");
    expect(quantity.add(0, "1Gi", "1Gi")).toBe("2Gi");
    expect(quantity.add()).toBe("0");
    expect(quantity.subtract("1", "1500m")).toBe("-500m");
    expect(quantity.subtract("1Gi", "1Gi")).toBe("0");
  });

  it("multiplies, rounded away from zero to the nano unit", () => {
    expect(quantity.multiply("250m", 3)).toBe("750m");
    expect(quantity.multiply("1Gi", 1.5)).toBe("1536Mi");
    expect(quantity.multiply("1n", "500m")).toBe("1n");
    expect(quantity.multiply("-1n", "500m")).toBe("-1n");
  });

  it("compares across suffixes, and sorts", () => {
    expect(quantity.compare("1Gi", "1024Mi")).toBe(0);
    expect(quantity.compare("1G", "1Gi")).toBeLessThan(0);
    expect(["1Gi", "1k", "900m", "1M"].sort(quantity.compare)).toEqual(["900m", "1k", "1M", "1Gi"]);
  });

  it("converts to a number, and to whole units rounded away from zero", () => {
    expect(quantity.toNumber("100m")).toBe(0.1);
    expect(quantity.toNumber("-1500m")).toBe(-1.5);
    expect(quantity.toNumber("16Ei") > 9e18).toBe(true);
    expect(quantity.toBigInt("1.5")).toBe(2n);
    expect(quantity.toBigInt("-1.5")).toBe(-2n);
    expect(quantity.toBigInt("1Gi")).toBe(1_073_741_824n);
  });

  it.each(["", "x", "1x", "1e1001", "1e9999999", "9".repeat(1_001), null, {}, "1 Gi"])(
    "rejects %j and explains why",
    (value) => {
      expect(quantity.isValid(value)).toBe(false);
      expect(() => quantity.add(value as QuantityValue)).toThrow(KubeError);
      expect(() => quantity.add(value as QuantityValue)).toThrow(/is not a quantity: /);
    },
  );
});

it("MicroTime has six fractional digits in UTC", () => {
  expect(microTime(new Date("2026-01-01T02:00:00.123+02:00"))).toBe("2026-01-01T00:00:00.123000Z");
  expect(microTime(1_767_225_600_123.456)).toBe("2026-01-01T00:00:00.123456Z");
  expect(microTime(undefined, { now: () => 0, schedule: () => () => {} })).toBe(
    "1970-01-01T00:00:00.000000Z",
  );
});
