import { CelFailure } from "../values/cel-failure.js";
import { isInt64, normalInt } from "../values/cel-int.js";
import type { CelResult } from "../values/cel-value.js";
import { typeOf } from "../values/type-of.js";
import type { CelLibrary } from "./library.js";
import { matchesType } from "./matches-type.js";
import type { FunctionDeclaration, Overload } from "./overload.js";

/**
 * Defines a library of own functions for `celEnv({ libraries: [...] })`. What a function throws becomes an error of the
 * expression with the thrown value as its cause; a result of another type than the declared one is an error, too.
 *
 * @param name - Name of the library, for messages.
 */
export function library(
  name: string,
  { functions, macros = [], types = [] }: Omit<CelLibrary, "name">,
): CelLibrary {
  return {
    name,
    macros,
    types,
    functions: functions.map(
      (declaration): FunctionDeclaration => ({
        ...declaration,
        overloads: declaration.overloads.map((overload) => guarded(declaration.name, overload)),
      }),
    ),
  };
}

function guarded(name: string, overload: Overload): Overload {
  return {
    ...overload,
    call(...args): CelResult {
      let result: CelResult;
      try {
        result = normalized(overload.call(...args));
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        return new CelFailure(`${name}() failed: ${message}`, error);
      }
      return result instanceof CelFailure || isOf(result, overload)
        ? result
        : new CelFailure(`${name}() returned ${describe(result)} instead of ${overload.result}`);
    },
  };
}

/** An integer has one form only: a number while it is safe. */
function normalized(result: CelResult): CelResult {
  if (typeof result === "bigint" && isInt64(result)) {
    return normalInt(result);
  }
  return result === 0 ? 0 : result;
}

function isOf(result: unknown, { result: type }: Overload): boolean {
  // A JavaScript function can return anything, whatever its type says.
  return isValue(result) && matchesType(result, type);
}

function isValue(result: unknown): result is Exclude<CelResult, CelFailure> {
  switch (typeof result) {
    case "number":
      return Number.isSafeInteger(result);
    case "bigint":
      return isInt64(result);
    default:
      return result !== undefined && typeof result !== "function" && !(result instanceof Promise);
  }
}

function describe(result: unknown): string {
  if (result instanceof Promise) {
    return "a promise (evaluation is synchronous)";
  }
  if (typeof result === "number" || typeof result === "bigint") {
    return isValue(result) ? "an int" : `the number ${result}`;
  }
  return isValue(result) ? `a ${typeOf(result).name}` : `a JavaScript ${typeof result}`;
}
