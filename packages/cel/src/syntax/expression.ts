import type { CelDouble } from "../values/cel-double.js";
import type { CelInt } from "../values/cel-int.js";
import type { CelUint } from "../values/cel-uint.js";

/** Fields that every node of an expression has. */
interface Node {
  /** Number of the node, unique within its expression. */
  readonly id: number;
  /** Offset in code points that errors point to: of the operator, the dot or the parenthesis, else of the first token. */
  readonly position: number;
  /** Offset in code points of the first character. Parts that a macro adds have the range of the macro's call. */
  readonly start: number;
  /** Offset in code points behind the last character. */
  readonly end: number;
}

/** A constant. */
export interface Literal extends Node {
  readonly kind: "literal";
  readonly value: null | boolean | string | CelInt | CelUint | CelDouble | Uint8Array;
}

/** A name: of a variable, a type or, behind a leading dot, of a global one. */
export interface Identifier extends Node {
  readonly kind: "identifier";
  readonly name: string;
}

/** `operand.field`, or `has(operand.field)` if `testOnly` is true. */
export interface Select extends Node {
  readonly kind: "select";
  readonly operand: Expression;
  readonly field: string;
  readonly testOnly: boolean;
}

/** `name(args)` or `target.name(args)`; operators are calls named like "_+_". */
export interface Call extends Node {
  readonly kind: "call";
  readonly name: string;
  readonly target: Expression | undefined;
  readonly args: readonly Expression[];
}

/** `[a, ?b]`. */
export interface ListExpression extends Node {
  readonly kind: "list";
  readonly elements: readonly Expression[];
  /** Indexes of the elements with a question mark. */
  readonly optionals: readonly number[];
}

/** `key: value` of a map. */
export interface MapEntry {
  readonly id: number;
  readonly position: number;
  readonly key: Expression;
  readonly value: Expression;
  readonly optional: boolean;
}

/** `{key: value, ?key: optional}`. */
export interface MapExpression extends Node {
  readonly kind: "map";
  readonly entries: readonly MapEntry[];
}

/** `name: value` of an object. */
export interface StructField {
  readonly id: number;
  readonly position: number;
  readonly name: string;
  readonly value: Expression;
  readonly optional: boolean;
}

/** `Type{field: value}`. */
export interface StructExpression extends Node {
  readonly kind: "struct";
  readonly typeName: string;
  readonly fields: readonly StructField[];
}

/**
 * A loop, written by a macro such as `all`: for each element of `range`, if `condition` holds, `accumulator` becomes
 * `step`; afterwards the value is `result`.
 */
export interface Comprehension extends Node {
  readonly kind: "comprehension";
  readonly range: Expression;
  readonly variable: string;
  /** Second variable: the value beside the key or index. */
  readonly secondVariable: string | undefined;
  readonly accumulator: string;
  readonly initial: Expression;
  readonly condition: Expression;
  readonly step: Expression;
  readonly result: Expression;
}

/** A node of the syntax tree. */
export type Expression =
  | Literal
  | Identifier
  | Select
  | Call
  | ListExpression
  | MapExpression
  | StructExpression
  | Comprehension;
