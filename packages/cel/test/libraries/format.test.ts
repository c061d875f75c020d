import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { stringsLibrary2 } from "../../src/libraries/strings/strings-library.js";
import { CelDouble } from "../../src/values/cel-double.js";
import { CelDuration } from "../../src/values/cel-duration.js";
import { ArrayList } from "../../src/values/cel-list.js";
import { EntryMap } from "../../src/values/cel-map.js";
import { CelOptional } from "../../src/values/cel-optional.js";
import { CelTimestamp } from "../../src/values/cel-timestamp.js";
import { stringType } from "../../src/values/cel-type.js";
import { CelUint } from "../../src/values/cel-uint.js";
import type { CelValue } from "../../src/values/cel-value.js";
import { call, plain } from "./call.js";

function format(template: string, ...args: CelValue[]): unknown {
  return plain(call(stringsLibrary2, "format", template, new ArrayList(args)));
}

const double = (value: number) => new CelDouble(value);
const bytes = (text: string) => new TextEncoder().encode(text);
const list = (...values: CelValue[]) => new ArrayList(values);

describe("format", () => {
  test.each<[string, CelValue[], string]>([
    ["no substitution", [], "no substitution"],
    ["str is %s and more", ["filler"], "str is filler and more"],
    ["%% and also %%", [], "% and also %"],
    ["%%%s%%", ["text"], "%text%"],
    ["%d %d, %s", [1, 2, "A"], "1 2, A"],
    ["%s", ["a", 2], "a"],
    ["é%s😀", ["x"], "éx😀"],
    ["%b %b %b", [5, -5, new CelUint(64)], "101 -101 1000000"],
    ["%b %b", [true, false], "1 0"],
    ["%o %o %o", [11, -11, new CelUint(65535)], "13 -13 177777"],
    ["%x %X %x %X", [30, 30, -30, new CelUint(6000)], "1e 1E -1e 1770"],
    ["%x", ["Hello é"], "48656c6c6f20c3a9"],
    ["%X", [bytes("\0byte")], "0062797465"],
    ["%d", [-9_223_372_036_854_775_808n], "-9223372036854775808"],
    ["%b", [-9_223_372_036_854_775_808n], `-1${"0".repeat(63)}`],
  ])("VK17: %o of %o", (template, args, expected) => {
    assert.equal(format(template, ...args), expected);
  });

  test.each<[string, number, string]>([
    ["%.3f", 1.2345, "1.234"],
    ["%f", 2.71829, "2.718290"],
    ["%.0f", 0.5, "0"],
    ["%.0f", 1.5, "2"],
    ["%.0f", 2.5, "2"],
    ["%.2f", 1.005, "1.00"],
    ["%.2f", -0.001, "-0.00"],
    ["%.1f", -0, "0.0"],
    ["%f", 1234567.5, "1,234,567.500000"],
    ["%.0f", 999.5, "1,000"],
    ["%.1f", 1e21, "1,000,000,000,000,000,000,000.0"],
    ["%.30f", 0.1, "0.100000000000000005551115123126"],
    ["%.200f", 1, `1.${"0".repeat(200)}`],
    ["%.3f", 5e-324, "0.000"],
    ["%f", Number.NaN, "NaN"],
    ["%f", Number.POSITIVE_INFINITY, "∞"],
    ["%.2f", Number.NEGATIVE_INFINITY, "-∞"],
    ["%.6e", 1052.032911275, "1.052033×10⁰³"],
    ["%e", 2.71801, "2.718010×10⁰⁰"],
    ["%.1e", 9.99999996e99, "1.000000×10¹⁰⁰"],
    ["%.0e", 0.00025, "2.500000×10⁻⁰⁴"],
    ["%.16e", 1.015, "   1.015000×10⁰⁰"],
    ["%e", 0, "0.000000×10⁰⁰"],
    ["%e", -1e-300, "-1.000000×10⁻³⁰⁰"],
    ["%e", Number.NaN, "   NaN"],
    ["%e", Number.NEGATIVE_INFINITY, "    -∞"],
  ])("VK17: %s of the double %d", (template, value, expected) => {
    assert.equal(format(template, double(value)), expected);
  });

  test("VK17: %f and %e take the texts of numbers that JSON has none for", () => {
    assert.equal(format("%f %f %e", "NaN", "Infinity", "-Infinity"), "NaN ∞     -∞");
  });

  test.each<[CelValue, string]>([
    [double(2.71), "2.71"],
    [double(0.000000002), "2e-09"],
    [double(1), "1"],
    [double(999_999), "999999"],
    [double(1_234_567), "1.234567e+06"],
    [double(Number.NaN), "NaN"],
    [double(Number.POSITIVE_INFINITY), "+Inf"],
    [999_999_999_999, "999999999999"],
    [new CelUint(7), "7"],
    [null, "null"],
    [true, "true"],
    [bytes("xyz"), "xyz"],
    [stringType, "string"],
    [new CelTimestamp(1_675_467_080_000_000_000n), "2023-02-03T23:31:20Z"],
    [new CelTimestamp(1_675_467_080_120_000_000n), "2023-02-03T23:31:20.12Z"],
    [new CelTimestamp(-62_135_596_800_000_000_000n), "0001-01-01T00:00:00Z"],
    [new CelDuration(6_347_000_000_000n), "6347s"],
    [new CelDuration(2n), "0.000000002s"],
    [new CelDuration(-1_500_000_000n), "-1.5s"],
    [list(), "[]"],
    [
      list("abc", double(3.14), null, list(9, 8), new CelTimestamp(1_675_467_080_000_000_000n)),
      '["abc", 3.140000, null, [9, 8], timestamp("2023-02-03T23:31:20Z")]',
    ],
    [list(double(0.000000002), double(Number.NaN), double(-0)), '[0.000000, "NaN", -0.000000]'],
    [list("é\n\u0001\u00a0\u{e0001}"), '["é\\n\\x01\\u00a0\\U000e0001"]'],
    [
      new EntryMap([
        ["key2", new CelDuration(7_200_000_000_000n)],
        ["key1", bytes("xyz")],
        ["key3", true],
      ]),
      '{"key1":b"xyz", "key2":duration("7200s"), "key3":true}',
    ],
    [
      new EntryMap([
        [true, double(Number.NaN)],
        [new CelUint(2), "b"],
        [1, "a"],
      ]),
      '{1:"a", 2:"b", true:"NaN"}',
    ],
  ])("VK17: %%s shows %o", (value, expected) => {
    assert.equal(format("%s", value), expected);
  });

  const strings =
    "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps";
  test.each<[string, CelValue[], string]>([
    ["%a", [1], 'could not parse formatting clause: unrecognized formatting clause "a"'],
    ["%E", [1], 'could not parse formatting clause: unrecognized formatting clause "E"'],
    ["%é", [1], 'could not parse formatting clause: unrecognized formatting clause "Ã"'],
    [
      "%.%",
      [1],
      'CLAUSE: error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax',
    ],
    ["%.2%", [1], 'could not parse formatting clause: unrecognized formatting clause "%"'],
    ["%.34", [1], "CLAUSE: could not find end of precision specifier"],
    [
      "%.99999999999999999999f",
      [1],
      'CLAUSE: error while converting precision to integer: strconv.Atoi: parsing "99999999999999999999": value out of range',
    ],
    ["%d %d %d", [0, 1], "index 2 out of range"],
    ["%", [], "index 0 out of range"],
    ["filler %", [1], "unexpected end of string"],
    ["%b", ["abc"], "ERROR: only integers and bools can be formatted as binary, was given string"],
    [
      "%d",
      [new CelDuration(1n)],
      "ERROR: decimal clause can only be used on integers, was given google.protobuf.Duration",
    ],
    ["%o", ["x"], "ERROR: octal clause can only be used on integers, was given string"],
    [
      "%x",
      [double(0.5)],
      "ERROR: only integers, byte buffers, and strings can be formatted as hex, was given double",
    ],
    ["%e", [null], "ERROR: scientific clause can only be used on doubles, was given null_type"],
    ["%f", [1], "ERROR: fixed-point clause can only be used on doubles, was given int"],
    ["%s", [CelOptional.none], `ERROR: ${strings}, was given optional_type`],
    ["%s", [list(CelOptional.none)], "ERROR: no formatting function for optional_type"],
    [
      "%s",
      [new EntryMap([[double(1.5), 1]])],
      "ERROR: no formatting function for map key of type double",
    ],
    [
      "%s",
      [Uint8Array.of(0xff)],
      'ERROR: could not convert argument "invalid UTF-8 in bytes, cannot convert to string" to string',
    ],
  ])("VK17: %o of %o fails", (template, args, message) => {
    const error = message
      .replace(/^CLAUSE/, "could not parse formatting clause: error while parsing precision")
      .replace(/^ERROR/, "error during formatting");
    assert.deepEqual(format(template, ...args), { error });
  });
});
