import { CelList, type CelValue } from "@typekube/cel";
import type { JsonObject } from "@typekube/core/internal/json";
import type { MatchOutcome } from "../conditions/match-conditions.js";
import { OutOfBudget, PolicyEvaluation, policyCostLimit } from "../expressions/evaluation.js";
import { PatchObject } from "../expressions/patch-types.js";
import type { PolicyInput } from "../expressions/policy-input.js";
import { jsonOfConfiguration, jsonOfOperand } from "./json-of-value.js";
import type { CompiledMutatingPolicy, CompiledMutation } from "./mutating-policy.js";
import { typeNameProblems } from "./type-name-problems.js";

/** One operation of a JSON Patch. */
export interface PatchOperation {
  readonly op: string;
  readonly path: string;
  readonly from?: string;
  readonly value?: unknown;
}

/** A change that a mutation wants. */
export type Mutation =
  | { readonly patchType: "JSONPatch"; readonly operations: readonly PatchOperation[] }
  /** Fields to merge into the object as server-side apply does. */
  | { readonly patchType: "ApplyConfiguration"; readonly configuration: JsonObject };

/** Thrown for a mutation that cannot be computed. */
export class MutationProblem extends Error {
  override readonly name = "MutationProblem";
}

/** Returns whether the match conditions of a policy let it take part. */
export function matchesConditions(
  compiled: CompiledMutatingPolicy,
  input: PolicyInput,
): MatchOutcome {
  return compiled.conditions?.match(input, compiled.failurePolicy) ?? { matches: true };
}

/**
 * Evaluates one mutation on the object as the mutations before left it.
 *
 * @throws {MutationProblem} if the expression does not compile, fails, costs too much, or has a value that is no patch.
 */
export function computeMutation(
  { expressions }: CompiledMutatingPolicy,
  { patchType, expression }: CompiledMutation,
  input: PolicyInput,
): Mutation {
  if (expression.problem !== undefined) {
    throw new MutationProblem(expression.problem);
  }
  const value = evaluate();
  return patchType === "JSONPatch"
    ? { patchType, operations: operationsOf(value) }
    : { patchType, configuration: configurationOf(value) };

  function evaluate(): CelValue {
    try {
      const outcome = new PolicyEvaluation(expressions, input, policyCostLimit).evaluate(
        expression,
      );
      if ("error" in outcome) {
        throw new MutationProblem(outcome.error);
      }
      return outcome.value;
    } catch (error) {
      throw error instanceof OutOfBudget ? new MutationProblem(error.message) : error;
    }
  }
}

function operationsOf(value: CelValue): readonly PatchOperation[] {
  if (!(value instanceof CelList)) {
    throw new MutationProblem("type mismatch: JSONPatch.expression should evaluate to array");
  }
  return Array.from(value, operationOf);
}

function operationOf(value: CelValue): PatchOperation {
  if (!(value instanceof PatchObject)) {
    throw new MutationProblem(
      "type mismatch: JSONPatchType.expression should evaluate to array of JSONPatch",
    );
  }
  const text = (name: string): string => {
    const found = value.field(name);
    return typeof found === "string" ? found : "";
  };
  const op = text("op");
  // The server adds null for an operation without its value.
  const given = value.field("value") ?? (op === "add" || op === "replace" ? null : undefined);
  const from = text("from");
  return {
    op,
    path: text("path"),
    ...(from === "" ? {} : { from }),
    ...(given === undefined ? {} : { value: operand(given) }),
  };
}

function operand(value: CelValue): unknown {
  if (value instanceof PatchObject) {
    assertTypeNames(value, value.type.name);
  }
  try {
    return jsonOfOperand(value);
  } catch (error) {
    throw problemOf(
      "JSONPath valueExpression evaluated to a type that could not marshal to JSON",
      error,
    );
  }
}

function configurationOf(value: CelValue): JsonObject {
  if (!(value instanceof PatchObject)) {
    throw new MutationProblem("unsupported return type from ApplyConfiguration expression");
  }
  assertTypeNames(value, "Object");
  try {
    return Object.fromEntries(
      Array.from(value.fields, ([name, part]) => [name, jsonOfConfiguration(part, `.${name}`)]),
    );
  } catch (error) {
    throw problemOf("error applying patch: failed to convert patch object to typed object", error);
  }
}

function assertTypeNames(value: PatchObject, path: string): void {
  const problems = typeNameProblems(value, path);
  if (problems.length > 0) {
    throw new MutationProblem(`type mismatch: ${problems.join("\n")}`);
  }
}

function problemOf(prefix: string, error: unknown): unknown {
  return error instanceof TypeError
    ? new MutationProblem(`${prefix}: ${error.message}`, { cause: error })
    : error;
}
