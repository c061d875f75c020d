import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { celEnv } from "../../src/index.js";

/** An expression, and its value or its mistakes. */
type Row =
  | readonly [source: string, outcome: { readonly value: unknown }]
  | readonly [source: string, outcome: { readonly fails: string }]
  | readonly [source: string, outcome: { readonly refused: readonly string[] }];

/** Expressions by the row of the acceptance list; Kubernetes' own packages have the same outcomes. */
const rows: Readonly<Record<string, readonly Row[]>> = {
  "VL2: string and bytes literals have escapes; surrogates and code points over 10FFFF are refused":
    [
      [String.raw`'\x41\u00e9\U0001F600\101'`, { value: "Aé😀A" }],
      [String.raw`r'\n'`, { value: "\\n" }],
      ["'''a'b'''", { value: "a'b" }],
      [String.raw`b'\xff'`, { value: new Uint8Array([255]) }],
      [String.raw`'\ud800'`, { refused: ["invalid unicode code point"] }],
      [String.raw`'\U00110000'`, { refused: ["invalid unicode code point"] }],
    ],
  "VL3: integer literals are exact up to 64 bits, and refused beyond": [
    ["9223372036854775807", { value: 9223372036854775807n }],
    ["-9223372036854775808", { value: -9223372036854775808n }],
    ["9223372036854775808", { refused: ["invalid int literal"] }],
    ["0xff", { value: 255 }],
    ["-0xff", { value: -255 }],
    ["1u", { value: 1 }],
    ["18446744073709551616u", { refused: ["invalid uint literal"] }],
  ],
  "VL5: an assignment is a syntax error at its sign": [
    ["[1].filter(e, e = 1)", { refused: ["Syntax error: token recognition error at: '='"] }],
  ],
  "VL7: reserved words are no identifiers, but names of fields": [
    ["{'namespace': 1}.namespace", { value: 1 }],
    ["for", { refused: ["reserved identifier: for"] }],
    ["{'for': 1}.for", { value: 1 }],
  ],
  "VL8: names in backticks select keys": [["{'a-b': 1}.`a-b`", { value: 1 }]],
  "VL9: a macro with other arguments is an ordinary call; has() needs a field": [
    ["[1].all(1)", { refused: ["undeclared reference to 'all' (in container '')"] }],
    ["has(1)", { refused: ["invalid argument to has() macro"] }],
  ],
  "VL13: overflows and divisions by zero are errors, which || absorbs": [
    ["9223372036854775807 + 1", { fails: "integer overflow" }],
    ["-9223372036854775808 - 1", { fails: "integer overflow" }],
    ["-(-9223372036854775807 - 1)", { fails: "integer overflow" }],
    ["1 / 0", { fails: "division by zero" }],
    ["1 % 0", { fails: "modulus by zero" }],
    ["0u - 1u", { fails: "unsigned integer overflow" }],
    ["true || 1 / 0 == 1", { value: true }],
  ],
  "VL14: doubles follow IEEE 754, but NaN cannot be ordered": [
    ["1.0 / 0.0 > 0.0", { value: true }],
    ["double('NaN') == double('NaN')", { value: false }],
    ["-0.0 == 0.0", { value: true }],
    ["double('NaN') < 1.0", { fails: "NaN values cannot be ordered" }],
  ],
  "VL15: || and && absorb errors of either side, the conditional does not": [
    ["1 / 0 == 1 || true", { value: true }],
    ["true || 1 / 0 == 1", { value: true }],
    ["1 / 0 == 1 && false", { value: false }],
    ["1 / 0 == 1 ? 1 : 2", { fails: "division by zero" }],
  ],
  "VL16: numbers of different types are equal if they are dyn, and one key of a map": [
    ["1 == 1.0", { refused: ["found no matching overload for '_==_' applied to '(int, double)'"] }],
    ["dyn(1) == dyn(1.0)", { value: true }],
    ["dyn(1u) in [1]", { value: true }],
    ["{1: 'a'}[dyn(1.0)]", { value: "a" }],
  ],
  "VL17: maps are equal in any order, and null equals nothing else": [
    [
      "dyn([1, 2.0]) == dyn([1.0, 2])",
      {
        refused: [
          "expected type 'int' but found 'double'",
          "expected type 'double' but found 'int'",
        ],
      },
    ],
    ["{'a': 1, 'b': 2} == {'b': 2, 'a': 1}", { value: true }],
    ["dyn(null) == dyn(1)", { value: false }],
  ],
  "VL18: sizes, indexes and order of texts count code points": [
    ["size('a😀')", { value: 2 }],
    ["'h😀x'.indexOf('x')", { value: 2 }],
    ["'😀'.substring(1) == ''", { value: true }],
    [String.raw`'\uffff' < '😀'`, { value: true }],
  ],
  "VL19: bytes that are no UTF-8 have no text": [
    [
      String.raw`string(b'\xff')`,
      {
        refused: ["program instantiation failed: invalid UTF-8 in bytes, cannot convert to string"],
      },
    ],
  ],
  "VL20: conversions refuse what Go refuses; those of constants when the expression is compiled": [
    [
      "int(' 1')",
      { refused: ["program instantiation failed: type conversion error from 'string' to 'int'"] },
    ],
    [
      "int(dyn('0x10'))",
      { refused: ["program instantiation failed: type conversion error from 'string' to 'int'"] },
    ],
    ["int(1e19)", { refused: ["program instantiation failed: integer overflow"] }],
    ["uint(-1)", { refused: ["program instantiation failed: unsigned integer overflow"] }],
    [
      "double('1e400')",
      {
        refused: ["program instantiation failed: type conversion error from 'string' to 'double'"],
      },
    ],
    [
      "bool('tRue')",
      { refused: ["program instantiation failed: type conversion error from 'string' to 'bool'"] },
    ],
    ["bool('T')", { value: true }],
    ["string(1.0)", { value: "1" }],
    ["string(1e21)", { value: "1e+21" }],
    ["int(duration('1s'))", { value: 1000000000 }],
  ],
  "VL20a: of equal keys in a map the last one counts": [["{'a': 1, 'a': 2}", { value: { a: 2 } }]],
  "VL21: timestamps have nanoseconds, zones by name and offset, and a range": [
    [
      "timestamp('2023-01-01T00:00:00.123456789Z') == timestamp('2023-01-01T00:00:00.123456788Z')",
      { value: false },
    ],
    ["timestamp('2023-01-01T12:00:00Z').getHours('+01:00')", { value: 13 }],
    ["timestamp('2023-07-01T12:00:00Z').getHours('Europe/Berlin')", { value: 14 }],
    [
      "timestamp('2023-01-01T00:00:00Z').getHours('Nowhere/Nix')",
      { fails: "unknown time zone Nowhere/Nix" },
    ],
    ["timestamp('9999-12-31T23:59:59Z') + duration('1s')", { fails: "timestamp overflow" }],
  ],
  "VL22: durations are read as Go reads them; getters return the whole value": [
    ["duration('1.5h')", { value: "5400s" }],
    ["duration('1h2m3s4ms5us6ns')", { value: "3723.004005006s" }],
    ["duration('90s').getMinutes()", { value: 1 }],
    ["duration('1500ms').getMilliseconds()", { value: 1500 }],
  ],
  "VL23: has() tests the last field only": [
    ["has({'a': {}}.a.b)", { value: false }],
    ["has({}.a.b)", { fails: "no such key: a" }],
    ["has({'k': 1}['k'])", { refused: ["invalid argument to has() macro"] }],
  ],
  "VL25: macros visit each key of a map": [
    ["{'a': 1, 'b': 2}.map(k, k).size()", { value: 2 }],
    ["{'a': 1, 'b': 2}.all(k, k in ['a', 'b'])", { value: true }],
  ],
  "VL26: inner variables hide outer ones, and accumulators have no name": [
    ["[1, 2, 3].map(x, x > 1, x * 2)", { value: [4, 6] }],
    ["[1, 2].all(l, [3].exists(l, l == 3))", { value: true }],
    ["__result__", { refused: ["undeclared reference to '__result__' (in container '')"] }],
  ],
  "VT1: unknown names and wrong arguments are named in Kubernetes' words": [
    ["x", { refused: ["undeclared reference to 'x' (in container '')"] }],
    ["1 + 'a'", { refused: ["found no matching overload for '_+_' applied to '(int, string)'"] }],
    ["size(1, 2)", { refused: ["found no matching overload for 'size' applied to '(int, int)'"] }],
  ],
  "VT2: all mistakes are reported, in the order of the source": [
    [
      "x + y",
      {
        refused: [
          "undeclared reference to 'x' (in container '')",
          "undeclared reference to 'y' (in container '')",
        ],
      },
    ],
  ],
  "VT3: literals are of one type, and both branches of a conditional too": [
    ["[1, 'a']", { refused: ["expected type 'int' but found 'string'"] }],
    [
      "{'a': 1, 2: 'b'}",
      {
        refused: [
          "expected type 'string' but found 'int'",
          "expected type 'int' but found 'string'",
        ],
      },
    ],
    [
      "true ? 1 : 'a'",
      { refused: ["found no matching overload for '_?_:_' applied to '(bool, int, string)'"] },
    ],
  ],
  "VT4: dyn is checked when values are known": [
    ["dyn(1) + dyn('a')", { fails: "no such overload" }],
  ],
  "VT6: constants of durations, times and patterns are checked when the expression is compiled": [
    ["duration('x')", { refused: ["invalid duration argument"] }],
    ["timestamp('x')", { refused: ["invalid timestamp argument"] }],
    ["'a'.matches('(')", { refused: ["invalid matches argument"] }],
    ["'a'.matches('(' + '')", { fails: "error parsing regexp: missing closing ): `(`" }],
  ],
  "CEL4: times are in UTC unless a zone is given": [
    ["timestamp('2023-01-01T23:00:00Z').getHours()", { value: 23 }],
  ],
  "CEL7: numbers of different types can be ordered": [["1 < 1.5", { value: true }]],
  "CEL20: lists have sums, extremes and positions": [
    ["[1, 2].sum()", { value: 3 }],
    ["[1, 3].max()", { value: 3 }],
    ["[].max()", { fails: "max called on empty list" }],
    ["['a', 'b'].isSorted()", { value: true }],
    ["[1].lastIndexOf(2)", { value: -1 }],
  ],
  "CEL21: regular expressions find texts, and have the syntax of RE2": [
    ["'abc 123'.find('[0-9]+')", { value: "123" }],
    ["'a1b2'.findAll('[0-9]')", { value: ["1", "2"] }],
    ["'a'.matches('(?=a)')", { refused: ["invalid matches argument"] }],
  ],
  "CEL23: IP addresses have no mapped, zoned or padded forms": [
    ["isIP('::ffff:1.2.3.4')", { value: false }],
    ["isIP('fe80::1%eth0')", { value: false }],
    ["isIP('01.2.3.4')", { value: false }],
  ],
  "CEL26: masks of CIDRs are in range; host bits may be set": [
    ["isCIDR('10.0.0.0/33')", { value: false }],
    ["isCIDR('192.168.0.1/16')", { value: true }],
  ],
  "CEL27: CIDRs contain addresses, and can be masked": [
    ["cidr('192.168.0.0/24').containsIP('192.168.0.1')", { value: true }],
    ["cidr('192.168.0.1/24').masked() == cidr('192.168.0.0/24')", { value: true }],
    ["cidr('::1/128').prefixLength()", { value: 128 }],
  ],
  "CEL34: formats are named, and unknown ones are absent": [
    ["format.dns1123Label().validate('A').hasValue()", { value: true }],
    ["format.named('nowhere').hasValue()", { value: false }],
  ],
};

describe("the language", () => {
  it.each(Object.entries(rows))("%s", (_title, cases) => {
    for (const [source, expected] of cases) {
      assert.deepEqual(outcomeOf(source), expected, source);
    }
  });

  it("VL6: nesting and length are limited, whatever the text", () => {
    const nested = (depth: number) => `${"(".repeat(depth)}1${")".repeat(depth)}`;
    assert.deepEqual(outcomeOf(nested(249)), { value: 1 });
    assert.match(refusalOf(nested(250)), /expression recursion limit exceeded: 250/);
    assert.match(refusalOf(nested(100_000)), /limit/);
    assert.match(refusalOf("1".repeat(100_001)), /expression code point size exceeds limit/);
  });

  it("VC3: parts have the costs of Kubernetes", () => {
    const costs: Readonly<Record<string, number>> = {
      "1 + 2 == 3": 2,
      "[1, 2].size() == 2": 2,
      "{'a': dyn(1)}.a == 1": 3,
      "has({'a': dyn(1)}.a)": 1,
      "'abc'.matches('a+')": 1,
      "'abc' + 'def' == 'x'": 2,
    };
    for (const [source, cost] of Object.entries(costs)) {
      assert.equal(celEnv().compile(source).evaluate({}).cost, cost, source);
    }
  });

  it("VC8, CEL60: branches that did not run cost nothing, and each run costs the same", () => {
    const cost = (source: string) => celEnv().compile(source).evaluate({}).cost;
    const loop = "[1, 2, 3].all(x, x > 0)";
    assert.equal(cost(`1 == 1 || ${loop}`), cost("1 == 1"));
    assert.ok(cost(`1 == 2 || ${loop}`) > cost(loop));
    assert.equal(cost(loop), cost(loop));
  });

  it("VS8: errors are the same on every run", () => {
    const rule = celEnv().compile("[1, 2].map(x, 1 / (x - 1))");
    assert.deepEqual(rule.evaluate({}), rule.evaluate({}));
  });
});

function outcomeOf(source: string): unknown {
  const env = celEnv();
  const problems = env.check(source);
  if (problems.length > 0) {
    return { refused: problems.map(({ message }) => message) };
  }
  const outcome = env.compile(source).evaluate({});
  return outcome.ok ? { value: outcome.value } : { fails: outcome.error.message };
}

function refusalOf(source: string): string {
  return celEnv()
    .check(source)
    .map(({ message }) => message)
    .join("\n");
}
