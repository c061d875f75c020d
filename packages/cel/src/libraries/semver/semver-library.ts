import type { CelLibrary } from "../../functions/library.js";
import { type FunctionDeclaration, memberOverload, overload } from "../../functions/overload.js";
import { readingCosts } from "../../functions/reading-costs.js";
import { CelFailure } from "../../values/cel-failure.js";
import { normalInt } from "../../values/cel-int.js";
import { boolType, intType, stringType } from "../../values/cel-type.js";
import { type CelSemver, semverType, toSemver } from "./cel-semver.js";
import { compareVersions } from "./semantic-version.js";

function isSemver(text: string, isLoose = false): boolean {
  return !(toSemver(text, isLoose) instanceof CelFailure);
}

function compare(a: CelSemver, b: CelSemver): -1 | 0 | 1 {
  return compareVersions(a.version, b.version);
}

/** Declares a member that returns a number of the version. Numbers from 2^63 on become negative ints, as in Go. */
function number(name: string, at: 0 | 1 | 2): FunctionDeclaration {
  const call = ({ version }: CelSemver) => normalInt(BigInt.asIntN(64, version.numbers[at]));
  return { name, overloads: [memberOverload(`semver_${name}`, [semverType], intType, call)] };
}

const pair = [semverType, semverType] as const;

/** Semantic versions with normalization (version 1 of the library), from Kubernetes 1.33 on. */
export const semverLibrary1: CelLibrary = {
  name: "kubernetes.Semver",
  functions: [
    {
      name: "semver",
      overloads: [
        overload(
          "string_to_semver",
          [stringType],
          semverType,
          (text) => toSemver(text),
          readingCosts(),
        ),
        overload(
          "string_bool_to_semver",
          [stringType, boolType],
          semverType,
          toSemver,
          readingCosts(),
        ),
      ],
    },
    {
      name: "isSemver",
      overloads: [
        overload(
          "is_semver_string",
          [stringType],
          boolType,
          (text) => isSemver(text),
          readingCosts(),
        ),
        overload(
          "is_semver_string_bool",
          [stringType, boolType],
          boolType,
          isSemver,
          readingCosts(),
        ),
      ],
    },
    {
      name: "isGreaterThan",
      overloads: [
        memberOverload("semver_is_greater_than", pair, boolType, (a, b) => compare(a, b) > 0),
      ],
    },
    {
      name: "isLessThan",
      overloads: [
        memberOverload("semver_is_less_than", pair, boolType, (a, b) => compare(a, b) < 0),
      ],
    },
    { name: "compareTo", overloads: [memberOverload("semver_compare_to", pair, intType, compare)] },
    number("major", 0),
    number("minor", 1),
    number("patch", 2),
  ],
};
