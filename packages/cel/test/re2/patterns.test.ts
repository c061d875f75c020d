import { describe, expect, test } from "vitest";
import { compileRe2 } from "../../src/re2/index.js";

/** Expected matches were recorded with go1.26; test/black-box/go-regexp compares random patterns. */
const meanings: readonly (readonly [pattern: string, matched: string[], others: string[]])[] = [
  ["^(?i)x", ["X", "xy"], ["ax"]],
  ["(?i)^abc$", ["ABC"], ["abcd"]],
  ["(?i:a)b", ["Ab", "ab"], ["aB"]],
  ["(?i)k", ["K", "\u212a"], ["l"]],
  ["a(?s:.)b.c", ["a\nbxc"], ["a\nb\nc"]],
  ["(?m)^b$", ["a\nb\nc"], ["ab"]],
  ["\\Aabc\\z", ["abc"], ["abc\n", "xabc"]],
  ["^a$", ["a"], ["a\n", "a\nb"]],
  ["^.$", ["é", "😀", "\r", "\u2028"], ["\n", "ab"]],
  ["^[^a]$", ["😀", "\n"], ["a", "bb"]],
  ["^[😀-😃]$", ["😁"], ["\ud83d", "😄"]],
  ["^[[:alpha:]]+$", ["abC"], ["ab1", ":alph:"]],
  ["^\\pL+$", ["aéß漢"], ["a1", "_"]],
  ["^\\p{Greek}$", ["α"], ["a"]],
  ["^\\PC*$", ["aé😀"], ["a\u0007"]],
  ["^\\Qa.b*\\E$", ["a.b*"], ["axb", "Qa.bE"]],
  ["^\\w\\d\\s$", ["a1 "], ["é1 ", "a١ ", "a1\u00a0", "a1\u000b"]],
  ["^\\x41\\x{1F600}$", ["A😀"], ["x41"]],
  ["^[-a-z0-9_.]{2,3}$", ["a-", "..."], ["a", "abcd"]],
  ["^a{,2}$", ["a{,2}"], ["a", "aa"]],
  ["^[]a]$", ["]", "a"], ["b"]],
  ["^[[:]$", ["[", ":"], ["a"]],
  ["^[a[:]]$", ["a]", "[]", ":]"], ["a"]],
  ["(?P<n>a)(?P<n>b)", ["ab"], ["ac"]],
  ["[(?P<n>](?P<n>b)\\Q(?P<n>\\E", ["<b(?P<n>"], ["b"]],
];

describe("patterns of schemas", () => {
  test.each(meanings)("ES14: the pattern %s matches as in Go", (pattern, matched, others) => {
    const compiled = compileRe2(pattern);
    const test = (text: string) => "problem" in compiled || compiled.test(text);
    expect([matched.filter(test), others.filter(test)]).toEqual([matched, []]);
  });

  test.each([
    ["(?=a)", "invalid or unsupported Perl syntax: `(?=`"],
    ["(?<!a)", "invalid named capture: `(?<!a)`"],
    ["(a)\\1", "invalid escape sequence: `\\1`"],
    ["\\u0041", "invalid escape sequence: `\\u`"],
    ["a**", "invalid nested repetition operator: `**`"],
    ["[[:foo:]]", "invalid character class range: `[:foo:]`"],
    ["[[:[[:", "missing closing ]: `[[:[[:`"],
    ["[[:[:]]", "invalid character class range: `[:[:]`"],
    ["[a-[:b]", "invalid character class range: `a-[`"],
    ["a{1001}", "invalid repeat count: `{1001}`"],
    ["(", "missing closing ): `(`"],
    ["\\", "trailing backslash at end of expression: ``"],
    ["(?P<n>a)(?P<n>b", "missing closing ): `(?P<n>a)(?P<n>b`"],
  ])("ES14: rejects %s with Go's message", (pattern, problem) => {
    expect(compileRe2(pattern)).toEqual({ problem: `error parsing regexp: ${problem}` });
  });

  test.each(["[[:", "[:", "[a-z]", "[[:alpha:"])(
    "ES14: compiles 360 KB of %s in time proportional to the length",
    (piece) => {
      const before = process.cpuUsage();
      const compiled = compileRe2(piece.repeat(360_000 / piece.length));
      // Took 30 to 140 s when each class was searched to the end of the pattern.
      expect(process.cpuUsage(before).user / 1000).toBeLessThan(8_000);
      expect("problem" in compiled).toBe(piece !== "[a-z]");
    },
  );

  test.each([
    // Exponential in a backtracking engine.
    "^([-a-zA-Z0-9_]+[.]?)+$",
    "^(a|a)*$",
    "^(a|ab|b)*$",
    "^((a*)?b?)*$",
    "^(.*a){12}$",
    // The classic example: few texts, but many paths.
    `^${"a?".repeat(25)}${"a".repeat(25)}$`,
    // Polynomial: two loops that can share a run of characters, and a loop that starts at each character.
    "^a*a*$",
    "^.*,.*x$",
    "a+$",
    "^[a-z]*[a-z]*[a-z]*!$",
    // Not expressible in JavaScript with the same meaning.
    "^(?i)x$",
    "^\\pL$",
    "\\bx",
    "^(a*)*$",
  ])("ES14: uses a linear-time engine for %s", (pattern) => {
    expect(compileRe2(pattern)).toMatchObject({ engine: "re2js" });
  });

  test.each([
    "^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$",
    "^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$",
    "^([A-Za-z0-9][-A-Za-z0-9_.]{0,61})?[A-Za-z0-9]$",
    "^(0|[1-9][0-9]{0,3})$",
    "^(?:Always|Never|OnFailure)$",
    "^https?://.*$",
    "^(a|b)*$",
    "foo|bar",
  ])("ES14: proves %s linear and runs it natively", (pattern) => {
    expect(compileRe2(pattern)).toMatchObject({ engine: "RegExp" });
  });

  test("ES14: compiles and matches long texts, nested groups and huge classes", () => {
    const long = "a".repeat(1_000_000);
    for (const pattern of [
      "^(a|b)*$",
      "^([-a-z]+[.]?)+$",
      `^${"(".repeat(60)}a*${")".repeat(60)}$`,
    ]) {
      const compiled = compileRe2(pattern);
      expect("problem" in compiled || compiled.test(`${long}!`)).toBe(false);
    }
    const huge = Array.from({ length: 5_000 }, (_, at) => String.fromCodePoint(0x4e00 + 2 * at));
    expect(compileRe2(`^[${huge.join("")}]+$`)).toMatchObject({ engine: "re2js" });
  });
});
