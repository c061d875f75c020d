import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { celEnv } from "../../src/environment/cel-env.js";
import { optionalsLibrary } from "../../src/libraries/optionals/optionals-library.js";
import { CelDouble } from "../../src/values/cel-double.js";
import { CelDuration } from "../../src/values/cel-duration.js";
import { ArrayList } from "../../src/values/cel-list.js";
import { EntryMap } from "../../src/values/cel-map.js";
import { CelOptional } from "../../src/values/cel-optional.js";
import { CelTimestamp } from "../../src/values/cel-timestamp.js";
import { CelUint } from "../../src/values/cel-uint.js";
import type { CelValue } from "../../src/values/cel-value.js";
import { call, plain } from "./call.js";
import { expand } from "./expand.js";

const { none } = CelOptional;
const of = (value: CelValue) => new CelOptional(value);
const list = (...values: CelValue[]) => new ArrayList(values);
const map = (...entries: [CelValue, CelValue][]) => new EntryMap(entries);

function run(name: string, ...args: CelValue[]): unknown {
  return plain(call(optionalsLibrary, name, ...args));
}

const nothing = { optional: "none" };

describe("optional values", () => {
  test.each<[string, CelValue]>([
    ["null", null],
    ["false", false],
    ["0", 0],
    ["0u", new CelUint(0)],
    ["-0.0", new CelDouble(-0)],
    ["an empty string", ""],
    ["empty bytes", new Uint8Array()],
    ["an empty list", list()],
    ["an empty map", map()],
    ["a duration of 0", new CelDuration(0n)],
    ["the year 1", new CelTimestamp(-62_135_596_800_000_000_000n)],
  ])("VL24: optional.ofNonZeroValue of %s has no value", (_what, value) => {
    assert.deepEqual(run("optional.ofNonZeroValue", value), nothing);
  });

  test.each<[string, CelValue]>([
    ["true", true],
    ["1", 1],
    ["a string", "a"],
    ["NaN", new CelDouble(Number.NaN)],
    ["a list", list(0)],
    ["1970", new CelTimestamp(0n)],
    ["optional.none()", none],
  ])("VL24: optional.ofNonZeroValue of %s has a value", (_what, value) => {
    assert.deepEqual(run("optional.ofNonZeroValue", value), { optional: plain(value) });
  });

  test.each<[string, CelValue[], unknown]>([
    ["optional.of", [null], { optional: null }],
    ["optional.none", [], nothing],
    ["value", [of(null)], null],
    ["value", [none], { error: "optional.none() dereference" }],
    ["hasValue", [of(false)], true],
    ["hasValue", [none], false],
    ["or", [none, of(2)], { optional: 2 }],
    ["or", [of(1), of(2)], { optional: 1 }],
    ["orValue", [none, 2], 2],
    ["orValue", [of(false), true], false],
    ["first", [list(1, 2)], { optional: 1 }],
    ["last", [list(1, 2)], { optional: 2 }],
    ["first", [list()], nothing],
    ["last", [list()], nothing],
    ["unwrapOpt", [list(of(1), none, of(null))], [1, null]],
    ["optional.unwrap", [list()], []],
    ["_?._", [map(["a", 1]), "a"], { optional: 1 }],
    ["_?._", [of(map(["a", 1])), "a"], { optional: 1 }],
    ["_?._", [map(), "a"], nothing],
    ["_?._", [none, "a"], nothing],
    ["_?._", [1, "a"], nothing],
    ["_[?_]", [list(5), 0], { optional: 5 }],
    ["_[?_]", [list(5), 1], nothing],
    ["_[?_]", [list(5), -1], nothing],
    ["_[?_]", [list(5), 2n ** 62n], nothing],
    ["_[?_]", [of(list(5)), 0], { optional: 5 }],
    ["_[?_]", [map([1, 2]), new CelUint(1)], { optional: 2 }],
    ["_[?_]", [of(map([1, 2])), 3], nothing],
    ["_[_]", [of(list(5)), 0], { optional: 5 }],
    ["_[_]", [of(map([1, 2])), 1], { optional: 2 }],
    ["_[_]", [none, 0], nothing],
  ])("VL24: %s%o", (name, args, expected) => {
    assert.deepEqual(run(name, ...args), expected);
  });

  test("CEL6: unwrapping refuses what is no optional", () => {
    assert.deepEqual(run("optional.unwrap", list(of(1), 2)), { error: "value 2 is not optional" });
  });

  test("VS5: refuses a chain of optMap that would take a million evaluations", () => {
    const env = celEnv({});
    const chain = (links: number) => `optional.of(1)${".optMap(x, x + 1)".repeat(links)}.value()`;
    const short = env.compile(chain(8)).evaluate({});
    assert.deepEqual(short.ok && short.value, 9);
    assert.deepEqual(
      env.check(chain(20)).map(({ message }) => message)[0],
      "optMap() is chained too often: each link doubles the work",
    );
    assert.deepEqual(env.check(`[${"optional.of(1).optMap(x, x),".repeat(2_000)}]`), []);
  });

  test("VL24: optMap and optFlatMap bind the value if there is one", () => {
    const { macros } = optionalsLibrary;
    const bound = "loop(#unused in [], x = opt.value(); false; x) body";
    assert.equal(
      expand(macros, "opt", "optMap", "x", "body"),
      `_?_:_(opt.hasValue(), optional.of(${bound}), optional.none())`,
    );
    assert.equal(
      expand(macros, "opt", "optFlatMap", "x", "body"),
      `_?_:_(opt.hasValue(), ${bound}, optional.none())`,
    );
    assert.deepEqual(expand(macros, "opt", "optMap", 1, "body"), {
      problem: "optMap() variable name must be a simple identifier",
      at: 1,
    });
    assert.deepEqual(expand(macros, "opt", "optFlatMap", 1, "body"), {
      problem: "optFlatMap() variable name must be a simple identifier",
      at: 1,
    });
  });
});
