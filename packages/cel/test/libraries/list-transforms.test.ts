import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { listTransformsLibrary } from "../../src/libraries/list-transforms/list-transforms-library.js";
import { CelDouble } from "../../src/values/cel-double.js";
import { ArrayList } from "../../src/values/cel-list.js";
import { EntryMap } from "../../src/values/cel-map.js";
import { intType, listType, stringType } from "../../src/values/cel-type.js";
import type { CelValue } from "../../src/values/cel-value.js";
import { call, costOfCall, overloadFor, plain } from "./call.js";
import { ends, estimatedValue } from "./estimated.js";
import { expand } from "./expand.js";

const list = (...values: CelValue[]) => new ArrayList(values);
const double = (value: number) => new CelDouble(value);

function run(name: string, ...args: CelValue[]): unknown {
  return plain(call(listTransformsLibrary, name, ...args));
}

/** Calls a function as where several overloads may fit. */
function runDynamic(name: string, ...args: CelValue[]): unknown {
  const declaration = listTransformsLibrary.functions.find((each) => each.name === name);
  const result = declaration?.overloads[0]?.dynamicCall?.(...args);
  return result === undefined ? undefined : plain(result);
}

describe("functions that make lists", () => {
  test.each<[CelValue[], unknown]>([
    [
      [0, 4],
      [1, 2, 3, 4],
    ],
    [
      [1, 3],
      [2, 3],
    ],
    [[4, 4], []],
    [[0, 0], []],
    [[3, 0], { error: "cannot slice(3, 0), start index must be less than or equal to end index" }],
    [[0, 10], { error: "cannot slice(0, 10), list is length 4" }],
    [[-5, -3], { error: "cannot slice(-5, -3), negative indexes not supported" }],
    [
      [2n ** 62n, 2n ** 63n - 1n],
      { error: `cannot slice(${2n ** 62n}, ${2n ** 63n - 1n}), list is length 4` },
    ],
  ])("VK16: slice%o of four elements", (bounds, expected) => {
    assert.deepEqual(run("slice", list(1, 2, 3, 4), ...bounds), expected);
  });

  test("VK16: flatten goes one level deep, or as deep as its argument says", () => {
    const nested = list(list(1), list(2, list(3, list(4))), list());
    assert.deepEqual(run("flatten", nested), [1, 2, [3, [4]]]);
    assert.deepEqual(run("flatten", nested, 2), [1, 2, 3, [4]]);
    assert.deepEqual(run("flatten", nested, 9), [1, 2, 3, 4]);
    assert.deepEqual(run("flatten", nested, 0), plain(nested));
    assert.deepEqual(run("flatten", nested, -1), { error: "level must be non-negative" });
  });

  test("VK16: flatten takes a flat list where types are known at run time only", () => {
    const { unguarded, call: flatten } = overloadFor(listTransformsLibrary, "flatten", [list()]);
    assert.equal(unguarded, true);
    assert.deepEqual(plain(flatten(list(1, 2))), [1, 2]);
    assert.deepEqual(plain(flatten("a")), { error: "no such overload: string.flatten()" });
  });

  test("VK16: distinct keeps the first of equal elements", () => {
    const mixed = list(1, "c", double(1), "c", list(1), list(double(1)), 2);
    assert.deepEqual(run("distinct", mixed), [1, "c", [1], 2]);
    const maps = list(new EntryMap([["a", 1]]), new EntryMap([["a", double(1)]]));
    assert.deepEqual(run("distinct", maps), [new Map([["a", 1]])]);
  });

  test("VK16: reverse turns a list around", () => {
    assert.deepEqual(run("reverse", list(5, 1, 2)), [2, 1, 5]);
    assert.deepEqual(run("reverse", list()), []);
  });

  test.each<[CelValue, unknown]>([
    [4, [0, 1, 2, 3]],
    [0, []],
    [-1, { error: "lists.range: size must be non-negative, got -1" }],
    [1_000_001, { error: "lists.range: size 1000001 exceeds maximum allowed (1000000)" }],
    [2n ** 62n, { error: `lists.range: size ${2n ** 62n} exceeds maximum allowed (1000000)` }],
  ])("VK16: lists.range(%s)", (size, expected) => {
    assert.deepEqual(run("lists.range", size), expected);
  });

  test.each<[CelValue[], unknown]>([
    [
      [4, 2, 3],
      [2, 3, 4],
    ],
    [
      ["d", "a", "\uffee", "😀"],
      ["a", "d", "\uffee", "😀"],
    ],
    [
      [true, false],
      [false, true],
    ],
    [[], []],
    [["d", 3], { error: "list elements must have the same type" }],
    [[1, double(0)], { error: "list elements must have the same type" }],
  ])("VK16: sort of %o", (values, expected) => {
    assert.deepEqual(run("sort", list(...values)), expected);
  });

  test("VK16: sort and sortBy refuse elements without an order", () => {
    const comparable = { error: "list elements must be comparable" };
    assert.deepEqual(runDynamic("sort", list(list(1))), comparable);
    assert.deepEqual(runDynamic("sort", "a"), { error: "no such overload: sort" });
    assert.deepEqual(runDynamic("@sortByAssociatedKeys", list(1), list(list(1))), comparable);
  });

  test("VK16: sortBy orders by its keys", () => {
    assert.deepEqual(run("@sortByAssociatedKeys", list("foo", "bar", "baz"), list(3, 1, 2)), [
      "bar",
      "baz",
      "foo",
    ]);
    assert.deepEqual(run("@sortByAssociatedKeys", list(1), list(1, 2)), {
      error:
        "@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got 1 and 2 elements respectively",
    });
  });

  test("VK16: the macro sortBy binds the list and maps it to its keys", () => {
    const macros = listTransformsLibrary.macros;
    assert.equal(
      expand(macros, "items", "sortBy", "e", "key"),
      "loop(#unused in [], @__sortBy_input__ = items; false; @__sortBy_input__) " +
        "@__sortBy_input__.@sortByAssociatedKeys(" +
        "loop(e in @__sortBy_input__, @result = []; true; _+_(@result, [key])) @result)",
    );
    assert.deepEqual(expand(macros, "items", "sortBy", 1, "key"), {
      problem: "argument is not an identifier",
      at: 1,
    });
    assert.deepEqual(expand(macros, "items", "sortBy", "__result__", "key"), {
      problem: "iteration variable overwrites accumulator variable",
      at: "__result__",
    });
    assert.deepEqual(expand(macros, 1, "sortBy", "e", "key"), {
      problem:
        "sortBy can only be applied to a list, identifier, comprehension, call or select expression",
      at: 1,
    });
  });

  test("VK16: overloads carry the names of their types", () => {
    const sort = listTransformsLibrary.functions.find(({ name }) => name === "sort");
    assert.deepEqual(
      sort?.overloads.map(({ id }) => id),
      [
        "int",
        "uint",
        "double",
        "bool",
        "google.protobuf.Duration",
        "google.protobuf.Timestamp",
        "string",
        "bytes",
      ].map((type) => `list_${type}_sort`),
    );
  });
});

describe("costs of functions that make lists", () => {
  const nested = list(list(1, 2), list(3));
  test.each<[string, CelValue[], number]>([
    ["slice", [list(1, 2, 3, 4), 1, 3], 13],
    // A failure counts like one element.
    ["slice", [list(1), 3, 1], 12],
    ["flatten", [nested], 13],
    ["flatten", [nested, 3], 17],
    ["flatten", [nested, -1], 13],
    ["reverse", [list(1, 2, 3)], 14],
    ["lists.range", [5], 16],
    ["distinct", [list(1, 2, 3)], 29],
    ["distinct", [list("a", "b", "c")], 29],
    ["sort", [list(3, 2, 1)], 29],
    ["sort", [list("d", "c", "b", "a")], 44],
    ["sort", [list()], 11],
    ["@sortByAssociatedKeys", [list(1, 2, 3, 4), list("d", "c", "b", "a")], 44],
  ])("VC1: %s of %o", (name, args, expected) => {
    assert.equal(costOfCall(listTransformsLibrary, name, ...args), expected);
  });

  test("VC2: estimates follow the size of the list and the literals", () => {
    const estimate = (
      name: string,
      sample: CelValue[],
      target: Parameters<typeof estimatedValue> | undefined,
      ...literals: (CelValue | undefined)[]
    ) => {
      const { costs } = overloadFor(listTransformsLibrary, name, sample);
      const call = costs.estimate?.({
        target: target && estimatedValue(...target),
        args: literals.map((literal) =>
          estimatedValue(intType, [1, 1], literal === undefined ? {} : { literal }),
        ),
      });
      return [ends(call?.cost), ends(call?.resultSize)];
    };
    const ints = [listType(intType), [2, 10]] as const;
    const most = 2n ** 64n - 1n;
    const bounds = [list(1), 0, 1];
    assert.deepEqual(estimate("slice", bounds, [...ints], 1, 4), [
      [14n, 14n],
      [3n, 3n],
    ]);
    assert.deepEqual(estimate("slice", bounds, [...ints], undefined, undefined), [
      [21n, 21n],
      [10n, 10n],
    ]);
    assert.deepEqual(estimate("slice", bounds, [...ints], 4, 1), [
      [most, most],
      [most - 2n, most - 2n],
    ]);
    assert.deepEqual(estimate("reverse", [list(1)], [...ints]), [
      [13n, 21n],
      [2n, 10n],
    ]);
    assert.deepEqual(estimate("flatten", [list(list()), 1], [...ints], 3), [
      [17n, 41n],
      [2n, 10n],
    ]);
    assert.deepEqual(estimate("distinct", [list(1)], [...ints]), [
      [19n, 211n],
      [4n, 100n],
    ]);
    assert.deepEqual(estimate("sort", [list("a")], [listType(stringType), [2, 10]]), [
      [20n, 221n],
      [4n, 100n],
    ]);
    assert.deepEqual(estimate("lists.range", [5], undefined, 5), [
      [16n, 16n],
      [5n, 5n],
    ]);
    assert.deepEqual(estimate("lists.range", [5], undefined, undefined), [
      [most, most],
      [most, most],
    ]);
  });
});
