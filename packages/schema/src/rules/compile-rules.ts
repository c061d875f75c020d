import { CelFailure, optionalType, type StructType } from "@typekube/cel";
import { collectStructs, Environment, type Language, type Program } from "@typekube/cel/internal";
import { trimSpace } from "@typekube/core/internal/texts";
import type { StructuralSchema } from "../structural/structural-schema.js";
import { type DeclaredType, maxRequestBytes } from "./declared-type.js";
import { ruleFieldPath } from "./rule-field-path.js";
import { sizeOf } from "./size-of.js";
import { rulesOf, type ValidationRule } from "./validation-rule.js";

/** A compiled expression with its estimated cost. */
export interface CompiledExpression {
  readonly program: Program;
  /** Largest cost in units that the sizes of the schema allow. */
  readonly maxCost: bigint;
}

/** A rule of a definition, compiled. */
export interface CompiledRule {
  readonly rule: ValidationRule;
  /** `undefined` for an empty rule and for one that does not compile. */
  readonly program: CompiledExpression | undefined;
  /** Why the rule does not compile. */
  readonly problem: string | undefined;
  /** True if the rule compares with the old value: it is skipped where no old value exists. */
  readonly usesOldSelf: boolean;
  readonly messageExpression: CompiledExpression | undefined;
  readonly messageProblem: string | undefined;
  /** `fieldPath` as errors show it; empty without one or with a wrong one. */
  readonly fieldPath: string;
  /** How many values of this place one object can have at most. */
  readonly maxCardinality: bigint;
}

/**
 * Compiles the rules of one place of a schema, without those of the places below it.
 *
 * @param type - Type of `self`.
 * @param languageFor - Returns the language of a rule: older for a new rule than for one that is stored already.
 */
export function compileRules(
  schema: StructuralSchema,
  type: DeclaredType,
  languageFor: (expression: string) => Language,
): readonly CompiledRule[] {
  const plain = new Map<Language, Environment>();
  const optional = new Map<Language, Environment>();
  const environmentOf = (language: Language, optionalOldSelf: boolean): Environment => {
    const environments = optionalOldSelf ? optional : plain;
    const known = environments.get(language) ?? createEnvironment(type, language, optionalOldSelf);
    environments.set(language, known);
    return known;
  };
  return rulesOf(schema).map((rule) => {
    const environment = environmentOf(languageFor(rule.rule), rule.optionalOldSelf);
    const messageEnvironment = environmentOf(
      languageFor(rule.messageExpression),
      rule.optionalOldSelf,
    );
    return compileRule({ rule, schema, type, environment, messageEnvironment });
  });
}

interface RuleParts {
  readonly rule: ValidationRule;
  readonly schema: StructuralSchema;
  readonly type: DeclaredType;
  readonly environment: Environment;
  readonly messageEnvironment: Environment;
}

function compileRule(parts: RuleParts): CompiledRule {
  const { rule, schema, type, environment, messageEnvironment } = parts;
  const empty: CompiledRule = {
    rule,
    program: undefined,
    problem: undefined,
    usesOldSelf: false,
    messageExpression: undefined,
    messageProblem: undefined,
    fieldPath: "",
    maxCardinality: BigInt(Math.floor(maxRequestBytes / (type.minBytes + 1))),
  };
  if (trimSpace(rule.rule) === "") {
    return empty;
  }
  const compiled = compileExpression(environment, rule.rule, type, {
    prefix: "",
    kind: "bool",
    wrongType: "cel expression must evaluate to a bool",
  });
  if ("problem" in compiled) {
    return { ...empty, problem: compiled.problem };
  }
  const message =
    rule.messageExpression === ""
      ? undefined
      : compileExpression(messageEnvironment, rule.messageExpression, type, {
          prefix: "messageExpression ",
          kind: "string",
          wrongType: "messageExpression must evaluate to a string",
        });
  const path = rule.fieldPath === "" ? { path: "" } : ruleFieldPath(rule.fieldPath, schema);
  return {
    ...empty,
    program: compiled,
    usesOldSelf: compiled.program.variables.includes("oldSelf"),
    messageExpression: message !== undefined && "problem" in message ? undefined : message,
    messageProblem: message !== undefined && "problem" in message ? message.problem : undefined,
    fieldPath: "path" in path ? path.path : "",
  };
}

interface Expected {
  /** Begin of messages. */
  readonly prefix: string;
  readonly kind: "bool" | "string";
  readonly wrongType: string;
}

function compileExpression(
  environment: Environment,
  source: string,
  type: DeclaredType,
  { prefix, kind, wrongType }: Expected,
): CompiledExpression | { readonly problem: string } {
  const compiled = environment.compile(source);
  if (!compiled.ok) {
    if (compiled.instantiation !== undefined) {
      const reason = compiled.instantiation.replace("program instantiation failed: ", "");
      const what = prefix === "" ? "program" : "messageExpression";
      return { problem: `${what} instantiation failed: ${reason}` };
    }
    return { problem: `${prefix}compilation failed: ${compiled.problems.toString()}` };
  }
  const { program } = compiled;
  if (program.type.kind !== kind) {
    return { problem: wrongType };
  }
  return { program, maxCost: program.estimate((path) => sizeOf(type, path)).max };
}

function createEnvironment(
  { type }: DeclaredType,
  language: Language,
  optionalOldSelf: boolean,
): Environment {
  const structs = new Map<string, StructType>();
  collectStructs(type, structs);
  return new Environment({
    ...language,
    variables: new Map([
      ["self", type],
      ["oldSelf", optionalOldSelf ? optionalType(type) : type],
    ]),
    types: {
      structType: (name) => structs.get(name),
      field: (typeName, field) => structs.get(typeName)?.fields.get(field),
      create: (struct) => new CelFailure(`rules cannot create an object of type ${struct.name}`),
    },
  });
}
