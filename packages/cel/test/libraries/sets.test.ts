import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { setsLibrary } from "../../src/libraries/sets/sets-library.js";
import { CelDouble } from "../../src/values/cel-double.js";
import { ArrayList } from "../../src/values/cel-list.js";
import { intType, listType } from "../../src/values/cel-type.js";
import { CelUint } from "../../src/values/cel-uint.js";
import type { CelValue } from "../../src/values/cel-value.js";
import { call, costOfCall, overloadFor } from "./call.js";
import { ends, estimatedValue } from "./estimated.js";

const list = (...values: CelValue[]) => new ArrayList(values);
const double = (value: number) => new CelDouble(value);
const uint = (value: number) => new CelUint(value);

describe("functions of sets", () => {
  test.each<[CelValue[], CelValue[], boolean, boolean, boolean]>([
    [[], [], true, true, false],
    [[], [1], false, false, false],
    [[1, 2, 3, 4], [2, 3], true, false, true],
    [[1], [1, 1], true, true, true],
    [[1, double(2), uint(3)], [double(1), uint(2), 3], true, true, true],
    [[1, 2], [2, 3], false, false, true],
    [[list(1), list(2, 3)], [list(1, 2), list(2, double(3))], false, false, true],
    [["a"], [1], false, false, false],
  ])("VK15: %o against %o", (first, second, contains, equivalent, intersects) => {
    const run = (name: string) => call(setsLibrary, name, list(...first), list(...second));
    assert.deepEqual(
      [run("sets.contains"), run("sets.equivalent"), run("sets.intersects")],
      [contains, equivalent, intersects],
    );
  });

  test("VK15: costs grow with the product of the sizes", () => {
    const args = [list(1, 2, 3), list(1, 2, 3, 4)];
    assert.equal(costOfCall(setsLibrary, "sets.contains", ...args), 13);
    assert.equal(costOfCall(setsLibrary, "sets.equivalent", ...args), 25);
    assert.equal(costOfCall(setsLibrary, "sets.intersects", ...args), 13);
    const { costs } = overloadFor(setsLibrary, "sets.equivalent", args);
    const known = [
      estimatedValue(listType(intType), [1, 10]),
      estimatedValue(listType(intType), [2, 20]),
    ];
    assert.deepEqual(ends(costs.estimate?.({ target: undefined, args: known })?.cost), [5n, 401n]);
  });

  test("VK15: NaN equals nothing, large numbers of all types are equal by value", () => {
    const nan = double(Number.NaN);
    const run = (name: string, first: CelValue, second: CelValue) =>
      call(setsLibrary, name, list(first), list(second));
    assert.equal(run("sets.contains", nan, nan), false);
    assert.equal(run("sets.intersects", nan, nan), false);
    assert.equal(run("sets.contains", 2n ** 62n, double(2 ** 62)), true);
    assert.equal(run("sets.contains", null, null), true);
    assert.equal(run("sets.contains", 1, true), false);
  });

  test.each(["sets.contains", "sets.equivalent", "sets.intersects"])(
    "VC10 [+]: %s of scalars reads each element a fixed number of times",
    (name) => {
      let reads = 0;
      class CountingList extends ArrayList {
        override *[Symbol.iterator](): IterableIterator<CelValue> {
          for (const value of this.values) {
            reads += 1;
            yield value;
          }
        }
      }
      const count = 10_000;
      const numbers = (from: number): CelValue[] =>
        Array.from({ length: count }, (_, i) => from + i);
      call(setsLibrary, name, new CountingList(numbers(0)), new CountingList(numbers(count)));
      call(setsLibrary, name, new CountingList(numbers(0)), new CountingList(numbers(0)));
      assert.ok(reads <= 6 * count, `${reads} reads`);
    },
  );
});
