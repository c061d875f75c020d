import { Estimate } from "@typekube/cel";
import type { CompiledExpression } from "../rules/compile-rules.js";
import type { DeclaredType } from "../rules/declared-type.js";
import { sizeOf } from "../rules/size-of.js";
import { multiplyCosts } from "./cost-limits.js";
import type { RulePlace } from "./rule-places.js";
import { type SizedNode, sizedNodeAt } from "./sized-node.js";

/** A node whose size makes an expression more expensive. */
export interface CostNode {
  readonly node: SizedNode;
  /** Most elements, entries or characters that a value can have now. */
  readonly largest: bigint;
}

/** Bounds for some nodes, in elements, entries or characters. */
export type Bounds = ReadonlyMap<SizedNode, bigint>;

/** Cost of an expression, also for other bounds than those of its schema. */
export interface ExpressionCost {
  /** Path of the expression in the definition. */
  readonly path: string;
  /** Length of the expression, by which the work of an estimate is counted. */
  readonly length: number;
  /** Largest cost with the bounds of the schema, in units. */
  readonly cost: bigint;
  /** Returns the nodes on which the cost depends. */
  nodes(): readonly CostNode[];
  /** Returns the largest cost with other bounds for some nodes. */
  costWith(bounds: Bounds): bigint;
}

/** The parts of a cost. */
export interface ExpressionCostParts {
  readonly path: string;
  readonly source: string;
  readonly expression: CompiledExpression;
  readonly place: RulePlace;
  /** Type of `self`. */
  readonly type: DeclaredType;
  /** How many values of the place one object can have at most, if nothing around it has a bound. */
  readonly maxCardinality: bigint;
  /** False for a message: it is evaluated once, whatever the number of values. */
  readonly isPerValue: boolean;
}

/** Returns the cost of a rule or of its message expression. */
export function expressionCost(parts: ExpressionCostParts): ExpressionCost {
  const { place, type, isPerValue, maxCardinality } = parts;
  const { program } = parts.expression;
  const read = new Map<string, CostNode | undefined>();
  const findNode = (steps: readonly string[]): CostNode | undefined => {
    const key = JSON.stringify(steps);
    if (!read.has(key)) {
      read.set(key, costNode(parts, steps));
    }
    return read.get(key);
  };
  const costWith = (bounds: Bounds): bigint => {
    const { max } = program.estimate((path) => {
      const found = path.length === 0 ? undefined : findNode(path.slice(1));
      const bound = found === undefined ? undefined : bounds.get(found.node);
      return found === undefined || bound === undefined
        ? sizeOf(type, path)
        : new Estimate(0n, bound * found.node.weight);
    });
    const count = isPerValue ? (cardinality(place, bounds) ?? maxCardinality) : 1n;
    return multiplyCosts(max, count) ?? 0n;
  };
  return {
    path: parts.path,
    length: parts.source.length,
    cost: costWith(new Map()),
    nodes: () => [
      ...(isPerValue ? place.around : []).map((node) => ({
        node,
        largest: node.bound ?? maxCardinality,
      })),
      ...[...read.values()].filter((found) => found !== undefined),
    ],
    costWith,
  };
}

function costNode(
  { place, type }: ExpressionCostParts,
  steps: readonly string[],
): CostNode | undefined {
  const node = sizedNodeAt(place.schema, place.valuePath, steps);
  const size = node === undefined ? undefined : sizeOf(type, ["self", ...steps]);
  return node === undefined || size === undefined
    ? undefined
    : { node, largest: size.max / node.weight };
}

/** Returns how many values a place has with other bounds around it; `undefined` if one is still missing. */
function cardinality(
  { around, cardinality: known }: RulePlace,
  bounds: Bounds,
): bigint | undefined {
  return around.some((node) => bounds.has(node))
    ? around.reduce<bigint | undefined>(
        (product, node) => multiplyCosts(product, bounds.get(node) ?? node.bound),
        1n,
      )
    : known;
}
