import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { compileRe2 } from "../../src/re2/index.js";

function findAll(pattern: string, text: string, limit = -1): readonly string[] {
  const compiled = compileRe2(pattern);
  assert.ok(!("problem" in compiled));
  const matches = compiled.findAll(text, limit);
  assert.equal(compiled.find(text), compiled.findAll(text, 1)[0]);
  return matches;
}

const engineOf = (pattern: string) => {
  const compiled = compileRe2(pattern);
  return "problem" in compiled ? compiled.problem : compiled.engine;
};

describe("finding what a pattern matches", () => {
  test.each<[engine: string, pattern: string, text: string, string[]]>([
    ["RegExp", "[a-z]{2}", "abcde1fg", ["ab", "cd", "fg"]],
    ["RegExp", "a|ab", "ab", ["a"]],
    ["RegExp", "ab|a", "aba", ["ab", "a"]],
    ["RegExp", "^ab?", "abab", ["ab"]],
    ["RegExp", "^ab??", "ab", ["a"]],
    ["RegExp", "x[ab]{1,2}?", "xab", ["xa"]],
    ["RegExp", "b$", "bb", ["b"]],
    ["RegExp", "", "é😀", ["", "", ""]],
    ["RegExp", "^", "ab", [""]],
    ["RegExp", "(?:x|)y?", "xyyz", ["xy", "y", ""]],
    ["re2js", "a*", "baaac", ["", "aaa", ""]],
    ["re2js", "a*?", "aa", ["", "", ""]],
    ["re2js", "(?i)É", "éÉ", ["é", "É"]],
    ["re2js", "\\b", "ab c", ["", "", "", ""]],
    ["re2js", "(?m)^.", "ab\ncd", ["a", "c"]],
    ["re2js", "\\pL+", "aé1😀b", ["aé", "b"]],
    ["re2js", "^(?i)a", "aa", ["a"]],
  ])("VK4: %s finds %j in %j", (engine, pattern, text, expected) => {
    assert.deepEqual(findAll(pattern, text), expected);
    assert.equal(engineOf(pattern), engine);
  });

  test("VK4: a limit ends the search", () => {
    assert.deepEqual(findAll("[0-9]", "1 2 3", 2), ["1", "2"]);
    assert.deepEqual(findAll("[0-9]", "1 2 3", 0), []);
    assert.deepEqual(findAll("\\d\\b", "1 2 3", 2), ["1", "2"]);
  });

  test("VK4: a lone surrogate is found as U+FFFD", () => {
    assert.deepEqual(findAll(".", "\ud83dx"), ["\ufffd", "x"]);
    assert.deepEqual(findAll("(?s).", "\ud83dx"), ["\ufffd", "x"]);
  });

  test("VK6: a proven pattern finds 200,000 matches in linear time", () => {
    assert.equal(findAll("[a-z],", "a,".repeat(200_000)).length, 200_000);
    assert.equal(engineOf("[a-z],"), "RegExp");
  });
});
