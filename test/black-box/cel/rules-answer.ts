import { languageOf } from "../../../packages/cel/src/environment/language-versions.js";
import type { OracleAnswer, OracleCase } from "../../../packages/cel/test/oracle/oracle-types.js";
import {
  type CompiledRule,
  compileRules,
} from "../../../packages/schema/src/rules/compile-rules.js";
import { declaredType, selfTypeName } from "../../../packages/schema/src/rules/declared-type.js";
import { ruleValidator } from "../../../packages/schema/src/rules/rule-validator.js";
import { objectBudget, validateRules } from "../../../packages/schema/src/rules/validate-rules.js";
import {
  readStructuralSchema,
  type StructuralSchema,
} from "../../../packages/schema/src/structural/structural-schema.js";
import type { Json } from "./random-schemas.js";

/** The parts of an answer about rules that must be equal. */
export interface RulesAnswer {
  readonly rules: readonly string[];
  readonly errors: readonly string[];
  readonly remaining: string | undefined;
}

/** Returns our answer to a case with a schema. */
export function ourRules(
  { schema, object, oldObject }: OracleCase,
  theirs: OracleAnswer,
): RulesAnswer {
  const structural = readStructuralSchema(schema as Json);
  const rules = [...places(structural, "", true)].map(([path, rule]) => ruleText(path, rule));
  const validator = ruleValidator(structural, { version: "1.37" });
  if (validator === undefined) {
    return { rules, errors: [], remaining: comparedCost(theirs, objectBudget) };
  }
  const { causes, cost } = validateRules(
    validator,
    object,
    oldObject === undefined ? {} : { old: oldObject },
  );
  const details = [...(theirs.errors ?? [])];
  const errors = causes.map(({ reason, field, message = "" }) => {
    // Messages begin with the value; only what follows is compared.
    const at = details.findIndex(
      (one) =>
        one.type === reason &&
        one.field === field &&
        renamed(message).endsWith(renamed(one.detail)),
    );
    const detail = at < 0 ? message : (details.splice(at, 1)[0]?.detail ?? "");
    return `${reason} ${field}: ${renamed(detail)}`;
  });
  return { rules, errors: errors.sort(), remaining: comparedCost(theirs, objectBudget - cost) };
}

/** Returns the parts of the oracle's answer that must be equal. */
export function theirRules(answer: OracleAnswer): RulesAnswer {
  const { rules = [], errors = [], remaining = "" } = answer;
  return {
    rules: rules.map((rule) =>
      [
        rule.path,
        rule.rule,
        renamed(rule.error ?? ""),
        `cost ${rule.maxCost}`,
        `cardinality ${rule.maxCardinality}`,
        renamed(rule.messageError ?? ""),
        `message cost ${rule.messageMaxCost ?? "none"}`,
      ].join(" | "),
    ),
    // Go visits properties in any order.
    errors: errors.map(({ type, field, detail }) => `${type} ${field}: ${renamed(detail)}`).sort(),
    remaining: comparedCost(answer, remaining),
  };
}

/** Go visits the keys of a map in any order, so the cost of a macro that stops early differs from run to run. */
function comparedCost(
  { rules = [], remaining = "" }: OracleAnswer,
  value: number | string,
): string | undefined {
  const isKnown = !remaining.startsWith("-") && !rules.some(({ rule }) => /\(k\d, /.test(rule));
  return isKnown ? String(value) : undefined;
}

function ruleText(path: string, compiled: CompiledRule): string {
  const { rule, problem = "", program, maxCardinality, messageProblem = "" } = compiled;
  return [
    path,
    rule.rule,
    renamed(problem),
    `cost ${program?.maxCost ?? 0n}`,
    `cardinality ${program === undefined ? 0n : maxCardinality}`,
    messageProblem,
    `message cost ${compiled.messageExpression?.maxCost ?? "none"}`,
  ].join(" | ");
}

/** The number in the name of the type of `self` changes; syntax errors have our words. */
function renamed(text: string): string {
  return text
    .replace(/selfType\d+/g, selfTypeName)
    .replace(/(ERROR: <input>:\d+:\d+: Syntax error: )[^\n]*/g, "$1");
}

function* places(
  schema: StructuralSchema,
  path: string,
  isRoot: boolean,
): Generator<readonly [string, CompiledRule]> {
  const language = languageOf("1.37", "new");
  const type = declaredType(schema, selfTypeName, isRoot || schema.embeddedResource);
  if (type === undefined) {
    return;
  }
  for (const rule of compileRules(schema, type, () => language)) {
    yield [path, rule];
  }
  const { items, additionalProperties, properties } = schema;
  if (items !== undefined) {
    yield* places(items, `${path}[*]`, false);
  }
  if (typeof additionalProperties === "object") {
    yield* places(additionalProperties, `${path}[*]`, false);
  }
  for (const [name, property] of [...properties].sort(([a], [b]) => (a < b ? -1 : 1))) {
    yield* places(property, path === "" ? name : `${path}.${name}`, false);
  }
}
