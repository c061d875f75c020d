import type { JsonObject } from "@typekube/core/internal";
import { readStructuralSchema, type StructuralSchema } from "../structural/structural-schema.js";
import {
  type CheckRulesOptions,
  type CompiledPlace,
  compiledPlaces,
  rulePath,
} from "./check-rules.js";
import { addCosts, definitionCostLimit, ruleCostLimit } from "./cost-limits.js";
import { type ExpressionCost, expressionCost } from "./expression-cost.js";
import { type FoundBounds, findBounds } from "./find-bounds.js";
import type { BoundKeyword } from "./sized-node.js";

/** Most expressions of a definition whose costs are explained; the most expensive ones. */
export const maxExplainedCosts = 10;

/** A bound that a schema should have. */
export interface CostBound {
  /** Path of the list, map or string, for example `spec.rules[*].matches`. */
  readonly path: string;
  readonly keyword: BoundKeyword;
  /** The largest bound that fits. */
  readonly atMost: bigint;
  /** The bound that the schema has; `undefined` if it is missing. */
  readonly current: bigint | undefined;
}

/** Bounds that together make a rule cheap enough. */
export interface CostFix {
  readonly bounds: readonly CostBound[];
  /** The cost of the rule with these bounds, in units. */
  readonly cost: bigint;
}

/** A rule or message expression that may cost too much. */
export interface CostExplanation {
  /** Path of the expression, as in the error of a server. */
  readonly path: string;
  /** Largest cost that the schema allows, in units. */
  readonly cost: bigint;
  /** The cost that the expression may have: its limit, or its share of the limit of the definition. */
  readonly limit: bigint;
  /** Ways out, the most effective one first; empty if no bound suffices. */
  readonly fixes: readonly CostFix[];
  /** The same in words: "maxItems <= 64 at spec.rules[*].matches makes this 8,112,000 of 10,000,000". */
  readonly text: string;
}

/** Options of `explainCost`. */
export interface ExplainCostOptions {
  /** Version of Kubernetes, for example "1.37". Default: the newest known one. */
  readonly version?: string;
}

/**
 * Explains why a server refuses the rules of a definition as too expensive: which list, map or string dominates, and the
 * largest bound with which the rule is accepted.
 *
 * @param schema - The `openAPIV3Schema` of a definition's version.
 * @returns Nothing for rules that are cheap enough; else the most expensive rules first.
 * @throws {RangeError} for an unknown version.
 */
export function explainCost(
  schema: JsonObject,
  options: ExplainCostOptions = {},
): readonly CostExplanation[] {
  return explainCosts(readStructuralSchema(schema), "openAPIV3Schema", options);
}

/** Same for a schema that is read already, under the options and paths of `checkRules`. */
export function explainCosts(
  schema: StructuralSchema,
  path: string,
  options: CheckRulesOptions,
): readonly CostExplanation[] {
  const costs = [...compiledPlaces(schema, path, options)].flatMap(costsOf);
  const allowed = costs.map(({ cost }) =>
    options.isUnchanged === true || cost < ruleCostLimit ? cost : ruleCostLimit,
  );
  const total = allowed.reduce(addCosts, 0n);
  return costs
    .map((expression, index) => ({ expression, limit: shareOf(allowed[index] ?? 0n, total) }))
    .filter(({ expression, limit }) => expression.cost > limit)
    .sort((a, b) => Number(b.expression.cost - a.expression.cost))
    .slice(0, maxExplainedCosts)
    .map(({ expression, limit }) => explained(expression, limit));
}

function costsOf({ place, type, rules }: CompiledPlace): readonly ExpressionCost[] {
  return rules.flatMap(({ rule, program, messageExpression, maxCardinality }, index) => {
    const path = rulePath(place, index);
    const shared = { place, type, maxCardinality };
    return [
      ...(program === undefined
        ? []
        : [
            expressionCost({
              ...shared,
              path: `${path}.rule`,
              source: rule.rule,
              expression: program,
              isPerValue: true,
            }),
          ]),
      ...(messageExpression === undefined
        ? []
        : [
            expressionCost({
              ...shared,
              path: `${path}.messageExpression`,
              source: rule.messageExpression,
              expression: messageExpression,
              isPerValue: false,
            }),
          ]),
    ];
  });
}

/** If all rules together are too expensive, each one has to become cheaper by the same factor. */
function shareOf(cost: bigint, total: bigint): bigint {
  return total > definitionCostLimit ? (cost * definitionCostLimit) / total : cost;
}

function explained(expression: ExpressionCost, limit: bigint): CostExplanation {
  const fixes = findBounds(expression, limit).map(fixOf);
  const { path, cost } = expression;
  return { path, cost, limit, fixes, text: textOf(cost, limit, fixes) };
}

function fixOf({ bounds, cost }: FoundBounds): CostFix {
  return {
    bounds: Array.from(bounds, ([{ path, keyword, bound }, atMost]) => ({
      path,
      keyword,
      atMost,
      current: bound,
    })),
    cost,
  };
}

function textOf(cost: bigint, limit: bigint, [first, ...others]: readonly CostFix[]): string {
  const share = limit < ruleCostLimit ? ", its share of the limit of all rules" : "";
  if (first === undefined) {
    return `no bound is enough to bring ${shown(cost)} down to ${shown(limit)}${share}: simplify the rule or split it`;
  }
  const verb = first.bounds.length === 1 ? "makes" : "together make";
  const alternatives = others.map((fix) => `; so does ${boundsText(fix)}`);
  return `${boundsText(first)} ${verb} this ${shown(first.cost)} of ${shown(limit)}${share}${alternatives.join("")}`;
}

function boundsText({ bounds }: CostFix): string {
  return bounds
    .map(({ keyword, atMost, path, current }) => {
      const now = current === undefined ? "" : ` (now ${shown(current)})`;
      return `${keyword} <= ${atMost} at ${path}${now}`;
    })
    .join(" and ");
}

function shown(units: bigint): string {
  return units.toLocaleString("en-US");
}
