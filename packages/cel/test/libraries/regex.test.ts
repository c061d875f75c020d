import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { regexLibrary } from "../../src/libraries/regex/regex-library.js";
import { stringType } from "../../src/values/cel-type.js";
import type { CelValue } from "../../src/values/cel-value.js";
import { call, costOfCall, overloadFor, plain } from "./call.js";
import { ends, estimatedValue } from "./estimated.js";

function run(name: string, ...args: CelValue[]): unknown {
  return plain(call(regexLibrary, name, ...args));
}

describe("functions of regular expressions", () => {
  test.each([
    ["abc 123", "[0-9]+", "123"],
    ["abc 123", "[0-9]*", ""],
    ["abc 123", "xyz", ""],
    ["abc 123", "b(c) (1)", "bc 1"],
    ["aab", "a+?", "a"],
    ["xéx", "\\w\\W\\w", "xéx"],
  ])("VK4: find in %o of %o is the whole match", (text, pattern, expected) => {
    assert.equal(run("find", text, pattern), expected);
  });

  test.each<[CelValue[], readonly string[]]>([
    [
      ["123 abc 456", "[0-9]+"],
      ["123", "456"],
    ],
    [["123 abc 456", "[0-9]+", 1], ["123"]],
    [["123 abc 456", "[0-9]+", 0], []],
    [
      ["123 abc 456", "[0-9]+", -1],
      ["123", "456"],
    ],
    [
      ["123 abc 456", "[0-9]+", 2n ** 62n],
      ["123", "456"],
    ],
    [["123 abc 456", "xyz"], []],
    [
      ["baaac", "a*"],
      ["", "aaa", ""],
    ],
    [
      ["😀a", ""],
      ["", "", ""],
    ],
    [
      ["aXbX", "(?:a|b)(X)"],
      ["aX", "bX"],
    ],
    [["aaa", "^a"], ["a"]],
  ])("VK4: findAll%o", (args, expected) => {
    assert.deepEqual(run("findAll", ...args), expected);
  });

  test.each([
    ["(?=a)", "invalid or unsupported Perl syntax: `(?=`"],
    ["(a)\\1", "invalid escape sequence: `\\1`"],
    ["a++", "invalid nested repetition operator: `++`"],
  ])("VK5: %s is not RE2", (pattern, problem) => {
    const error = `Illegal regex: error parsing regexp: ${problem}`;
    assert.deepEqual(run("find", "a", pattern), { error });
    assert.deepEqual(run("findAll", "a", pattern), { error });
  });

  test("VC1: costs are those of the text times those of the pattern", () => {
    assert.equal(costOfCall(regexLibrary, "find", "abc 123", "[0-9]*"), 2);
    assert.equal(costOfCall(regexLibrary, "findAll", "a".repeat(100), "[0-9]+ "), 22);
    assert.equal(costOfCall(regexLibrary, "findAll", "", "", -1), 0);
    const { costs } = overloadFor(regexLibrary, "find", ["a", "b"]);
    const estimate = costs.estimate?.({
      target: estimatedValue(stringType, [0, 99]),
      args: [estimatedValue(stringType, [6, 6])],
    });
    assert.deepEqual(ends(estimate?.cost), [2n, 20n]);
    assert.deepEqual(ends(estimate?.resultSize), [0n, 99n]);
  });
});
