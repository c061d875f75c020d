import type { Bounds, CostNode, ExpressionCost } from "./expression-cost.js";
import type { SizedNode } from "./sized-node.js";

/** Most nodes of one expression that are considered. */
export const maxCostNodes = 16;
/** Most sets of bounds that are returned for one expression. */
export const maxFixes = 3;
/** Work of one search: length of the expression times the number of estimates. */
export const maxSearchWork = 500_000;

/** Bounds that together make an expression cheap enough. */
export interface FoundBounds {
  readonly bounds: Bounds;
  /** The cost with these bounds, in units. */
  readonly cost: bigint;
}

/**
 * Searches the largest bounds with which an expression costs no more than a limit: one bound for the node that makes the
 * cost largest, and one each for other nodes that suffice alone; or, if no node does, one common bound for as few nodes
 * as possible.
 *
 * @returns The most effective bounds first; nothing if no bound suffices or the work would be too much.
 */
export function findBounds(expression: ExpressionCost, limit: bigint): readonly FoundBounds[] {
  const search = new BoundSearch(expression, limit);
  const effects = expression
    .nodes()
    .slice(0, maxCostNodes)
    .map((node) => ({ node, cost: search.costWith([node], 1n) }))
    .sort((a, b) => order(a.cost, b.cost));
  const alone = effects.filter(({ cost }) => cost <= limit).slice(0, maxFixes);
  if (alone.length > 0) {
    return alone.map(({ node }) => search.largest([node]));
  }
  const together = search.fewest(effects.map(({ node }) => node));
  return together === undefined ? [] : [search.largest(together)];
}

class BoundSearch {
  readonly #expression: ExpressionCost;
  readonly #limit: bigint;
  #work = 0;

  constructor(expression: ExpressionCost, limit: bigint) {
    this.#expression = expression;
    this.#limit = limit;
  }

  /** Returns the cost if each of the nodes has a bound; the present cost if there was too much work already. */
  costWith(nodes: readonly CostNode[], bound: bigint): bigint {
    this.#work += this.#expression.length;
    return this.#work > maxSearchWork
      ? this.#expression.cost
      : this.#expression.costWith(commonBound(nodes, bound));
  }

  /** Returns a small set of nodes that suffices with bounds of 1, `undefined` if even all nodes do not suffice. */
  fewest(nodes: readonly CostNode[]): readonly CostNode[] | undefined {
    if (!this.#suffices(nodes, 1n)) {
      return undefined;
    }
    let kept = nodes;
    // The least effective nodes are left out first.
    for (const node of nodes.toReversed()) {
      const without = kept.filter((other) => other !== node);
      kept = this.#suffices(without, 1n) ? without : kept;
    }
    return kept;
  }

  /** Returns the largest common bound of nodes that suffice with bounds of 1. */
  largest(nodes: readonly CostNode[]): FoundBounds {
    let [low, high] = [1n, nodes.map(({ largest }) => largest).reduce(larger, 1n)];
    while (low < high) {
      const middle = (low + high + 1n) / 2n;
      if (this.#suffices(nodes, middle)) {
        low = middle;
      } else {
        high = middle - 1n;
      }
    }
    const bounds = commonBound(nodes, low);
    return { bounds, cost: this.#expression.costWith(bounds) };
  }

  #suffices(nodes: readonly CostNode[], bound: bigint): boolean {
    return this.costWith(nodes, bound) <= this.#limit;
  }
}

/** No node gets a bound above its present size: that would change nothing, or make it worse. */
function commonBound(nodes: readonly CostNode[], bound: bigint): Bounds {
  return new Map<SizedNode, bigint>(
    nodes.map(({ node, largest }) => [node, bound < largest ? bound : largest]),
  );
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function order(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
