import { type CheckedExpression, typeOfNode } from "../check/checked-expression.js";
import { listCost, mapCost, structCost } from "../evaluate/plan-construction.js";
import type { CallEstimate, CallToEstimate, EstimatedValue } from "../functions/call-estimate.js";
import { Estimate } from "../functions/estimate.js";
import type { Overload } from "../functions/overload.js";
import type {
  Call,
  Comprehension,
  Expression,
  ListExpression,
  MapExpression,
  Select,
} from "../syntax/expression.js";
import { accumulatorName } from "../syntax/macro.js";
import { operators } from "../syntax/operators.js";
import { qualifiedName } from "../syntax/qualified-name.js";
import type { CelType } from "../values/cel-type.js";
import { type EntrySizes, joinedEntries } from "./entry-sizes.js";
import { estimatedValue, type SizeOf } from "./estimated-value.js";
import { literalSize, typeSize } from "./known-sizes.js";
import { type LocalVariable, LocalVariables } from "./local-variables.js";

const nothing = Estimate.exactly(0);
const one = Estimate.exactly(1);
const none = new Estimate(2n ** 64n - 1n, 0n);

/** Estimates the units of an expression from its types and the sizes of its inputs, as the checker of cel-go does. */
export function estimateCost(checked: CheckedExpression, sizeOf: SizeOf): Estimate {
  return new CostEstimator(checked, sizeOf).cost(checked.expression);
}

class CostEstimator {
  readonly #checked: CheckedExpression;
  readonly #sizeOf: SizeOf;
  readonly #paths = new Map<number, readonly string[]>();
  readonly #sizes = new Map<number, Estimate>();
  readonly #entrySizes = new Map<number, EntrySizes>();
  readonly #locals = new LocalVariables();

  constructor(checked: CheckedExpression, sizeOf: SizeOf) {
    this.#checked = checked;
    this.#sizeOf = sizeOf;
  }

  cost(node: Expression): Estimate {
    switch (node.kind) {
      case "literal":
        return nothing;
      case "identifier":
        this.#paths.set(node.id, this.#locals.get(node.name)?.path ?? [node.name]);
        return one;
      case "select":
        return this.#select(node);
      case "call":
        return node.name === "dyn" ? this.#dyn(node) : this.#call(node);
      case "list":
        return this.#list(node);
      case "map":
        return this.#map(node);
      case "struct":
        return sum(node.fields.map(({ value }) => this.cost(value))).add(
          Estimate.exactly(structCost),
        );
      case "comprehension":
        return isBinding(node) ? this.#binding(node) : this.#comprehension(node);
    }
  }

  #select(node: Select): Estimate {
    if (this.#checked.references.has(node.id)) {
      // A name with dots, which is one identifier.
      this.#paths.set(node.id, [qualifiedName(node)?.all ?? ""]);
      return one;
    }
    const operand = this.cost(node.operand);
    if (node.testOnly) {
      return operand;
    }
    this.#paths.set(node.id, [...this.#path(node.operand), node.field]);
    const { kind } = this.#type(node.operand);
    return kind === "map" || kind === "struct" || kind === "typeParameter"
      ? operand.add(one)
      : operand;
  }

  /** `dyn(x)` only switches off type checks. */
  #dyn(node: Call): Estimate {
    const [argument] = node.args;
    if (argument === undefined) {
      return one;
    }
    const cost = this.cost(argument);
    this.#copySizes(node, argument);
    return cost.add(one);
  }

  #call(node: Call): Estimate {
    const reference = this.#checked.references.get(node.id);
    const costs = node.args.map((argument) => this.cost(argument));
    if (reference?.kind !== "function") {
      return nothing;
    }
    const member = reference.qualified ? undefined : node.target;
    const targetCost = member === undefined ? nothing : this.cost(member);
    const call: CallToEstimate = {
      target: member === undefined ? undefined : this.#estimated(member),
      args: node.args.map((argument) => this.#estimated(argument)),
    };
    let cost = none;
    let resultSize: Estimate | undefined;
    for (const overload of reference.overloads) {
      const estimate = this.#overloadCost(node, overload, call, costs);
      cost = cost.union(estimate.cost);
      resultSize = joined(resultSize, estimate.resultSize);
      const [container] = node.args;
      if (overload.id === "index_list" || overload.id === "index_map") {
        if (container !== undefined) {
          const step = overload.id === "index_list" ? "@items" : "@values";
          resultSize = this.#entries(container)?.value;
          this.#paths.set(node.id, [...this.#path(container), step]);
        }
      }
      resultSize ??= this.#size(node);
    }
    if (resultSize !== undefined) {
      this.#sizes.set(node.id, resultSize);
    }
    return targetCost.add(cost);
  }

  #overloadCost(
    node: Call,
    overload: Overload,
    call: CallToEstimate,
    costs: readonly Estimate[],
  ): CallEstimate {
    const [first = nothing, second = nothing, third = nothing] = costs;
    switch (node.name) {
      case operators.and:
      case operators.or:
        // The left operand may decide alone.
        return { cost: new Estimate(first.min, first.add(second).max) };
      case operators.conditional: {
        const [, whenTrue, whenFalse] = node.args;
        if (whenTrue === undefined || whenFalse === undefined) {
          return { cost: first };
        }
        this.#setEntries(node, joinedEntries(this.#entries(whenTrue), this.#entries(whenFalse)));
        return {
          cost: first.add(second.union(third)),
          resultSize: this.#sizeOrUnknown(whenTrue).union(this.#sizeOrUnknown(whenFalse)),
        };
      }
      case operators.add: {
        const [left, right] = node.args;
        if (
          left !== undefined &&
          right !== undefined &&
          /^add_(?:list|string|bytes)$/.test(overload.id)
        ) {
          this.#setEntries(node, joinedEntries(this.#entries(left), this.#entries(right)));
        }
        break;
      }
      default:
        break;
    }
    const estimate = overload.costs.estimate?.(call);
    const args = sum(costs);
    return estimate === undefined
      ? { cost: one.add(args) }
      : { ...estimate, cost: estimate.cost.add(args) };
  }

  #list(node: ListExpression): Estimate {
    let size = node.elements.length === 0 ? new Estimate(0n, 0n) : none;
    let cost = nothing;
    for (const element of node.elements) {
      cost = cost.add(this.cost(element));
      size = size.union(this.#sizeOrUnknown(element));
    }
    this.#entrySizes.set(node.id, { container: "list", key: one, value: size });
    return cost.add(Estimate.exactly(listCost));
  }

  #map(node: MapExpression): Estimate {
    const empty = node.entries.length === 0 ? new Estimate(0n, 0n) : none;
    let [key, value, cost] = [empty, empty, nothing];
    for (const entry of node.entries) {
      cost = cost.add(this.cost(entry.key)).add(this.cost(entry.value));
      key = key.union(this.#sizeOrUnknown(entry.key));
      value = value.union(this.#sizeOrUnknown(entry.value));
    }
    this.#entrySizes.set(node.id, { container: "map", key, value });
    return cost.add(Estimate.exactly(mapCost));
  }

  #comprehension(node: Comprehension): Estimate {
    const start = this.cost(node.range).add(this.cost(node.initial));
    this.#locals.push(node.accumulator, this.#bound(node.initial));
    this.#pushLoopVariables(node);
    const loop = this.cost(node.condition);
    const step = this.cost(node.step);
    this.#locals.pop(node.variable);
    if (node.secondVariable !== undefined) {
      this.#locals.pop(node.secondVariable);
    }
    const result = this.cost(node.result);
    this.#locals.pop(node.accumulator);
    const count = this.#sizeOrUnknown(node.range);
    this.#keepResultSize(node, count);
    return start.add(result).add(count.multiply(step.add(loop)));
  }

  #keepResultSize(node: Comprehension, count: Estimate): void {
    switch (node.initial.kind) {
      case "literal": {
        const size = this.#size(node.initial);
        if (size !== undefined) {
          this.#sizes.set(node.id, size);
        }
        break;
      }
      case "list":
      case "map":
        this.#sizes.set(node.id, count);
        this.#setEntries(node, this.#entries(node.step));
        break;
      default:
        break;
    }
  }

  #pushLoopVariables({ range, variable, secondVariable }: Comprehension): void {
    const entries = this.#entries(range);
    const isList = (entries?.container ?? this.#type(range).kind) === "list";
    const path = this.#path(range);
    const push = (name: string, step: string, size: Estimate | undefined): void => {
      this.#locals.push(name, { path: [...path, step], size, entries: undefined });
    };
    if (secondVariable === undefined) {
      push(variable, isList ? "@items" : "@keys", isList ? entries?.value : entries?.key);
    } else {
      push(variable, isList ? "@indices" : "@keys", entries?.key);
      push(secondVariable, isList ? "@items" : "@values", entries?.value);
    }
  }

  /** The variable of `optMap` is a loop over nothing. */
  #binding(node: Comprehension): Estimate {
    const start = this.cost(node.range).add(this.cost(node.initial));
    this.#locals.push(node.accumulator, this.#bound(node.initial));
    const result = this.cost(node.result);
    this.#locals.pop(node.accumulator);
    this.#copySizes(node, node.result);
    return start.add(result);
  }

  #bound(initial: Expression): LocalVariable {
    return {
      path: this.#path(initial),
      size: this.#size(initial),
      entries: this.#entries(initial),
    };
  }

  #estimated(node: Expression): EstimatedValue {
    const path = this.#path(node);
    const isAccumulator = path[0] === accumulatorName;
    return estimatedValue({
      path: isAccumulator ? [] : path,
      type: this.#type(node),
      computedSize: this.#size(node),
      literal: node.kind === "literal" ? node.value : undefined,
      sizeOf: this.#sizeOf,
    });
  }

  #copySizes(to: Expression, from: Expression): void {
    const size = this.#size(from);
    if (size !== undefined) {
      this.#sizes.set(to.id, size);
    }
    this.#setEntries(to, this.#entries(from));
  }

  #size(node: Expression): Estimate | undefined {
    const known = this.#sizes.get(node.id) ?? literalSize(node);
    if (known !== undefined) {
      return known;
    }
    const type = this.#type(node);
    const bySchema = this.#sizeOf(this.#path(node), type);
    if (bySchema !== undefined) {
      this.#sizes.set(node.id, bySchema);
      return bySchema;
    }
    const byType = typeSize(type);
    if (byType !== undefined || node.kind !== "identifier") {
      return byType;
    }
    return this.#locals.get(node.name)?.size;
  }

  #sizeOrUnknown(node: Expression): Estimate {
    return this.#size(node) ?? Estimate.unknown;
  }

  #entries(node: Expression): EntrySizes | undefined {
    return (
      this.#entrySizes.get(node.id) ??
      (node.kind === "identifier" ? this.#locals.get(node.name)?.entries : undefined)
    );
  }

  #setEntries(node: Expression, entries: EntrySizes | undefined): void {
    if (entries !== undefined) {
      this.#entrySizes.set(node.id, entries);
    }
  }

  #path(node: Expression): readonly string[] {
    const local = node.kind === "identifier" ? this.#locals.get(node.name) : undefined;
    return local?.path ?? this.#paths.get(node.id) ?? [];
  }

  #type(node: Expression): CelType {
    return typeOfNode(this.#checked, node);
  }
}

function sum(costs: readonly Estimate[]): Estimate {
  return costs.reduce((total, cost) => total.add(cost), nothing);
}

function joined(a: Estimate | undefined, b: Estimate | undefined): Estimate | undefined {
  return a === undefined || b === undefined ? (a ?? b) : a.union(b);
}

/** Returns true for a loop over an empty list whose condition is false: it only gives a value a name. */
function isBinding({ range, condition, accumulator }: Comprehension): boolean {
  return (
    range.kind === "list" &&
    range.elements.length === 0 &&
    condition.kind === "literal" &&
    condition.value === false &&
    accumulator !== "__result__"
  );
}
