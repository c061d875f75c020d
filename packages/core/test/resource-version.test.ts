import {
  compareResourceVersions,
  isComparableResourceVersion,
  resourceVersionOrder,
} from "@typekube/core";
import { thrown } from "@typekube/test-support/failure";
import { describe, expect, it } from "vitest";

describe("RV3, N35: resourceVersions by age", () => {
  it.each([
    ["1", "1", 0],
    ["9", "10", -1],
    ["123", "23", 1],
    ["9007199254740993", "9007199254740992", 1],
    ["18446744073709551616", "18446744073709551615", 1],
    [`1${"0".repeat(39)}`, "9".repeat(39), 1],
    [`1${"0".repeat(38)}0`, `1${"0".repeat(38)}1`, -1],
    ["9".repeat(40), "9".repeat(40), 0],
  ])("compares the resourceVersions %s and %s by their value", (a, b, sign) => {
    expect(Math.sign(compareResourceVersions(a, b))).toBe(sign);
    expect(Math.sign(compareResourceVersions(b, a))).toBe(-sign + 0);
    expect(resourceVersionOrder(a, b)).toBe(compareResourceVersions(a, b));
  });

  it.each([
    "",
    "0",
    "00",
    "0123",
    "-1",
    "+1",
    "1.0",
    "1e3",
    " 1",
    "1 ",
    "1\n",
    "abc",
    "a1b2",
    "१",
    "0x1",
  ])("RV4: %j is not a comparable resourceVersion", async (version) => {
    expect(isComparableResourceVersion(version)).toBe(false);
    expect(resourceVersionOrder(version, "1")).toBeUndefined();
    expect(resourceVersionOrder("1", version)).toBeUndefined();
    for (const compare of [
      () => compareResourceVersions(version, "1"),
      () => compareResourceVersions("1", version),
      () => compareResourceVersions(version, version),
    ]) {
      const error = await thrown(compare);
      expect(error.code).toBe("InvalidArgument");
      expect(error.message).toContain(`"${version}"`);
    }
  });

  it("an absent resourceVersion is not comparable", () => {
    expect(isComparableResourceVersion(undefined)).toBe(false);
    expect(isComparableResourceVersion("1")).toBe(true);
  });
});
