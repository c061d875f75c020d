import type { CelLibrary } from "../../src/functions/library.js";
import type { Overload } from "../../src/functions/overload.js";
import { CelDouble } from "../../src/values/cel-double.js";
import { CelFailure } from "../../src/values/cel-failure.js";
import { CelList } from "../../src/values/cel-list.js";
import { CelMap } from "../../src/values/cel-map.js";
import { CelOptional } from "../../src/values/cel-optional.js";
import type { CelType } from "../../src/values/cel-type.js";
import { CelUint } from "../../src/values/cel-uint.js";
import type { CelResult, CelValue } from "../../src/values/cel-value.js";
import { typeOf } from "../../src/values/type-of.js";

/** Calls a function of a library, a target first, by the first overload whose parameter types fit the arguments. */
export function call(library: CelLibrary, name: string, ...args: CelValue[]): CelResult {
  return overloadFor(library, name, args).call(...args);
}

/** Returns the units that such a call costs. */
export function costOfCall(library: CelLibrary, name: string, ...args: CelValue[]): number {
  const overload = overloadFor(library, name, args);
  return overload.costs.cost?.(args, overload.call(...args)) ?? 1;
}

/** Returns the first overload of a function that fits. */
export function overloadFor(
  library: CelLibrary,
  name: string,
  args: readonly CelValue[],
): Overload {
  const declaration = library.functions.find((candidate) => candidate.name === name);
  const overload = declaration?.overloads.find(
    ({ parameters }) =>
      parameters.length === args.length &&
      parameters.every((type, index) => fits(args[index] ?? null, type)),
  );
  if (overload === undefined) {
    throw new Error(`${library.name} has no ${name} for these arguments`);
  }
  return overload;
}

/** Like cel-go, looks into the first element of a list only. */
function fits(value: CelValue, type: CelType): boolean {
  if (type.kind === "dyn" || type.kind === "typeParameter") {
    return true;
  }
  if (typeOf(value).name !== type.name) {
    return false;
  }
  const [element] = type.parameters;
  return (
    !(value instanceof CelList) ||
    element === undefined ||
    value.size === 0 ||
    fits(value.at(0), element)
  );
}

/** Returns a result as plain JavaScript, so that tests compare and print it. */
export function plain(result: CelResult): unknown {
  if (result instanceof CelFailure) {
    return { error: result.message };
  }
  if (result instanceof CelList) {
    return Array.from(result, plain);
  }
  if (result instanceof CelMap) {
    return new Map(
      Array.from(result.keys(), (key) => [plain(key), plain(result.find(key) ?? null)]),
    );
  }
  if (result instanceof CelOptional) {
    return { optional: result.value === undefined ? "none" : plain(result.value) };
  }
  if (result instanceof CelDouble) {
    return { double: result.value };
  }
  return result instanceof CelUint ? { uint: result.value } : result;
}
