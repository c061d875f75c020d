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
    return { rules, errors: [], remaining: String(objectBudget) };
  }
  const { causes, cost } = validateRules(
    validator,
    object,
    oldObject === undefined ? {} : { old: oldObject },
  );
  const errors = causes.map(({ reason, field, message = "" }, at) => {
    // Messages begin with the value; only what follows is compared.
    const detail = theirs.errors?.[at]?.detail ?? "";
    return `${reason} ${field}: ${message.endsWith(detail) ? detail : message}`;
  });
  const ranOut = theirs.remaining?.startsWith("-") === true;
  return { rules, errors, remaining: ranOut ? undefined : String(objectBudget - cost) };
}

/** Returns the parts of the oracle's answer that must be equal. */
export function theirRules({ rules = [], errors = [], remaining = "" }: OracleAnswer): RulesAnswer {
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
    errors: errors.map(({ type, field, detail }) => `${type} ${field}: ${detail}`),
    remaining: remaining.startsWith("-") ? undefined : remaining,
  };
}

function ruleText(path: string, compiled: CompiledRule): string {
  const { rule, problem = "", program, maxCardinality, messageProblem = "" } = compiled;
  return [
    path,
    rule.rule,
    problem,
    `cost ${program?.maxCost ?? 0n}`,
    `cardinality ${program === undefined ? 0n : maxCardinality}`,
    messageProblem,
    `message cost ${compiled.messageExpression?.maxCost ?? "none"}`,
  ].join(" | ");
}

/** The number in the name of the type of `self` changes, and so does the order of syntax errors behind the first. */
function renamed(text: string): string {
  return text.replace(/selfType\d+/g, selfTypeName);
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
