import { type CheckedExpression, type Reference, typeOfNode } from "../check/checked-expression.js";
import type {
  Call,
  Comprehension,
  Expression,
  Identifier,
  ListExpression,
  MapExpression,
  Select,
  StructExpression,
} from "../syntax/expression.js";
import { operators } from "../syntax/operators.js";
import { CelFailure } from "../values/cel-failure.js";
import { type EvaluationObserver, observed, observedStep } from "./evaluation-observer.js";
import { foldCall } from "./fold-constants.js";
import { constantOf, type Evaluate, type Planned, planned } from "./frame.js";
import { planAttributeStep, planPresence } from "./plan-attribute.js";
import { planCall } from "./plan-call.js";
import { lazyRead, planComprehension } from "./plan-comprehension.js";
import { planList, planMap, planStruct, type StructCreator } from "./plan-construction.js";
import { planEquality } from "./plan-equality.js";
import { planConditional, planLogical } from "./plan-logic.js";
import { isOptionalOr, planOptionalOr } from "./plan-optional-or.js";
import { invalidKey } from "./qualify.js";

/** Thrown when a constant part of an expression fails: the expression is refused before any evaluation. */
export class InstantiationFailed extends Error {
  override readonly name = "InstantiationFailed";
  /** Offset of the part in code points. */
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(`program instantiation failed: ${message}`);
    this.offset = offset;
  }
}

/** An expression that is ready to be evaluated. */
export interface PlannedExpression {
  readonly run: Evaluate;
  readonly slotCount: number;
  /** Names of the input variables by their slots. */
  readonly variables: readonly string[];
}

/**
 * Turns a checked expression into closures.
 *
 * @param observer - Sees the values of all parts; without one, nothing is spent on it.
 * @throws {InstantiationFailed} if a constant part fails.
 */
export function planExpression(
  checked: CheckedExpression,
  createStruct: StructCreator,
  observer?: EvaluationObserver,
): PlannedExpression {
  return new Planner(checked, createStruct, observer).planAll();
}

interface Local {
  readonly slot: number;
  /** Computes the value when it is read first. */
  readonly lazy: Evaluate | undefined;
}

/**
 * Plans the nodes of one expression. Costs follow cel-go: a chain such as `a.b[c]` counts 1 for the chain and 1 for each
 * step; a chain that is a branch of `? :` or an index counts its steps only (`bare`).
 */
class Planner {
  readonly #checked: CheckedExpression;
  readonly #createStruct: StructCreator;
  readonly #observer: EvaluationObserver | undefined;
  readonly #variables: string[] = [];
  readonly #scopes: Map<string, Local>[] = [];
  #slotCount = 0;

  constructor(
    checked: CheckedExpression,
    createStruct: StructCreator,
    observer: EvaluationObserver | undefined,
  ) {
    this.#checked = checked;
    this.#createStruct = createStruct;
    this.#observer = observer;
    // Input variables have the first slots, so that a slot tells the variable.
    const names = new Set<string>();
    for (const reference of checked.references.values()) {
      if (reference.kind === "variable" && reference.global) {
        names.add(reference.name);
      }
    }
    this.#variables.push(...names);
    this.#slotCount = names.size;
  }

  planAll(): PlannedExpression {
    const { run } = this.#plan(this.#checked.expression);
    return { run, slotCount: this.#slotCount, variables: this.#variables };
  }

  #plan(node: Expression): Planned {
    return observed(this.#planNode(node), node, this.#observer);
  }

  #planNode(node: Expression): Planned {
    switch (node.kind) {
      case "literal":
        return constantOf(node.value);
      case "identifier":
        return this.#identifier(node, false);
      case "select":
        return this.#select(node, false);
      case "call":
        return this.#call(node, false);
      case "list":
        return this.#list(node);
      case "map":
        return this.#map(node);
      case "struct":
        return this.#struct(node);
      case "comprehension":
        return this.#comprehension(node);
    }
  }

  /** Plans the start of a chain; without its own unit if `bare` is true. A call or literal as a start adds a unit. */
  #attribute(node: Expression, bare: boolean): Planned {
    return observed(this.#planAttribute(node, bare), node, this.#observer);
  }

  #planAttribute(node: Expression, bare: boolean): Planned {
    switch (node.kind) {
      case "identifier":
        return this.#identifier(node, bare);
      case "select":
        return node.testOnly ? this.#plan(node) : this.#select(node, bare);
      case "call":
        if (isChainCall(node)) {
          return this.#call(node, bare);
        }
        break;
      default:
        break;
    }
    const { run } = this.#plan(node);
    return bare
      ? planned(run)
      : planned((frame) => {
          frame.cost += 1;
          return run(frame);
        });
  }

  /** Plans a branch of `? :` or an index: chains are bare, everything else is as usual. */
  #bare(node: Expression): Planned {
    const isChain =
      node.kind === "identifier" ||
      (node.kind === "select" && !node.testOnly) ||
      (node.kind === "call" && isChainCall(node));
    return isChain ? this.#attribute(node, true) : this.#plan(node);
  }

  /** Plans a key or index. */
  #key(node: Expression): Planned {
    const key = this.#bare(node);
    const problem = key.constant === undefined ? undefined : invalidKey(key.constant);
    if (problem !== undefined) {
      throw new InstantiationFailed(problem.message, node.position);
    }
    return key;
  }

  #identifier(node: Identifier | Select, bare: boolean): Planned {
    const reference = this.#reference(node);
    if (reference?.kind === "type") {
      return constantOf(reference.type);
    }
    if (reference?.kind !== "variable") {
      return undeclared(node.kind === "identifier" ? node.name : node.field);
    }
    const read = this.#readOf(reference.name, reference.global);
    return bare
      ? planned(read)
      : planned((frame) => {
          frame.cost += 1;
          return read(frame);
        });
  }

  #readOf(name: string, global: boolean): Evaluate {
    const local = global ? undefined : this.#local(name);
    if (local === undefined) {
      const slot = this.#variables.indexOf(name);
      return (frame) => frame.variable(slot);
    }
    const { slot, lazy } = local;
    return lazy === undefined ? (frame) => frame.local(slot) : lazyRead(slot, lazy);
  }

  #local(name: string): Local | undefined {
    return this.#scopes.findLast((scope) => scope.has(name))?.get(name);
  }

  #select(node: Select, bare: boolean): Planned {
    if (this.#reference(node) !== undefined) {
      return this.#identifier(node, bare);
    }
    if (node.testOnly) {
      return planPresence(this.#attribute(node.operand, true), node.field);
    }
    return planAttributeStep(this.#attribute(node.operand, bare), constantOf(node.field), false);
  }

  #call(node: Call, bare: boolean): Planned {
    const [first, second, third] = node.args;
    if (first !== undefined && second !== undefined) {
      switch (node.name) {
        case operators.index:
          return planAttributeStep(this.#attribute(first, bare), this.#key(second), false);
        case operators.optionalIndex:
        case operators.optionalSelect:
          return planAttributeStep(this.#attribute(first, bare), this.#key(second), true);
        case operators.equal:
          return planEquality(this.#plan(first), this.#plan(second), false);
        case operators.notEqual:
          return planEquality(this.#plan(first), this.#plan(second), true);
        case operators.and:
          return planLogical(this.#plan(first), this.#plan(second), false);
        case operators.or:
          return planLogical(this.#plan(first), this.#plan(second), true);
        case operators.conditional:
          if (third !== undefined) {
            return planConditional(this.#plan(first), this.#bare(second), this.#bare(third));
          }
          break;
        default:
          break;
      }
    }
    return this.#function(node);
  }

  #function(node: Call): Planned {
    const reference = this.#reference(node);
    if (reference?.kind !== "function") {
      return undeclared(node.name);
    }
    const nodes =
      node.target === undefined || reference.qualified ? node.args : [node.target, ...node.args];
    const args = nodes.map((argument) => this.#plan(argument));
    const [target, other] = args;
    if (isOptionalOr(reference) && target !== undefined && other !== undefined) {
      return planOptionalOr(target, other, reference.name === "orValue");
    }
    const folded = foldCall(reference, args);
    if (folded instanceof CelFailure) {
      throw new InstantiationFailed(folded.message, node.position);
    }
    return folded ?? planCall(reference, args);
  }

  #list(node: ListExpression): Planned {
    const elements = node.elements.map((element) => this.#plan(element));
    return planList(elements, new Set(node.optionals));
  }

  #map(node: MapExpression): Planned {
    return planMap(
      node.entries.map(({ key, value, optional }) => ({
        key: this.#plan(key),
        value: this.#plan(value),
        optional,
      })),
    );
  }

  #struct(node: StructExpression): Planned {
    return planStruct(
      typeOfNode(this.#checked, node),
      node.fields.map(({ name, value, optional }) => ({
        name,
        value: this.#plan(value),
        optional,
      })),
      this.#createStruct,
    );
  }

  #comprehension(node: Comprehension): Planned {
    const range = this.#plan(node.range);
    const initial = this.#plan(node.initial);
    const lazy = initial.constant === undefined ? initial.run : undefined;
    const accumulatorSlot = this.#newSlot();
    const variableSlot = this.#newSlot();
    const secondSlot = node.secondVariable === undefined ? undefined : this.#newSlot();
    this.#scopes.push(new Map([[node.accumulator, { slot: accumulatorSlot, lazy }]]));
    const loop = new Map([[node.variable, { slot: variableSlot, lazy: undefined }]]);
    if (node.secondVariable !== undefined && secondSlot !== undefined) {
      loop.set(node.secondVariable, { slot: secondSlot, lazy: undefined });
    }
    this.#scopes.push(loop);
    const condition = this.#plan(node.condition);
    const step = observedStep(this.#plan(node.step), node, variableSlot, this.#observer);
    this.#scopes.pop();
    const result = this.#plan(node.result);
    this.#scopes.pop();
    const slots = { accumulatorSlot, variableSlot, secondSlot };
    return planComprehension({ range, initial, condition, step, result, ...slots });
  }

  #newSlot(): number {
    this.#slotCount += 1;
    return this.#slotCount - 1;
  }

  #reference({ id }: Expression): Reference | undefined {
    return this.#checked.references.get(id);
  }
}

/** Plans a name that the checker was told not to report. */
function undeclared(name: string): Planned {
  const failure = new CelFailure(`undeclared reference to '${name}' (in container '')`);
  return planned(() => failure);
}

/** Returns true for calls that are steps or parts of a chain: indexes, optional steps and `? :`. */
function isChainCall({ name }: Call): boolean {
  return (
    name === operators.index ||
    name === operators.optionalIndex ||
    name === operators.optionalSelect ||
    name === operators.conditional
  );
}
