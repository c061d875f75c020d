import type {
  Comprehension,
  Expression,
  Identifier,
  ListExpression,
  Literal,
  MapEntry,
  Select,
  StructField,
} from "./expression.js";
import { accumulatorName, type ComprehensionParts, type MacroBuilder } from "./macro.js";
import type { operators } from "./operators.js";

/** Place of a node in the text; all offsets count code points. */
export interface Place {
  readonly position: number;
  readonly start: number;
  readonly end: number;
}

/** An operand of `&&` or `||`, with its parentheses in the range. */
export interface Term {
  readonly expression: Expression;
  readonly start: number;
  readonly end: number;
}

/** Creates the nodes of one expression and numbers them. */
export class NodeBuilder {
  #lastId = 0;

  nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  literal(place: Place, value: Literal["value"]): Literal {
    return { kind: "literal", ...this.#node(place), value };
  }

  identifier(place: Place, name: string): Identifier {
    return { kind: "identifier", ...this.#node(place), name };
  }

  select(place: Place, operand: Expression, field: string, testOnly = false): Select {
    return { kind: "select", ...this.#node(place), operand, field, testOnly };
  }

  call(
    place: Place,
    name: string,
    args: readonly Expression[],
    target?: Expression | undefined,
  ): Expression {
    return { kind: "call", ...this.#node(place), name, target, args };
  }

  list(
    place: Place,
    elements: readonly Expression[],
    optionals: readonly number[],
  ): ListExpression {
    return { kind: "list", ...this.#node(place), elements, optionals };
  }

  map(place: Place, entries: readonly MapEntry[]): Expression {
    return { kind: "map", ...this.#node(place), entries };
  }

  struct(place: Place, typeName: string, fields: readonly StructField[]): Expression {
    return { kind: "struct", ...this.#node(place), typeName, fields };
  }

  comprehension(place: Place, parts: ComprehensionParts): Comprehension {
    return {
      kind: "comprehension",
      ...this.#node(place),
      secondVariable: undefined,
      accumulator: accumulatorName,
      ...parts,
    };
  }

  /** Returns the builder that a macro uses for a call at a place. */
  forMacro(place: Place): MacroBuilder {
    return {
      literal: (value) => this.literal(place, value),
      identifier: (name) => this.identifier(place, name),
      accumulator: () => this.identifier(place, accumulatorName),
      call: (name, ...args) => this.call(place, name, args),
      memberCall: (target, name, ...args) => this.call(place, name, args, target),
      list: (...elements) => this.list(place, elements, []),
      emptyMap: () => this.map(place, []),
      presenceTest: (operand, field) => this.select(place, operand, field, true),
      comprehension: (parts) => this.comprehension(place, parts),
      copy: (expression) => this.#copy(expression),
    };
  }

  /** Joins the terms of `a && b && c` into a balanced tree, as cel-go does; operator i stands behind term i. */
  balanced(
    name: typeof operators.and | typeof operators.or,
    terms: readonly Term[],
    positions: readonly number[],
  ): Expression {
    const build = (low: number, high: number): Term => {
      const middle = Math.floor((low + high + 1) / 2);
      const left = middle === low ? termAt(terms, middle) : build(low, middle - 1);
      const right = middle === high ? termAt(terms, middle + 1) : build(middle + 1, high);
      const range = { start: left.start, end: right.end };
      const place = { position: positions[middle] ?? 0, ...range };
      return { expression: this.call(place, name, [left.expression, right.expression]), ...range };
    };
    const whole = terms.length === 1 ? termAt(terms, 0) : build(0, positions.length - 1);
    return whole.expression;
  }

  #copy(node: Expression): Expression {
    const id = this.nextId();
    const copy = (part: Expression): Expression => this.#copy(part);
    switch (node.kind) {
      case "literal":
      case "identifier":
        return { ...node, id };
      case "select":
        return { ...node, id, operand: copy(node.operand) };
      case "call": {
        const target = node.target === undefined ? undefined : copy(node.target);
        return { ...node, id, target, args: node.args.map(copy) };
      }
      case "list":
        return { ...node, id, elements: node.elements.map(copy) };
      case "map":
        return {
          ...node,
          id,
          entries: node.entries.map((entry) => ({
            ...entry,
            id: this.nextId(),
            key: copy(entry.key),
            value: copy(entry.value),
          })),
        };
      case "struct":
        return {
          ...node,
          id,
          fields: node.fields.map((field) => ({
            ...field,
            id: this.nextId(),
            value: copy(field.value),
          })),
        };
      case "comprehension":
        return {
          ...node,
          id,
          range: copy(node.range),
          initial: copy(node.initial),
          condition: copy(node.condition),
          step: copy(node.step),
          result: copy(node.result),
        };
    }
  }

  #node(place: Place): Place & { readonly id: number } {
    const { position, start, end } = place;
    return { id: this.nextId(), position, start, end };
  }
}

function termAt(terms: readonly Term[], index: number): Term {
  const term = terms[index];
  if (term === undefined) {
    throw new RangeError(`no term ${index} of ${terms.length}`);
  }
  return term;
}
