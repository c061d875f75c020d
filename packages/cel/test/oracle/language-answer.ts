import { Environment } from "../../src/environment/environment.js";
import { languageOf } from "../../src/environment/language-versions.js";
import { Estimate } from "../../src/functions/estimate.js";
import { toCel } from "../../src/inputs/to-cel.js";
import { CelFailure } from "../../src/values/cel-failure.js";
import { type CelType, dynType } from "../../src/values/cel-type.js";
import { oracleType, parsedType } from "./oracle-type-names.js";
import type { OracleAnswer, OracleCase, OracleVariable } from "./oracle-types.js";
import { oracleValue } from "./oracle-value.js";

/** The parts of an answer that must be equal. */
export type ComparedAnswer = Pick<
  OracleAnswer,
  "cost" | "error" | "estimate" | "programError" | "type" | "value"
> & {
  readonly compileErrors?: readonly string[];
};

/** Returns our answer to a case of the oracle. */
export function ourAnswer({
  expression = "",
  variables = {},
  version,
  mode = "new",
}: OracleCase): ComparedAnswer {
  const types = new Map<string, CelType>(
    Object.entries(variables).map(([name, { type }]) => [name, parsedType(type)]),
  );
  const compiled = new Environment({ ...languageOf(version, mode), variables: types }).compile(
    expression,
  );
  if (!compiled.ok) {
    return compiled.instantiation === undefined
      ? { compileErrors: compiled.problems.sorted().map(shortProblem) }
      : { programError: compiled.instantiation.replace("program instantiation failed: ", "") };
  }
  const { program } = compiled;
  const { result, cost } = program.run((name) => {
    const variable = variables[name];
    return variable === undefined
      ? new CelFailure(`no such attribute(s): ${name}`)
      : toCel(exact(variable), types.get(name) ?? dynType);
  });
  const { min, max } = program.estimate(([name = "", ...rest]) => {
    const size = rest.length === 0 ? variables[name]?.size : undefined;
    return size === undefined ? undefined : new Estimate(BigInt(size.min), BigInt(size.max));
  });
  return {
    type: oracleType(program.type),
    ...("code" in result ? { error: result.message } : { value: oracleValue(result.value) }),
    cost: String(cost),
    estimate: { min: String(min), max: String(max) },
  };
}

/** Integers beyond the safe ones are texts in the cases. */
function exact({ type, value }: OracleVariable): unknown {
  return type === "int" && typeof value === "string" ? BigInt(value) : value;
}

/** Returns the parts of the oracle's answer that must be equal. */
export function theirAnswer(answer: OracleAnswer): ComparedAnswer {
  const { compileErrors, programError, type, value, error, cost, estimate } = answer;
  if (compileErrors !== undefined) {
    const shown = compileErrors.map(({ message, line, column }) =>
      shortProblem({ message, line, column: column + 1 }),
    );
    return { compileErrors: withoutRecovery(shown) };
  }
  if (programError !== undefined) {
    return { programError };
  }
  return {
    ...(type === undefined ? {} : { type }),
    ...(error === undefined ? { value } : { error }),
    ...(cost === undefined ? {} : { cost }),
    ...(estimate === undefined ? {} : { estimate }),
  };
}

/** The words of syntax errors may differ, their places may not. */
function shortProblem({
  message,
  line,
  column,
}: {
  readonly message: string;
  readonly line: number;
  readonly column: number;
}): string {
  return `${line}:${column}: ${message.startsWith("Syntax error") ? "Syntax error" : message}`;
}

/** Behind the first syntax error, cel-go guesses how to go on; we do not. */
function withoutRecovery(problems: readonly string[]): readonly string[] {
  const first = problems.find((problem) => problem.endsWith("Syntax error"));
  return first === undefined ? problems : [first];
}
