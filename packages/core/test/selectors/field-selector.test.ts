import { formatFieldSelector, parseFieldSelector } from "@typekube/core";
import { thrown } from "@typekube/test-support/failure";
import { seededRandom } from "@typekube/test-support/seeded-random";
import { describe, expect, it } from "vitest";

describe("field selectors", () => {
  it.each([
    ["", []],
    [" , ", []],
    ["a=b", [["a", "=", "b"]]],
    ["a==b", [["a", "=", "b"]]],
    ["a!=b", [["a", "!=", "b"]]],
    ["a=", [["a", "=", ""]]],
    [
      "metadata.name=x,status.phase!=Running",
      [
        ["metadata.name", "=", "x"],
        ["status.phase", "!=", "Running"],
      ],
    ],
    [" a =b", [["a", "=", "b"]]],
    ["a= b ", [["a", "=", " b "]]],
    ["a=x\\,y\\=z\\\\", [["a", "=", "x,y=z\\"]]],
  ])("parses the field selector %j", (text, expected) => {
    const parsed = parseFieldSelector(text).map(({ field, operator, value }) => [
      field,
      operator,
      value,
    ]);
    expect(parsed).toEqual(expected);
  });

  it.each([
    ["a", "a"],
    ["ok=1,b", "b"],
    ["=b", "=b"],
    ["!a", "!a"],
    ["a=b=c", "a=b=c"],
    ["a=b\\", "a=b\\"],
    ["a=b\\c", "a=b\\c"],
    ["a>1", "a>1"],
  ])("the error for %j names the invalid part", async (text, part) => {
    const error = await thrown(() => parseFieldSelector(text));
    expect(error.code).toBe("InvalidArgument");
    expect(error.message).toContain(`"${part}"`);
  });

  it("formats with escapes, in a fixed order", () => {
    expect(formatFieldSelector("any=text")).toBe("any=text");
    expect(formatFieldSelector({})).toBe("");
    expect(formatFieldSelector({ b: "x,y", a: "p=q\\" })).toBe("a=p\\=q\\\\,b=x\\,y");
  });

  it("parses a formatted selector back to the same fields and values", () => {
    const random = seededRandom(11);
    const alphabet = ["a", ",", "=", "\\", "!", " ", "€", "\n"];
    for (let i = 0; i < 1000; i++) {
      const length = Math.floor(random() * 6);
      const value = Array.from(
        { length },
        () => alphabet[Math.floor(random() * alphabet.length)],
      ).join("");
      expect(parseFieldSelector(formatFieldSelector({ f: value, g: value }))).toEqual([
        { field: "f", operator: "=", value },
        { field: "g", operator: "=", value },
      ]);
    }
  });
});
