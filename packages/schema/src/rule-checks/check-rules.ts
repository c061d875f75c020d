import { type Language, languageOf } from "@typekube/cel/internal";
import type { StatusCause } from "@typekube/core";
import { cause } from "@typekube/core/internal/field-errors";
import { type CompiledRule, compileRules } from "../rules/compile-rules.js";
import { type DeclaredType, declaredType, selfTypeName } from "../rules/declared-type.js";
import { rulesOf, type ValidationRule } from "../rules/validation-rule.js";
import type { StructuralSchema } from "../structural/structural-schema.js";
import { addCosts, definitionCostLimit, multiplyCosts, ruleCostLimit } from "./cost-limits.js";
import { placesWithRules, type RulePlace } from "./rule-places.js";

/** Number of the most expensive rules that are named when all together are too expensive. */
const namedContributors = 4;

/** Options of `checkRules`. */
export interface CheckRulesOptions {
  /** Version of Kubernetes, for example "1.37". */
  readonly version?: string | undefined;
  /** Rules and message expressions that the old definition has: they are compiled as what is stored already. */
  readonly known?: ReadonlySet<string>;
  /** True for a version whose schema did not change: the limit of one rule is not checked again. */
  readonly isUnchanged?: boolean;
}

/** Returns what is wrong with the rules of a valid structural schema: wrong expressions and too high costs. */
export function checkRules(
  schema: StructuralSchema,
  path: string,
  options: CheckRulesOptions = {},
): readonly StatusCause[] {
  const checker = new RuleChecker(options);
  for (const { place, rules } of compiledPlaces(schema, path, options)) {
    checker.check(place, rules);
  }
  return checker.finish(path);
}

/** A place with rules. */
export interface CompiledPlace {
  readonly place: RulePlace;
  /** Type of `self`. */
  readonly type: DeclaredType;
  readonly rules: readonly CompiledRule[];
}

/** Yields the places that have rules, with their rules compiled as for a write of the definition. */
export function* compiledPlaces(
  schema: StructuralSchema,
  path: string,
  { version, known }: CheckRulesOptions,
): Generator<CompiledPlace> {
  const stored = languageOf(version, "stored");
  const fresh = languageOf(version, "new");
  const languageFor = (expression: string): Language =>
    known?.has(expression) === true ? stored : fresh;
  for (const place of placesWithRules(schema, path)) {
    const isObject = place.isRoot || place.schema.embeddedResource;
    const type = declaredType(place.schema, selfTypeName, isObject);
    if (type !== undefined) {
      yield { place, type, rules: compileRules(place.schema, type, languageFor) };
    }
  }
}

/** Returns the rules and message expressions of a schema. */
export function expressionsOf(schema: StructuralSchema): ReadonlySet<string> {
  const { items, properties, additionalProperties } = schema;
  const children = [
    ...properties.values(),
    ...(items === undefined ? [] : [items]),
    ...(typeof additionalProperties === "object" ? [additionalProperties] : []),
  ];
  return new Set([
    ...rulesOf(schema).flatMap(({ rule, messageExpression }) => [rule, messageExpression]),
    ...children.flatMap((child) => [...expressionsOf(child)]),
  ]);
}

class RuleChecker {
  readonly #errors: StatusCause[] = [];
  readonly #options: CheckRulesOptions;
  #total = 0n;
  #expensive: { readonly path: string; readonly cost: bigint }[] = [];

  constructor(options: CheckRulesOptions) {
    this.#options = options;
  }

  check(place: RulePlace, rules: readonly CompiledRule[]): void {
    for (const [index, compiled] of rules.entries()) {
      this.#checkRule(compiled, rulePath(place, index), place);
    }
  }

  finish(path: string): readonly StatusCause[] {
    if (this.#total > definitionCostLimit) {
      for (const expensive of this.#expensive) {
        this.#errors.push(
          cause.forbidden(
            expensive.path,
            "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema",
          ),
        );
      }
      const what = "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema";
      this.#errors.push(cause.forbidden(path, costMessage(what, this.#total, definitionCostLimit)));
    }
    return this.#errors;
  }

  #checkRule(compiled: CompiledRule, path: string, place: RulePlace): void {
    const { rule, problem, messageExpression, messageProblem } = compiled;
    this.#observe(`${path}.rule`, ruleCost(compiled, place), "estimated rule cost");
    if (problem !== undefined) {
      this.#errors.push(cause.invalid(`${path}.rule`, shownRule(rule), problem));
    }
    if (messageProblem !== undefined) {
      this.#errors.push(
        cause.invalid(`${path}.messageExpression`, shownRule(rule), messageProblem),
      );
    } else if (messageExpression !== undefined) {
      const messagePath = `${path}.messageExpression`;
      this.#observe(messagePath, messageExpression.maxCost, "estimated messageExpression cost");
    }
    if (compiled.usesOldSelf && place.uncorrelated !== undefined) {
      const why = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${place.uncorrelated}`;
      this.#errors.push(cause.invalid(`${path}.rule`, rule.rule, why));
    } else if (!compiled.usesOldSelf && rule.hasOptionalOldSelf) {
      this.#errors.push(
        cause.invalid(
          `${path}.optionalOldSelf`,
          rule.optionalOldSelf,
          "may not be set if oldSelf is not used in rule",
        ),
      );
    }
  }

  #observe(path: string, cost: bigint, what: string): void {
    if (cost > ruleCostLimit && this.#options.isUnchanged !== true) {
      this.#errors.push(cause.forbidden(path, costMessage(what, cost, ruleCostLimit)));
    }
    this.#total = addCosts(this.#total, cost);
    if (cost >= definitionCostLimit / 100n) {
      this.#expensive = [...this.#expensive, { path, cost }]
        .sort((a, b) => Number(b.cost - a.cost))
        .slice(0, namedContributors);
    }
  }
}

/** Returns the path of a rule in the definition. */
export function rulePath({ path }: RulePlace, index: number): string {
  return `${path}.x-kubernetes-validations[${index}]`;
}

/** Returns the largest cost of a rule for all values of its place together. */
export function ruleCost({ program, maxCardinality }: CompiledRule, place: RulePlace): bigint {
  return multiplyCosts(program?.maxCost, place.cardinality ?? maxCardinality) ?? 0n;
}

function costMessage(what: string, cost: bigint, limit: bigint): string {
  const factor = Number(cost) / Number(limit);
  const shown =
    factor > 100
      ? "more than 100x"
      : factor < 1.5
        ? `${factor.toFixed(6)}x`
        : `${factor.toFixed(1)}x`;
  return `${what} exceeds budget by factor of ${shown} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`;
}

/** A rule as a server prints it in an error. */
function shownRule(rule: ValidationRule): object {
  return {
    Rule: rule.rule,
    Message: rule.message,
    MessageExpression: rule.messageExpression,
    Reason: rule.reason ?? null,
    FieldPath: rule.fieldPath,
    OptionalOldSelf: rule.hasOptionalOldSelf ? rule.optionalOldSelf : null,
  };
}
