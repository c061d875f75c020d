import { type Language, languageOf } from "@typekube/cel/internal";
import type { StatusCause } from "@typekube/core";
import { cause } from "@typekube/core/internal/field-errors";
import type { StructuralSchema } from "../structural/structural-schema.js";
import { type CompiledRule, compileRules } from "./compile-rules.js";
import { declaredType, selfTypeName } from "./declared-type.js";
import { rulesOf, type ValidationRule } from "./validation-rule.js";

/** Largest estimated cost of one rule over all places of an object, in units (`StaticEstimatedCostLimit`). */
export const ruleCostLimit = 10_000_000n;
/** Largest estimated cost of all rules of a definition's version, in units (`StaticEstimatedCRDCostLimit`). */
export const definitionCostLimit = 100_000_000n;

const maxUint64 = 2n ** 64n - 1n;
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
  checker.check(schema, { path, isRoot: true, cardinality: 1n, uncorrelated: undefined });
  return checker.finish(path);
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

interface RulePlace {
  readonly path: string;
  readonly isRoot: boolean;
  /** How many values the place has at most; `undefined` if a list or map around it has no bound. */
  readonly cardinality: bigint | undefined;
  /** Path of the list or map around the place whose old elements cannot be found. */
  readonly uncorrelated: string | undefined;
}

class RuleChecker {
  readonly #errors: StatusCause[] = [];
  readonly #options: CheckRulesOptions;
  readonly #stored: Language;
  readonly #new: Language;
  #total = 0n;
  #expensive: { readonly path: string; readonly cost: bigint }[] = [];

  constructor(options: CheckRulesOptions) {
    this.#options = options;
    this.#stored = languageOf(options.version, "stored");
    this.#new = languageOf(options.version, "new");
  }

  check(schema: StructuralSchema, place: RulePlace): void {
    const { path, cardinality } = place;
    const { items, properties, additionalProperties, mapType, listType } = schema;
    const inside = multiplied(cardinality, growth(schema));
    if (typeof additionalProperties === "object") {
      this.check(additionalProperties, {
        ...place,
        path: `${path}.additionalProperties`,
        isRoot: false,
        cardinality: inside,
      });
    }
    const isKnownMapType = mapType === undefined || ["atomic", "granular"].includes(mapType);
    for (const [name, property] of properties) {
      this.check(property, {
        path: `${path}.properties[${name}]`,
        isRoot: false,
        cardinality: inside,
        uncorrelated: place.uncorrelated ?? (isKnownMapType ? undefined : path),
      });
    }
    if (items !== undefined) {
      this.check(items, {
        path: `${path}.items`,
        isRoot: false,
        cardinality: inside,
        uncorrelated: place.uncorrelated ?? (listType === "map" ? undefined : path),
      });
    }
    this.#checkOwn(schema, place);
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

  #checkOwn(schema: StructuralSchema, place: RulePlace): void {
    const type =
      rulesOf(schema).length === 0
        ? undefined
        : declaredType(schema, selfTypeName, place.isRoot || schema.embeddedResource);
    if (type === undefined) {
      return;
    }
    const languageFor = (expression: string): Language =>
      this.#options.known?.has(expression) === true ? this.#stored : this.#new;
    for (const [index, compiled] of compileRules(schema, type, languageFor).entries()) {
      this.#checkRule(compiled, `${place.path}.x-kubernetes-validations[${index}]`, place);
    }
  }

  #checkRule(compiled: CompiledRule, path: string, place: RulePlace): void {
    const { rule, program, problem, messageExpression, messageProblem } = compiled;
    const cost = multiplied(program?.maxCost, place.cardinality ?? compiled.maxCardinality) ?? 0n;
    this.#observe(`${path}.rule`, cost, "estimated rule cost");
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
    const total = this.#total + cost;
    this.#total = total > maxUint64 ? maxUint64 : total;
    if (cost >= definitionCostLimit / 100n) {
      this.#expensive = [...this.#expensive, { path, cost }]
        .sort((a, b) => Number(b.cost - a.cost))
        .slice(0, namedContributors);
    }
  }
}

/** Returns the factor by which a list or map multiplies what is inside; `undefined` without a bound. */
function growth({ type, source, additionalProperties }: StructuralSchema): bigint | undefined {
  if (type === "object" && additionalProperties !== undefined && additionalProperties !== false) {
    return bound(source["maxProperties"]);
  }
  return type === "array" ? bound(source["maxItems"]) : 1n;
}

function bound(value: unknown): bigint | undefined {
  return typeof value === "number" || typeof value === "bigint"
    ? BigInt(Math.max(Number(value), 0))
    : undefined;
}

function multiplied(a: bigint | undefined, b: bigint | undefined): bigint | undefined {
  if (a === undefined || b === undefined) {
    return undefined;
  }
  const product = a * b;
  return product > maxUint64 ? maxUint64 : product;
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
