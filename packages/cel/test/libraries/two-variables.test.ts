import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { twoVariablesLibrary } from "../../src/libraries/two-variables/two-variables-library.js";
import { isFailure } from "../../src/values/cel-failure.js";
import { CelMap, EntryMap } from "../../src/values/cel-map.js";
import type { CelResult, CelValue } from "../../src/values/cel-value.js";
import { call, plain } from "./call.js";
import { expand } from "./expand.js";

const { macros = [] } = twoVariablesLibrary;

function insert(map: CelResult, ...args: CelValue[]): CelResult {
  return isFailure(map) ? map : call(twoVariablesLibrary, "cel.@mapInsert", map, ...args);
}

describe("loops with two variables", () => {
  test("CEL8: the macros and their numbers of arguments", () => {
    assert.deepEqual(
      macros.map(({ name, argumentCount, member }) => `${name} ${argumentCount} ${member}`),
      [
        "all 3 true",
        "exists 3 true",
        "existsOne 3 true",
        "exists_one 3 true",
        "transformList 3 true",
        "transformList 4 true",
        "transformMap 3 true",
        "transformMap 4 true",
        "transformMapEntry 3 true",
        "transformMapEntry 4 true",
      ],
    );
  });

  const count = "_?_:_(p, _+_(@result, 1), @result)) _==_(@result, 1)";
  test.each([
    ["all", ["p"], "true; @not_strictly_false(@result); _&&_(@result, p)) @result"],
    ["exists", ["p"], "false; @not_strictly_false(!_(@result)); _||_(@result, p)) @result"],
    ["existsOne", ["p"], `0; true; ${count}`],
    ["exists_one", ["p"], `0; true; ${count}`],
    ["transformList", ["t"], "[]; true; _+_(@result, [t])) @result"],
    ["transformList", ["f", "t"], "[]; true; _?_:_(f, _+_(@result, [t]), @result)) @result"],
    ["transformMap", ["t"], "{}; true; cel.@mapInsert(@result, k, t)) @result"],
    [
      "transformMap",
      ["f", "t"],
      "{}; true; _?_:_(f, cel.@mapInsert(@result, k, t), @result)) @result",
    ],
    ["transformMapEntry", ["t"], "{}; true; cel.@mapInsert(@result, t)) @result"],
    [
      "transformMapEntry",
      ["f", "t"],
      "{}; true; _?_:_(f, cel.@mapInsert(@result, t), @result)) @result",
    ],
  ])("CEL8: %s(k, v, %j) becomes a loop", (name, rest, loop) => {
    assert.equal(
      expand(macros, "items", name, "k", "v", ...rest),
      `loop(k, v in items, @result = ${loop}`,
    );
  });

  test.each<[(string | number)[], string, string | number]>([
    [[1, "v", "p"], "argument must be a simple name", 1],
    [["k", 2, "p"], "argument must be a simple name", 2],
    [["k", "k", "p"], "duplicate variable name: k", "k"],
    [["@result", "v", "p"], "iteration variable overwrites accumulator variable", "@result"],
    [["k", "__result__", "p"], "iteration variable overwrites accumulator variable", "__result__"],
  ])("VL10: all%j is refused", (args, problem, at) => {
    assert.deepEqual(expand(macros, "items", "all", ...args), { problem, at });
  });

  test("CEL8: inserting adds entries and refuses a key that exists", () => {
    const empty = new EntryMap([]);
    const one = insert(empty, "a", 1);
    const two = insert(one, "b", null);
    assert.deepEqual(
      plain(two),
      new Map<unknown, unknown>([
        ["a", 1],
        ["b", null],
      ]),
    );
    assert.deepEqual(plain(insert(two, "a", 2)), { error: "insert failed: key a already exists" });
    assert.deepEqual(plain(insert(insert(empty, 7, 1), 7, 2)), {
      error: "insert failed: key 7 already exists",
    });
    const more = new EntryMap([
      ["c", 3],
      ["d", 4],
    ]);
    assert.deepEqual(
      plain(insert(one, more)),
      new Map([
        ["a", 1],
        ["c", 3],
        ["d", 4],
      ]),
    );
    assert.deepEqual(plain(insert(two, new EntryMap([["b", 1]]))), {
      error: "insert failed: key b already exists",
    });
  });

  test("CEL8: maps that grew from one map stay apart", () => {
    const base = insert(new EntryMap([]), "a", 1);
    const first = insert(base, "b", 1);
    const second = insert(base, "b", 2);
    assert.deepEqual(plain(base), new Map([["a", 1]]));
    assert.deepEqual(
      plain(first),
      new Map([
        ["a", 1],
        ["b", 1],
      ]),
    );
    assert.deepEqual(
      plain(second),
      new Map([
        ["a", 1],
        ["b", 2],
      ]),
    );
  });

  test("CEL8: inserting 100,000 entries takes linear time", () => {
    let map: CelResult = new EntryMap([]);
    for (let key = 0; key < 100_000; key += 1) {
      map = insert(map, key, key);
    }
    assert.ok(map instanceof CelMap);
    assert.deepEqual([map.size, map.find(99_999)], [100_000, 99_999]);
  });
});
