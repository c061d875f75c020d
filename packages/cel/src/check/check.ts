import type { FunctionDeclaration, Overload } from "../functions/overload.js";
import type { ProblemList } from "../syntax/compile-problem.js";
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
import { qualifiedName } from "../syntax/qualified-name.js";
import {
  boolType,
  type CelType,
  dynType,
  errorType,
  isSameType,
  listType,
  mapType,
  optionalType,
} from "../values/cel-type.js";
import { typeOf } from "../values/type-of.js";
import type { CheckEnvironment } from "./check-environment.js";
import { checkErrors } from "./check-errors.js";
import type { CheckedExpression, Reference } from "./checked-expression.js";
import { crossTypeOverloads } from "./cross-type-overloads.js";
import { type FoundType, fieldType } from "./field-type.js";
import { fittingOverloads } from "./fitting-overloads.js";
import { loopTypes } from "./loop-types.js";
import { Names } from "./names.js";
import { mostGeneral, Substitution } from "./substitution.js";

/** Finds the types of all parts of an expression. Problems are added to the list; the rest is checked all the same. */
export function check(
  expression: Expression,
  environment: CheckEnvironment,
  problems: ProblemList,
): CheckedExpression {
  return new Checker(environment, problems).checkAll(expression);
}

/** Checks the types of one expression, as the checker of cel-go does. */
class Checker {
  readonly #environment: CheckEnvironment;
  readonly #problems: ProblemList;
  readonly #types = new Map<number, CelType>();
  readonly #references = new Map<number, Reference>();
  readonly #substitution = new Substitution();
  readonly #names: Names;

  constructor(environment: CheckEnvironment, problems: ProblemList) {
    this.#environment = environment;
    this.#problems = problems;
    this.#names = new Names(environment, this.#references);
  }

  checkAll(expression: Expression): CheckedExpression {
    this.#check(expression);
    const types = new Map<number, CelType>();
    for (const [id, type] of this.#types) {
      types.set(id, this.#substitution.apply(type, true));
    }
    return { expression, types, references: this.#references };
  }

  #check(node: Expression): CelType {
    const type = this.#typeOf(node);
    const known = this.#types.get(node.id);
    if (known !== undefined && !isSameType(known, type)) {
      // A macro uses an argument twice; both uses must have one type.
      this.#problem(node, checkErrors.mismatch(known, type));
      return known;
    }
    this.#types.set(node.id, type);
    return type;
  }

  #typeOf(node: Expression): CelType {
    switch (node.kind) {
      case "literal":
        return typeOf(node.value);
      case "identifier":
        return this.#identifier(node);
      case "select":
        return this.#select(node);
      case "call":
        return node.name === operators.optionalSelect
          ? this.#optionalSelect(node)
          : this.#call(node);
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

  #identifier(node: Identifier): CelType {
    const found = this.#names.resolve(node, node.name);
    if (found !== undefined) {
      return found;
    }
    this.#problem(node, checkErrors.undeclared(node.name, this.#environment.container));
    return errorType;
  }

  #select(node: Select): CelType {
    const names = node.testOnly ? undefined : qualifiedName(node);
    if (names !== undefined && this.#names.local(names.first) === undefined) {
      const found = this.#names.resolveGlobal(node, names.all);
      if (found !== undefined) {
        return found;
      }
    }
    const field = this.#fieldType(node, node.operand, node.field, false);
    return node.testOnly ? boolType : this.#substitution.apply(field);
  }

  #optionalSelect(node: Call): CelType {
    const [operand, field] = node.args;
    if (operand === undefined || field?.kind !== "literal" || typeof field.value !== "string") {
      this.#problem(node, "unsupported optional field selection");
      return errorType;
    }
    const type = this.#fieldType(node, operand, field.value, true);
    this.#check(field);
    const overloads = this.#environment.function(node.name)?.overloads ?? [];
    this.#references.set(node.id, {
      kind: "function",
      name: node.name,
      overloads,
      qualified: false,
    });
    return this.#substitution.apply(type);
  }

  #fieldType(node: Expression, operand: Expression, field: string, optional: boolean): CelType {
    const operandType = this.#substitution.apply(this.#check(operand));
    const inner = unwrapOptional(operandType);
    const type = this.#reported(
      node,
      fieldType(inner ?? operandType, field, this.#environment, this.#substitution),
    );
    return inner !== undefined || optional ? optionalType(type) : type;
  }

  /** Returns a type, and reports the problem of one that could not be found. */
  #reported(node: Expression, { type, problem }: FoundType): CelType {
    if (problem !== undefined) {
      this.#problem(node, problem);
    }
    return type;
  }

  #call(node: Call): CelType {
    for (const argument of node.args) {
      this.#check(argument);
    }
    const { target, name } = node;
    if (target === undefined) {
      return this.#callOf(node, this.#names.function(name), undefined, name);
    }
    const names = qualifiedName(target);
    const qualified = names === undefined ? undefined : `${names.all}.${name}`;
    const namespaced = qualified === undefined ? undefined : this.#names.function(qualified);
    if (namespaced !== undefined) {
      return this.#callOf(node, namespaced, undefined, name);
    }
    this.#check(target);
    return this.#callOf(node, this.#names.function(name), target, name);
  }

  #callOf(
    node: Call,
    declaration: FunctionDeclaration | undefined,
    target: Expression | undefined,
    name: string,
  ): CelType {
    if (declaration === undefined) {
      this.#problem(node, checkErrors.undeclared(name, this.#environment.container));
      return errorType;
    }
    const args = target === undefined ? node.args : [target, ...node.args];
    const types = args.map((argument) => this.#typeFor(argument));
    if (name === operators.and || name === operators.or) {
      return this.#logical(node, declaration);
    }
    const member = target !== undefined;
    const candidates = declaration.overloads.filter(
      (overload) => overload.member === member && this.#isEnabled(overload),
    );
    const fitting =
      fittingOverloads(candidates, types, this.#substitution) ??
      (this.#environment.lenient ? { overloads: candidates, result: dynType } : undefined);
    if (fitting === undefined) {
      const shown = types.map((type) => this.#substitution.apply(type, true));
      this.#problem(node, checkErrors.noOverload(declaration.name, shown, member));
      return errorType;
    }
    this.#references.set(node.id, {
      kind: "function",
      name: declaration.name,
      overloads: fitting.overloads,
      qualified: node.target !== undefined && target === undefined,
    });
    return fitting.result;
  }

  /** `&&` and `||` report each operand that is no bool. */
  #logical(node: Call, { name, overloads }: FunctionDeclaration): CelType {
    this.#references.set(node.id, { kind: "function", name, overloads, qualified: false });
    const fitting = node.args.map((argument) => {
      const type = this.#typeFor(argument);
      const isBool = this.#substitution.isAssignable(type, boolType);
      if (!isBool) {
        this.#problem(argument, checkErrors.mismatch(boolType, type));
      }
      return isBool;
    });
    return fitting.includes(false) ? errorType : boolType;
  }

  #isEnabled({ id }: Overload): boolean {
    return this.#environment.crossTypeComparisons || !crossTypeOverloads.has(id);
  }

  #list(node: ListExpression): CelType {
    let joined: CelType | undefined;
    for (const [index, element] of node.elements.entries()) {
      const type = this.#check(element);
      const inner = node.optionals.includes(index) ? this.#unwrapped(element, type) : type;
      joined = this.#join(joined, inner);
    }
    return listType(joined ?? this.#substitution.newVariable());
  }

  #map(node: MapExpression): CelType {
    let keyType: CelType | undefined;
    let valueType: CelType | undefined;
    for (const { key, value, optional } of node.entries) {
      keyType = this.#join(keyType, this.#check(key));
      const type = this.#check(value);
      valueType = this.#join(valueType, optional ? this.#unwrapped(value, type) : type);
    }
    return mapType(
      keyType ?? this.#substitution.newVariable(),
      valueType ?? this.#substitution.newVariable(),
    );
  }

  #struct(node: StructExpression): CelType {
    const { container } = this.#environment;
    const type = this.#names.type(node.typeName);
    if (type === undefined) {
      this.#problem(node, checkErrors.undeclared(node.typeName, container));
      return errorType;
    }
    this.#references.set(node.id, { kind: "type", type });
    const isStruct = type.kind === "struct";
    if (!isStruct) {
      this.#problem(node, checkErrors.notAMessageType(type.name));
    }
    for (const { name, value, optional, position } of node.fields) {
      const found = this.#check(value);
      const given = optional ? this.#unwrapped(value, found) : found;
      const declared = this.#environment.field(type.name, name);
      if (declared === undefined) {
        this.#problems.add(position, checkErrors.undefinedField(name));
      } else if (!this.#substitution.isAssignable(declared, given)) {
        this.#problems.add(position, checkErrors.fieldMismatch(name, declared, given));
      }
    }
    return isStruct ? type : errorType;
  }

  #comprehension(node: Comprehension): CelType {
    const range = this.#substitution.apply(this.#check(node.range));
    const accumulator = this.#check(node.initial);
    this.#names.enter(new Map([[node.accumulator, accumulator]]));
    const [first, second] = this.#loopTypes(node, range);
    const loop = new Map([[node.variable, first]]);
    if (node.secondVariable !== undefined) {
      loop.set(node.secondVariable, second);
    }
    this.#names.enter(loop);
    this.#expect(node.condition, this.#check(node.condition), boolType);
    this.#expect(node.step, this.#check(node.step), accumulator);
    this.#names.leave();
    const result = this.#check(node.result);
    this.#names.leave();
    return this.#substitution.apply(result);
  }

  #loopTypes(node: Comprehension, range: CelType): readonly [CelType, CelType] {
    const types = loopTypes(range, node.secondVariable !== undefined, this.#substitution);
    if (types === undefined) {
      this.#problem(node.range, checkErrors.notARange(range));
    }
    return types ?? [errorType, errorType];
  }

  #expect(node: Expression, found: CelType, expected: CelType): void {
    if (!this.#substitution.isAssignable(expected, found)) {
      this.#problem(node, checkErrors.mismatch(expected, found));
    }
  }

  #unwrapped(node: Expression, type: CelType): CelType {
    const inner = unwrapOptional(type);
    if (inner === undefined && type.kind !== "dyn") {
      this.#problem(node, checkErrors.mismatch(optionalType(type), type));
    }
    return inner ?? type;
  }

  /** Returns the common type of the elements so far and one more; elements of different types have no type in common. */
  #join(joined: CelType | undefined, type: CelType): CelType {
    if (joined === undefined) {
      return type;
    }
    return this.#substitution.isAssignable(joined, type) ? mostGeneral(joined, type) : dynType;
  }

  #typeFor({ id }: Expression): CelType {
    return this.#types.get(id) ?? errorType;
  }

  #problem(node: Expression, message: string): void {
    if (!this.#environment.lenient) {
      this.#problems.add(node.position, message);
    }
  }
}

function unwrapOptional(type: CelType): CelType | undefined {
  return type.kind === "opaque" && type.name === "optional_type" ? type.parameters[0] : undefined;
}
