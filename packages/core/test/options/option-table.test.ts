import { KubeError } from "@typekube/core";
import {
  amount,
  assertOptions,
  assertOptionValues,
  callback,
  flag,
  integerFrom,
  milliseconds,
  object,
  oneOf,
  optionProblems,
  text,
} from "@typekube/core/internal";
import { describe, expect, it } from "vitest";

const table = {
  count: integerFrom(1),
  free: true,
  mode: oneOf("fast", "safe", "slow"),
  nested: { call: "a part", table: { timeoutMs: milliseconds } },
} as const;

function errorOf(options: object): Pick<KubeError, "code" | "hint" | "rawMessage"> | undefined {
  try {
    assertOptions("a test", options, table);
    return undefined;
  } catch (error) {
    const { code, hint, rawMessage } = KubeError.from(error);
    return { code, hint, rawMessage };
  }
}

describe("assertOptions", () => {
  it.each([
    [{}],
    [{ count: undefined, unknown: undefined }],
    [{ count: 2, free: Symbol("any"), mode: "slow", nested: { timeoutMs: 0 } }],
    [{ nested: null }],
  ])("accepts %o", (options) => {
    expect(errorOf(options)).toBeUndefined();
  });

  it.each([
    [{ counts: 1 }, 'a test has no option "counts"', "did you mean count?"],
    [{ count: 0 }, "count: must be an integer of at least 1", undefined],
    [{ mode: "none" }, "mode: must be fast, safe or slow", undefined],
    [{ nested: { wait: 1 } }, 'a part has no option "wait"', "known options: timeoutMs"],
    [
      { nested: { timeoutMs: Number.NaN } },
      "timeoutMs: must be a number of at least 0",
      "in milliseconds; Infinity means no limit",
    ],
  ])("rejects %o", (options, rawMessage, hint) => {
    expect(errorOf(options)).toEqual({ code: "InvalidArgument", rawMessage, hint });
  });

  it("reports an unknown option before an invalid value", () => {
    expect(errorOf({ count: 0, other: 1 })?.rawMessage).toBe('a test has no option "other"');
  });
});

it("assertOptionValues ignores unknown options and puts the prefix in front of the name", () => {
  const check = () => assertOptionValues({ count: 0, other: 1 }, table, "backoff.");
  expect(check).toThrow("backoff.count: must be an integer of at least 1");
});

it("a prefix of nested options stands in front of their names", () => {
  const delay = { call: "a delay", prefix: "delay.", table: { maxMs: amount } };
  const check = (value: object) => () => assertOptions("a test", { delay: value }, { delay });
  expect(check({ maxMs: -1 })).toThrow("delay.maxMs: must be a number of at least 0");
  expect(check({ max: 1 })).toThrow('a delay has no option "max"');
});

it("optionProblems shows all invalid values, and skips nested and unknown options", () => {
  const options = { count: 0, free: {}, mode: "rapid", nested: { timeoutMs: -1 }, other: 1 };
  expect(optionProblems(options, table, "part.")).toEqual([
    "part.count is 0, but must be an integer of at least 1",
    "part.mode is rapid, but must be fast, safe or slow",
  ]);
  expect(optionProblems({ mode: undefined }, table)).toEqual([]);
});

it.each([
  [["a"], "a"],
  [["a", "b"], "a or b"],
  [["a", "b", "c"], "a, b or c"],
])("oneOf names its choices: %j", (words, mustBe) => {
  expect(oneOf(...words).mustBe).toBe(mustBe);
});

it.each([
  ["amount", amount, [0, 1.5, Number.POSITIVE_INFINITY], [-1, Number.NaN, "1", null]],
  ["callback", callback, [() => {}], ["x", {}, null]],
  ["flag", flag, [true, false], ["true", 1, null]],
  ["integerFrom(0)", integerFrom(0), [0, 3], [-1, 0.5, Number.POSITIVE_INFINITY, "1"]],
  ["object", object, [{}], [null, [], "x"]],
  ["oneOf", oneOf("a", "b"), ["a", "b"], ["c", null]],
  ["text", text, ["", "x"], [1, null, {}]],
])("%s accepts valid values only", (_, { isValid }, valid, invalid) => {
  expect(valid.filter((value) => !isValid(value))).toEqual([]);
  expect(invalid.filter((value) => isValid(value))).toEqual([]);
});
