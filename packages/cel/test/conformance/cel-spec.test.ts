import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { Environment } from "../../src/environment/environment.js";
import { languageOf } from "../../src/environment/language-versions.js";
import type { CelLibrary } from "../../src/functions/library.js";
import { memberOverload, overload } from "../../src/functions/overload.js";
import { CelFailure } from "../../src/values/cel-failure.js";
import { type CelType, stringType } from "../../src/values/cel-type.js";
import type { CelResult, CelValue } from "../../src/values/cel-value.js";
import { describeValue } from "../../src/values/describe-value.js";
import { isEqual } from "../../src/values/equals.js";
import { typeOf } from "../../src/values/type-of.js";
import { type Difference, kubernetesDifferences } from "./kubernetes-differences.js";
import { isCovered, type SpecCase, suites } from "./spec-cases.js";
import { specSuites } from "./spec-suites.js";
import { type Json, json, specType, specValue } from "./spec-value.js";

const { libraries } = languageOf("1.37", "stored");

for (const { name, cases } of suites(specSuites.conformance)) {
  describe(`cel-spec ${name}`, () => {
    const covered = cases.filter(isCovered);
    test(`VL1: ${covered.length} of ${cases.length} cases concern Kubernetes`, () => {
      assert.ok(covered.length <= cases.length);
    });
    for (const [index, spec] of covered.entries()) {
      test(`${index}: ${spec.path}: ${spec.expression}`, () => runCase(spec));
    }
  });
}

function runCase(spec: SpecCase): void {
  const declared = declarations(spec);
  const environment = new Environment({
    libraries: [...libraries, { name: "declared", functions: declared.functions }],
    variables: declared.variables,
    container: spec.container,
    crossTypeComparisons: true,
    optionals: true,
    literalChecks: false,
    homogeneousLiterals: false,
    lenient: spec.unchecked,
  });
  const compiled = environment.compile(spec.expression);
  const different = kubernetesDifferences.get(spec.expression);
  if (!compiled.ok) {
    assertFails(compiled.instantiation ?? compiled.problems.toString(), spec, different);
    return;
  }
  if (spec.type !== undefined) {
    const type = specType(spec.type);
    assert.equal(String(compiled.program.type), different?.type ?? String(type));
  }
  if (spec.checkOnly) {
    return;
  }
  const bindingOf = (name: string): CelResult => {
    const value = declared.bindings.get(name);
    return value === undefined ? new CelFailure(`no such attribute(s): ${name}`) : value;
  };
  const { result } = compiled.program.run(bindingOf);
  if ("code" in result) {
    assertFails(result.message, spec, different);
    return;
  }
  if (different?.value !== undefined) {
    assert.equal(describeValue(result.value), different.value);
    return;
  }
  assert.ok(!spec.fails, `expected an error, not ${describeValue(result.value)}`);
  const expected = specValue(spec.value ?? { boolValue: true });
  assert.ok(expected !== undefined, "the expected value is known");
  assertSame(result.value, expected);
}

function assertFails(problem: string, spec: SpecCase, different: Difference | undefined): void {
  assert.ok(spec.fails || different?.problem !== undefined, problem);
  assert.ok(problem.includes(different?.problem ?? ""), problem);
}

function assertSame(found: CelValue, expected: CelValue): void {
  const sameType = typeOf(found).name === typeOf(expected).name;
  const bothNaN = describeValue(found) === "NaN" && describeValue(expected) === "NaN";
  assert.ok(
    sameType && (bothNaN || isEqual(found, expected)),
    `${describeValue(found)} is not ${describeValue(expected)}`,
  );
}

function declarations({ typeEnv, bindings }: SpecCase): {
  readonly variables: ReadonlyMap<string, CelType>;
  readonly functions: CelLibrary["functions"];
  readonly bindings: ReadonlyMap<string, CelValue>;
} {
  const variables = new Map<string, CelType>();
  const functions: CelLibrary["functions"][number][] = [];
  for (const declaration of typeEnv) {
    const name = String(declaration["name"]);
    const type = specType(json(json(declaration["ident"])["type"]));
    if (type !== undefined) {
      variables.set(name, type);
    }
    const overloads = json(declaration["function"])["overloads"];
    if (Array.isArray(overloads)) {
      functions.push({ name, overloads: overloads.map((one) => declaredOverload(json(one))) });
    }
  }
  const values = new Map<string, CelValue>();
  for (const [name, binding] of Object.entries(bindings)) {
    const value = specValue(json(json(binding)["value"]));
    if (value !== undefined) {
      values.set(name, value);
      if (!variables.has(name)) {
        variables.set(name, typeOf(value));
      }
    }
  }
  return { variables, functions, bindings: values };
}

function declaredOverload(data: Json): ReturnType<typeof overload> {
  const params = Array.isArray(data["params"]) ? data["params"] : [];
  const types = params.map((type) => specType(json(type))).filter((type) => type !== undefined);
  const result = specType(json(data["resultType"]));
  assert.ok(result !== undefined && types.length === params.length);
  const declare = data["isInstanceFunction"] === true ? memberOverload : overload;
  const fail = (): CelFailure => new CelFailure("not implemented");
  return { ...declare(String(data["overloadId"]), types, stringType, fail), result };
}
