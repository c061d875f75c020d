import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { listsLibrary0, listsLibrary1 } from "../../src/libraries/lists/lists-library.js";
import { CelDouble } from "../../src/values/cel-double.js";
import { CelDuration } from "../../src/values/cel-duration.js";
import { ArrayList } from "../../src/values/cel-list.js";
import { EntryMap } from "../../src/values/cel-map.js";
import { CelTimestamp } from "../../src/values/cel-timestamp.js";
import { dynType, intType, listType, stringType } from "../../src/values/cel-type.js";
import { CelUint } from "../../src/values/cel-uint.js";
import type { CelValue } from "../../src/values/cel-value.js";
import { call, costOfCall, overloadFor, plain } from "./call.js";
import { ends, estimatedValue } from "./estimated.js";

const list = (...values: CelValue[]) => new ArrayList(values);
const double = (value: number) => new CelDouble(value);
const uint = (value: number | bigint) => new CelUint(value);
const seconds = (count: bigint) => new CelDuration(count * 1_000_000_000n);

function run(name: string, ...args: CelValue[]): unknown {
  return plain(call(listsLibrary1, name, ...args));
}

describe("Kubernetes' functions of lists", () => {
  test("VK1: includes comes with version 1", () => {
    const names = listsLibrary0.functions.map(({ name }) => name);
    assert.deepEqual(names, ["isSorted", "sum", "max", "min", "indexOf", "lastIndexOf"]);
    assert.deepEqual(
      listsLibrary1.functions.map(({ name }) => name),
      [...names, "includes"],
    );
  });

  test.each<[string, CelValue[], unknown]>([
    ["int", [1, 2, 2, 3], true],
    ["int", [3, 1], false],
    ["int", [9_007_199_254_740_993n, 9_007_199_254_740_992n], false],
    ["uint", [uint(1), uint(2)], true],
    ["double", [double(2), double(1)], false],
    ["double", [double(2), double(Number.NaN), double(1)], true],
    ["bool", [false, true, true], true],
    ["duration", [seconds(2n), seconds(1n)], false],
    ["timestamp", [new CelTimestamp(1n), new CelTimestamp(2n)], true],
    ["string", ["a", "b", "b"], true],
    // UTF-16 has them in the other order.
    ["string", ["\uffee", "😀"], true],
    ["bytes", [Uint8Array.of(2), Uint8Array.of(1, 1)], false],
    ["int", [], true],
    // Numbers compare across types; a string and a number have no order.
    ["int", [2, double(1.5)], false],
    ["string", ["b", 1, "a"], true],
  ])("VK3: isSorted of %s: %o", (_type, values, expected) => {
    assert.equal(run("isSorted", list(...values)), expected);
  });

  test.each<[CelValue[], unknown, unknown]>([
    [[1, 3, 2], 1, 3],
    [[uint(4), uint(3)], { uint: 3 }, { uint: 4 }],
    [[double(1), double(-1)], { double: -1 }, { double: 1 }],
    [[double(1), double(Number.NaN)], { double: 1 }, { double: 1 }],
    [[true, false], false, true],
    [["b", "a", "c"], "a", "c"],
    [["b", 1], "b", "b"],
    [[], { error: "min called on empty list" }, { error: "max called on empty list" }],
    [["b", list()], { error: "no such overload" }, { error: "no such overload" }],
  ])("VK3: min and max of %o", (values, min, max) => {
    assert.deepEqual(run("min", list(...values)), min);
    assert.deepEqual(run("max", list(...values)), max);
  });

  test.each<[CelValue[], unknown]>([
    [[1, 3], 4],
    [[9_007_199_254_740_991, 2], 9_007_199_254_740_993n],
    [[9_007_199_254_740_993n, -3], 9_007_199_254_740_990],
    [[2n ** 62n, 2n ** 62n], { error: "integer overflow" }],
    [[uint(1), uint(3)], { uint: 4 }],
    [[uint(2n ** 64n - 1n), uint(1)], { error: "unsigned integer overflow" }],
    [[double(0.5), double(1)], { double: 1.5 }],
    [[], 0],
    [[1, double(1)], { error: "no such overload" }],
    [[1, true], { error: "no such overload" }],
  ])("VK3: sum of %o", (values, expected) => {
    assert.deepEqual(run("sum", list(...values)), expected);
  });

  test("VK3: sum of durations", () => {
    assert.deepEqual(run("sum", list(seconds(60n), seconds(1n))), seconds(61n));
    const half = new CelDuration(2n ** 62n);
    assert.deepEqual(run("sum", list(half, half)), { error: "integer overflow" });
  });

  test.each<[CelValue[], CelValue, number, number]>([
    [[1, 2, 2, 3], 2, 1, 2],
    [["a", "b"], "c", -1, -1],
    [[1], double(1), 0, 0],
    [[list(1)], list(double(1)), 0, 0],
    [[], "a", -1, -1],
  ])("CEL20: indexOf and lastIndexOf in %o of %o", (values, item, first, last) => {
    assert.equal(run("indexOf", list(...values), item), first);
    assert.equal(run("lastIndexOf", list(...values), item), last);
  });

  test("CEL10: includes looks into a list and compares other values", () => {
    assert.equal(run("includes", list(1, 2), 2), true);
    assert.equal(run("includes", list(1, 2), 4), false);
    assert.equal(run("includes", "a", "a"), true);
    assert.equal(run("includes", "ab", "a"), false);
    assert.equal(run("includes", new EntryMap([["a", 1]]), "a"), false);
  });

  test("VK3: overloads are named and ordered as upstream", () => {
    const ids = (name: string) =>
      listsLibrary1.functions
        .find((declaration) => declaration.name === name)
        ?.overloads.map(({ id }) => id);
    assert.deepEqual(ids("sum"), [
      "list_int_sum_int",
      "list_uint_sum_uint",
      "list_double_sum_double",
      "list_duration_sum_duration",
    ]);
    assert.deepEqual(ids("max")?.slice(3), [
      "list_bool_max_bool",
      "list_duration_max_duration",
      "list_timestamp_max_timestamp",
      "list_string_max_string",
      "list_bytes_max_bytes",
    ]);
    assert.equal(ids("isSorted")?.at(0), "list_int_is_sorted_bool");
  });
});

describe("costs of Kubernetes' functions of lists", () => {
  const nested = list(list(1, 2), new EntryMap([["0123456789", 1]]));
  test.each<[string, CelValue[], number]>([
    ["sum", [list(1, 2, 3)], 3],
    ["max", [list("a".repeat(19), "é".repeat(10), "short")], 3],
    ["isSorted", [list(Uint8Array.from({ length: 25 }))], 2],
    ["indexOf", [nested, 1], 4],
    ["sum", [list()], 0],
    ["includes", ["a".repeat(30), "a"], 3],
  ])("VC1: %s of %o", (name, args, expected) => {
    assert.equal(costOfCall(listsLibrary1, name, ...args), expected);
  });

  test("VC2: estimates count elements, and characters of strings", () => {
    const estimate = (name: string, ...args: Parameters<typeof estimatedValue>) => {
      const target = estimatedValue(...args);
      const sample = args[0] === dynType ? "" : list(1);
      const item = name === "includes" || name === "indexOf" ? [1] : [];
      const { costs } = overloadFor(listsLibrary1, name, [sample, ...item]);
      return ends(costs.estimate?.({ target, args: [] })?.cost);
    };
    const ints = { elements: estimatedValue(intType) };
    const texts = { elements: estimatedValue(stringType, [0, 25]) };
    assert.deepEqual(estimate("sum", listType(intType), [2, 10], ints), [2n, 10n]);
    assert.deepEqual(estimate("max", listType(stringType), [2, 10], texts), [2n, 40n]);
    assert.deepEqual(estimate("indexOf", stringType, [11, 20]), [2n, 2n]);
    assert.deepEqual(estimate("includes", dynType, [0, 20]), [0n, 20n]);
  });
});
