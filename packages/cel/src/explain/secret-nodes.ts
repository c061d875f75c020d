import type { CheckedExpression } from "../check/checked-expression.js";
import { typeOfNode } from "../check/checked-expression.js";
import type { Call, Comprehension, Expression } from "../syntax/expression.js";
import { operators } from "../syntax/operators.js";
import { childrenOf } from "../syntax/visit.js";

/**
 * Returns true if the value at a path is a secret or contains one.
 *
 * @param path - A variable and the way from it: names of fields, "@items", "@keys" or "@values".
 */
export type IsSecret = (path: readonly string[]) => boolean;

/** Returns the numbers of the parts of an expression whose values come from secrets. */
export function secretNodes(checked: CheckedExpression, isSecret: IsSecret): ReadonlySet<number> {
  const finder = new SecretFinder(checked, isSecret);
  finder.visit(checked.expression);
  return finder.found;
}

/** Origin of a value: a place of the input, or a calculation that may have read secrets. */
interface Origin {
  readonly path: readonly string[] | undefined;
  readonly isSecret: boolean;
}

class SecretFinder {
  readonly found = new Set<number>();
  readonly #checked: CheckedExpression;
  readonly #isSecret: IsSecret;
  readonly #locals: (readonly [string, Origin])[] = [];

  constructor(checked: CheckedExpression, isSecret: IsSecret) {
    this.#checked = checked;
    this.#isSecret = isSecret;
  }

  visit(node: Expression): Origin {
    const origin = this.#originOf(node);
    if (origin.isSecret) {
      this.found.add(node.id);
    }
    return origin;
  }

  #originOf(node: Expression): Origin {
    switch (node.kind) {
      case "literal":
        return { path: undefined, isSecret: false };
      case "identifier": {
        const local = this.#locals.findLast(([name]) => name === node.name);
        return local?.[1] ?? this.#at([node.name]);
      }
      case "select":
        return this.#step(this.visit(node.operand), node.field);
      case "call":
        return this.#call(node);
      case "comprehension":
        return this.#loop(node);
      default:
        return computed(childrenOf(node).map((child) => this.visit(child)));
    }
  }

  #call(node: Call): Origin {
    const parts = childrenOf(node).map((child) => this.visit(child));
    const [target, key] = parts;
    const [first, second] = node.args;
    if (target === undefined || first === undefined) {
      return computed(parts);
    }
    switch (node.name) {
      case operators.index:
      case operators.optionalIndex: {
        const name =
          second?.kind === "literal" && typeof second.value === "string" ? second.value : undefined;
        const origin = this.#step(
          target,
          this.#isStruct(first) && name !== undefined ? name : this.#element(first),
        );
        return key?.isSecret === true ? { path: origin.path, isSecret: true } : origin;
      }
      case operators.optionalSelect:
        return second?.kind === "literal" ? this.#step(target, String(second.value)) : target;
      case "dyn":
        return target;
      default:
        return computed(parts);
    }
  }

  #loop(node: Comprehension): Origin {
    const range = this.visit(node.range);
    const initial = this.visit(node.initial);
    const element = this.#step(range, this.#element(node.range));
    const isList = this.#kind(node.range) === "list";
    const key = range.path === undefined ? range : { path: undefined, isSecret: false };
    const depth = this.#locals.length;
    if (node.secondVariable === undefined) {
      this.#locals.push([node.variable, isList ? element : key]);
    } else {
      this.#locals.push([node.variable, key], [node.secondVariable, element]);
    }
    // The accumulator of a loop that reads secrets holds them.
    this.#locals.push([node.accumulator, initial]);
    const step = this.visit(node.step);
    this.#locals.push([node.accumulator, computed([initial, step])]);
    this.visit(node.condition);
    const result = this.visit(node.result);
    this.#locals.length = depth;
    return computed([result, step]);
  }

  #at(path: readonly string[]): Origin {
    return { path, isSecret: this.#isSecret(path) };
  }

  #step(target: Origin, step: string): Origin {
    return target.path === undefined ? target : this.#at([...target.path, step]);
  }

  #element(node: Expression): string {
    return this.#kind(node) === "map" ? "@values" : "@items";
  }

  #isStruct(node: Expression): boolean {
    return !["list", "map"].includes(this.#kind(node));
  }

  #kind(node: Expression): string {
    return typeOfNode(this.#checked, node).kind;
  }
}

function computed(parts: readonly Origin[]): Origin {
  return { path: undefined, isSecret: parts.some((part) => part.isSecret) };
}
