import assert from "node:assert/strict";
import { it } from "vitest";
import { celEnv } from "../../src/environment/cel-env.js";
import { semverLibrary1 } from "../../src/libraries/semver/semver-library.js";
import { call, costOfCall, plain } from "./call.js";
import { outcomeOf, type Term } from "./term.js";

const env = celEnv();
const resultOf = (term: Term) => plain(outcomeOf(env, term).result);
const isSemver = (...args: [string] | [string, boolean]) =>
  call(semverLibrary1, "isSemver", ...args);

it("VK12: isSemver takes versions of Semantic Versioning 2.0.0", () => {
  const valid = [
    "1.0.0",
    "0.1.0-alpha.1",
    "1.2.3-0.x-y.7+build.01",
    "1.2.3+a-b",
    "18446744073709551615.0.0",
    "1.2.3--",
  ];
  const invalid = [
    "",
    "1",
    "1.2",
    "1.2.3.4",
    "v1.2.3",
    "01.2.3",
    "1.02.3",
    "1.2.03",
    "1.2.3-",
    "1.2.3-01",
    "1.2.3-a..b",
    "1.2.3-ä",
    "1.2.3+",
    "1.2.3+a+b",
    "-1.2.3",
    " 1.2.3",
    "1..3",
    "18446744073709551616.0.0",
    "hello",
  ];
  assert.deepEqual(
    valid.filter((text) => isSemver(text) !== true),
    [],
  );
  assert.deepEqual(
    invalid.filter((text) => isSemver(text) !== false),
    [],
  );
});

it("CEL33: normalization drops the v and leading zeros and adds minor and patch", () => {
  const equal = (text: string, normal: string) =>
    resultOf(["==", ["semver", text, true], ["semver", normal]]);
  assert.equal(isSemver("v1.0"), false);
  assert.equal(isSemver("v1.0", true), true);
  assert.equal(isSemver("v1.0", false), false);
  assert.equal(equal("v1", "1.0.0"), true);
  assert.equal(equal("1.0", "1.0.0"), true);
  assert.equal(equal("01.01.01", "1.1.1"), true);
  assert.equal(equal("v00.0.0-01a", "0.0.0-01a"), true);
  assert.equal(isSemver("1.2-a", true), false);
  assert.equal(isSemver("vv1", true), false);
  assert.equal(isSemver("", true), false);
});

it("VK12: semver explains with the messages of blang/semver why a text is not a version", () => {
  const messages: readonly (readonly [string, boolean, string])[] = [
    ["", false, "Version string empty"],
    ["1.2", false, "No Major.Minor.Patch elements found"],
    ["a.2.3", false, 'Invalid character(s) found in major number "a"'],
    ["1.02.3", false, 'Minor number must not contain leading zeroes "02"'],
    ["1.2.", false, 'strconv.ParseUint: parsing "": invalid syntax'],
    [
      "1.18446744073709551616.3",
      false,
      'strconv.ParseUint: parsing "18446744073709551616": value out of range',
    ],
    ["1.2.3-", false, "Prerelease is empty"],
    ["1.2.3-01", false, 'Numeric PreRelease version must not contain leading zeroes "01"'],
    ["1.2.3-ä", false, 'Invalid character(s) found in prerelease "ä"'],
    ["1.2.3+", false, "Build meta data is empty"],
    ["1.2.3+a\tb", false, 'Invalid character(s) found in build meta data "a\\tb"'],
    ["1.2-a", true, "short version cannot contain PreRelease/Build meta data"],
    ["", true, 'strconv.ParseUint: parsing "": invalid syntax'],
  ];
  for (const [text, isLoose, error] of messages) {
    assert.deepEqual(plain(call(semverLibrary1, "semver", text, isLoose)), { error });
  }
});

it("VK12: versions are ordered by numbers and pre-release, build metadata is ignored", () => {
  const ordered = [
    "0.9.9",
    "1.0.0-1",
    "1.0.0-2",
    "1.0.0-10",
    "1.0.0-Alpha",
    "1.0.0-alpha",
    "1.0.0-alpha.1",
    "1.0.0-alpha.beta",
    "1.0.0-beta",
    "1.0.0",
    "1.0.1",
    "1.1.0",
    "10.0.0",
    "18446744073709551615.0.0",
  ];
  ordered.forEach((a, at) => {
    ordered.forEach((b, other) => {
      const pair = [["semver", a] as const, ["semver", b] as const] as const;
      assert.equal(resultOf([".compareTo", ...pair]), Math.sign(at - other), `${a} ${b}`);
      assert.equal(resultOf([".isLessThan", ...pair]), at < other);
      assert.equal(resultOf([".isGreaterThan", ...pair]), at > other);
      assert.equal(resultOf(["==", ...pair]), at === other);
    });
  });
  assert.equal(resultOf(["==", ["semver", "1.0.0+a"], ["semver", "1.0.0+b"]]), true);
});

it("VK12: major, minor and patch are ints; numbers from 2^63 on are negative", () => {
  const number = (name: string, text: string) => resultOf([`.${name}`, ["semver", text]]);
  assert.equal(number("major", "1.2.3"), 1);
  assert.equal(number("minor", "1.2.3"), 2);
  assert.equal(number("patch", "1.2.3-a+b"), 3);
  assert.equal(number("major", "9223372036854775807.0.0"), 9_223_372_036_854_775_807n);
  assert.equal(number("major", "18446744073709551615.0.0"), -1);
});

it("VC1: parsing a version costs a tenth of a unit per character, its members one unit", () => {
  assert.equal(costOfCall(semverLibrary1, "semver", "1.2.3-alpha"), 2);
  assert.equal(costOfCall(semverLibrary1, "isSemver", "1.2.3-alpha", true), 2);
  assert.equal(outcomeOf(env, [".major", ["semver", "1.2.3"]]).cost, 2);
});
