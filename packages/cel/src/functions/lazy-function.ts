import type { FunctionDeclaration, Overload } from "./overload.js";

/**
 * Declares a function whose signatures are created on first use. For functions with many signatures: importing the package
 * creates none of them.
 */
export function lazyFunction(
  name: string,
  createOverloads: () => readonly Overload[],
): FunctionDeclaration {
  let overloads: readonly Overload[] | undefined;
  return {
    name,
    get overloads() {
      overloads ??= createOverloads();
      return overloads;
    },
  };
}
