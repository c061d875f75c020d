import type { Overload } from "../functions/overload.js";
import type { Expression } from "../syntax/expression.js";
import type { CelType } from "../values/cel-type.js";

/** Declarations that a name or a call of an expression refers to. */
export type Reference =
  | { readonly kind: "variable"; readonly name: string; readonly global: boolean }
  | { readonly kind: "type"; readonly type: CelType }
  | {
      readonly kind: "function";
      readonly name: string;
      /** The signatures that fit; more than one if the types of the arguments are known at run time only. */
      readonly overloads: readonly Overload[];
      /** True for `a.b.c(...)` where "a.b.c" is the function's name: there is no target. */
      readonly qualified: boolean;
    };

/** An expression whose parts have types. */
export interface CheckedExpression {
  readonly expression: Expression;
  /** Types by the number of the node. */
  readonly types: ReadonlyMap<number, CelType>;
  /** References by the number of the node. */
  readonly references: ReadonlyMap<number, Reference>;
}

/** Returns the type of a checked node. */
export function typeOfNode(checked: CheckedExpression, { id }: Expression): CelType {
  const type = checked.types.get(id);
  if (type === undefined) {
    throw new RangeError(`node ${id} was not checked`);
  }
  return type;
}
