import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { stringsLibrary0, stringsLibrary2 } from "../../src/libraries/strings/strings-library.js";
import { ArrayList } from "../../src/values/cel-list.js";
import type { CelValue } from "../../src/values/cel-value.js";
import { call, costOfCall, plain } from "./call.js";

function run(name: string, ...args: CelValue[]): unknown {
  return plain(call(stringsLibrary2, name, ...args));
}

const outOf = (index: number | bigint) => ({ error: `index out of range: ${index}` });
const names = (library: typeof stringsLibrary0) => library.functions.map(({ name }) => name).sort();

describe("functions of strings", () => {
  test("CEL5: version 0 has ten functions, version 2 also format and strings.quote", () => {
    const first = [
      "charAt",
      "indexOf",
      "join",
      "lastIndexOf",
      "lowerAscii",
      "replace",
      "split",
      "substring",
      "trim",
      "upperAscii",
    ];
    assert.deepEqual(names(stringsLibrary0), first);
    assert.deepEqual(names(stringsLibrary2), [...first, "format", "strings.quote"].sort());
  });

  test.each<[CelValue[], unknown]>([
    [["tacocat", 3], "o"],
    [["tacocat", 7], ""],
    [["©αT", 0], "©"],
    [["h😀x", 1], "😀"],
    [["h😀x", 2], "x"],
    [["h😀x", 3], ""],
    [["h😀x", 4], outOf(4)],
    [["tacocat", 30], outOf(30)],
    [["tacocat", -1], outOf(-1)],
    [["tacocat", 2n ** 62n], outOf(2n ** 62n)],
  ])("VK17: charAt%o counts code points", (args, expected) => {
    assert.deepEqual(run("charAt", ...args), expected);
  });

  test.each<[string, CelValue[], unknown]>([
    ["indexOf", ["tacocat", ""], 0],
    ["indexOf", ["tacocat", "ac"], 1],
    ["indexOf", ["tacocat", "none"], -1],
    ["indexOf", ["tacocat", "", 3], 3],
    ["indexOf", ["tacocat", "", 7], 7],
    ["indexOf", ["tacocat", "", 99], 7],
    ["indexOf", ["tacocat", "a", 3], 5],
    ["indexOf", ["tacocat", "t", 6], 6],
    ["indexOf", ["tacocat", "t", 7], -1],
    ["indexOf", ["tacocat", "t", 2n ** 62n], -1],
    ["indexOf", ["tacocat", "a", -1], outOf(-1)],
    ["indexOf", ["ta©o©αT", "©α"], 4],
    ["indexOf", ["h😀x", "x"], 2],
    ["indexOf", ["h😀x😀", "😀", 2], 3],
    ["indexOf", ["", "a"], -1],
    ["indexOf", ["", "", 0], 0],
    ["lastIndexOf", ["tacocat", ""], 7],
    ["lastIndexOf", ["tacocat", "at"], 5],
    ["lastIndexOf", ["tacocat", "none"], -1],
    ["lastIndexOf", ["tacocat", "", 3], 3],
    ["lastIndexOf", ["tacocat", "", 99], 7],
    ["lastIndexOf", ["tacocat", "a", 3], 1],
    ["lastIndexOf", ["tacocat", "a", 0], -1],
    ["lastIndexOf", ["tacocat", "at", 6], 5],
    ["lastIndexOf", ["tacocat", "t", 7], -1],
    ["lastIndexOf", ["tacocat", "a", -1], outOf(-1)],
    ["lastIndexOf", ["h😀x😀x", "x"], 4],
    ["lastIndexOf", ["h😀x😀x", "x", 3], 2],
    ["lastIndexOf", ["ab", "abc", 1], -1],
    ["lastIndexOf", ["", "a"], -1],
  ])("VK2: %s%o counts code points and takes offsets beyond the end", (name, args, expected) => {
    assert.deepEqual(run(name, ...args), expected);
  });

  test.each<[CelValue[], unknown]>([
    [["tacocat", 4], "cat"],
    [["tacocat", 7], ""],
    [["tacocat", 8], outOf(8)],
    [["tacocat", -1], outOf(-1)],
    [["tacocat", 0, 4], "taco"],
    [["tacocat", 4, 4], ""],
    [["h😀x", 1, 2], "😀"],
    [["h😀x", 2], "x"],
    [["tacocat", 40, 50], outOf(40)],
    [["tacocat", -1, 5], outOf(-1)],
    [["tacocat", 1, 50], outOf(50)],
    [["tacocat", 49, 1], { error: "invalid substring range. start: 49, end: 1" }],
  ])("VK17: substring%o checks its bounds", (args, expected) => {
    assert.deepEqual(run("substring", ...args), expected);
  });

  test.each<[CelValue[], unknown]>([
    [["12 days 12 hours", "{0}", "2"], "12 days 12 hours"],
    [["{0} days {0} hours", "{0}", "2"], "2 days 2 hours"],
    [["{0} days {0} hours", "{0}", "2", 1], "2 days {0} hours"],
    [["1 ©αT taco", "αT", "o©α"], "1 ©o©α taco"],
    [["abab", "ab", "$&", -1], "$&$&"],
    [["abab", "ab", "x", 0], "abab"],
    [["abc", "", "-"], "-a-b-c-"],
    [["abc", "", "-", 2], "-a-bc"],
    [["h😀", "", "-"], "-h-😀-"],
    [["", "", "-"], "-"],
  ])("VK17: replace%o replaces all or the first n", (args, expected) => {
    assert.deepEqual(run("replace", ...args), expected);
  });

  test.each<[CelValue[], unknown]>([
    [
      ["hello world", " "],
      ["hello", "world"],
    ],
    [["hello world events!", " ", 0], []],
    [["hello world events!", " ", 1], ["hello world events!"]],
    [
      ["hello world events!", " ", 2],
      ["hello", "world events!"],
    ],
    [
      ["a,b", ",", 9],
      ["a", "b"],
    ],
    [
      ["o©o©o©o", "©", -1],
      ["o", "o", "o", "o"],
    ],
    [
      ["h😀x", ""],
      ["h", "😀", "x"],
    ],
    [
      ["h😀x", "", 2],
      ["h", "😀x"],
    ],
    [["", ","], [""]],
    [["", ""], []],
    [["", "", 1], []],
  ])("VK17: split%o keeps the rest in the last part", (args, expected) => {
    assert.deepEqual(run("split", ...args), expected);
  });

  test("VK17: lowerAscii and upperAscii leave other letters", () => {
    assert.deepEqual(run("lowerAscii", "TacoCÆt Xii É"), "tacocÆt xii É");
    assert.deepEqual(run("upperAscii", "tacoCæt Xii é"), "TACOCæT XII é");
  });

  test("VK17: trim removes the white space of Unicode", () => {
    const blanks = "\t\n\v\f\r \u0085\u00a0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000";
    assert.deepEqual(run("trim", `${blanks}x y${blanks}`), "x y");
    assert.deepEqual(run("trim", "\ufeffx\u200b\u180e"), "\ufeffx\u200b\u180e");
    assert.deepEqual(run("trim", blanks), "");
  });

  test("VK17: trim takes linear time", () => {
    assert.equal(run("trim", `x${" ".repeat(500_000)}x`), `x${" ".repeat(500_000)}x`);
  });

  test("VK17: join takes strings only", () => {
    const words = new ArrayList(["x", "y"]);
    assert.deepEqual(run("join", words), "xy");
    assert.deepEqual(run("join", words, "-"), "x-y");
    assert.deepEqual(run("join", new ArrayList([]), "-"), "");
    const invalid = (value: CelValue) => run("join", new ArrayList(["x", value]), "-");
    assert.deepEqual(invalid(1), { error: "join: invalid input: 1" });
    assert.deepEqual(invalid(true), { error: "join: invalid input: true" });
  });

  test.each([
    ['first\nsecond "x" \\', '"first\\nsecond \\"x\\" \\\\"'],
    ["\u0007\b\f\r\t\v", '"\\a\\b\\f\\r\\t\\v"'],
    ["é😀\u0001", '"é😀\u0001"'],
    ["a\ud83d", '"a\ufffd"'],
    ["", '""'],
  ])("VK17: strings.quote(%o) escapes what a literal must", (text, expected) => {
    assert.deepEqual(run("strings.quote", text), expected);
  });
});

describe("costs of functions of strings", () => {
  test.each<[string, CelValue[], number]>([
    ["charAt", ["a".repeat(100), 3], 1],
    ["lowerAscii", ["ABCDEFGHIJ abcdefghij"], 3],
    ["substring", ["abc 123 def 123", 5, 8], 2],
    ["trim", [" abc "], 1],
    ["replace", ["abc 123 def 123", "123", "456"], 3],
    ["split", ["abc 123 def 123", " "], 3],
    ["join", [new ArrayList(["aa", "bb", "cc", "d", "e", "f", "g", "h"]), " "], 4],
    ["strings.quote", ["a".repeat(21)], 3],
    ["format", ["a".repeat(21), new ArrayList([])], 3],
    // Counted by bytes and rounded down.
    ["indexOf", ["é".repeat(10), "x"], 2],
    ["lastIndexOf", ["abc", "x"], 0],
  ])("VC1: %s%o costs as in Kubernetes", (name, args, expected) => {
    assert.equal(costOfCall(stringsLibrary2, name, ...args), expected);
  });
});
