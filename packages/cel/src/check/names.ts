import type { FunctionDeclaration } from "../functions/overload.js";
import type { Expression } from "../syntax/expression.js";
import { type CelType, typeOfType } from "../values/cel-type.js";
import { type CheckEnvironment, candidateNames } from "./check-environment.js";
import type { Reference } from "./checked-expression.js";

/** Finds the declarations that names of one expression refer to. */
export class Names {
  readonly #environment: CheckEnvironment;
  readonly #references: Map<number, Reference>;
  /** Variables of the comprehensions around the current part, the innermost last. */
  readonly #scopes: ReadonlyMap<string, CelType>[] = [];

  /** @param references - Receives what names refer to, by the number of the node. */
  constructor(environment: CheckEnvironment, references: Map<number, Reference>) {
    this.#environment = environment;
    this.#references = references;
  }

  /** Adds the variables of a comprehension. */
  enter(variables: ReadonlyMap<string, CelType>): void {
    this.#scopes.push(variables);
  }

  /** Removes the variables that were added last. */
  leave(): void {
    this.#scopes.pop();
  }

  /** Finds a variable or a named type, keeps the reference and returns the type. */
  resolve(node: Expression, name: string): CelType | undefined {
    const local = name.startsWith(".") ? undefined : this.local(name);
    if (local !== undefined) {
      this.#references.set(node.id, { kind: "variable", name, global: false });
      return local;
    }
    return this.resolveGlobal(node, name);
  }

  /** As `resolve`, without the variables of comprehensions. */
  resolveGlobal(node: Expression, name: string): CelType | undefined {
    for (const candidate of candidateNames(this.#environment.container, name)) {
      const variable = this.#environment.variable(candidate);
      if (variable !== undefined) {
        this.#references.set(node.id, { kind: "variable", name: candidate, global: true });
        return variable;
      }
      const type = this.#environment.namedType(candidate);
      if (type !== undefined) {
        this.#references.set(node.id, { kind: "type", type });
        return typeOfType(type);
      }
    }
    return undefined;
  }

  /** Returns the type of a variable of a comprehension. */
  local(name: string): CelType | undefined {
    return this.#scopes.findLast((scope) => scope.has(name))?.get(name);
  }

  type(name: string): CelType | undefined {
    return this.#first(name, this.#environment.namedType);
  }

  function(name: string): FunctionDeclaration | undefined {
    return this.#first(name, this.#environment.function);
  }

  #first<T>(name: string, find: (candidate: string) => T | undefined): T | undefined {
    for (const candidate of candidateNames(this.#environment.container, name)) {
      const found = find(candidate);
      if (found !== undefined) {
        return found;
      }
    }
    return undefined;
  }
}
