/** Function names of the operators, as in messages of the type checker. */
export const operators = {
  and: "_&&_",
  or: "_||_",
  not: "!_",
  negate: "-_",
  conditional: "_?_:_",
  equal: "_==_",
  notEqual: "_!=_",
  less: "_<_",
  lessOrEqual: "_<=_",
  greater: "_>_",
  greaterOrEqual: "_>=_",
  add: "_+_",
  subtract: "_-_",
  multiply: "_*_",
  divide: "_/_",
  modulo: "_%_",
  in: "@in",
  index: "_[_]",
  optionalIndex: "_[?_]",
  optionalSelect: "_?._",
  /** Condition of `all` and `exists`: true for an error, too, so that later elements can absorb it. */
  notStrictlyFalse: "@not_strictly_false",
} as const;

/** Operators between two operands by their text, with their precedence: higher binds tighter. */
export const binaryOperators: ReadonlyMap<
  string,
  { readonly name: string; readonly level: number }
> = new Map([
  ["<", { name: operators.less, level: 1 }],
  ["<=", { name: operators.lessOrEqual, level: 1 }],
  [">", { name: operators.greater, level: 1 }],
  [">=", { name: operators.greaterOrEqual, level: 1 }],
  ["==", { name: operators.equal, level: 1 }],
  ["!=", { name: operators.notEqual, level: 1 }],
  ["in", { name: operators.in, level: 1 }],
  ["+", { name: operators.add, level: 2 }],
  ["-", { name: operators.subtract, level: 2 }],
  ["*", { name: operators.multiply, level: 3 }],
  ["/", { name: operators.divide, level: 3 }],
  ["%", { name: operators.modulo, level: 3 }],
]);
