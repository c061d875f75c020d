import { Substitution } from "../check/substitution.js";
import type { CelLibrary } from "../functions/library.js";
import type { Overload } from "../functions/overload.js";

/** Refuses a library that declares a signature again, or one that a built-in signature would hide. */
export function assertNoClash(own: CelLibrary, libraries: readonly CelLibrary[]): void {
  const known = libraries.flatMap(({ functions }) => functions);
  for (const { name, overloads } of own.functions) {
    const others = known.filter((declaration) => declaration.name === name);
    for (const overload of overloads) {
      const clash = others
        .flatMap((declaration) => declaration.overloads)
        .find((other) => other.id === overload.id || overlaps(overload, other));
      if (clash !== undefined) {
        throw new TypeError(
          `library ${own.name}: ${name} (${overload.id}) is declared already as ${clash.id}; choose another name`,
        );
      }
    }
  }
}

function overlaps(a: Overload, b: Overload): boolean {
  return a.member === b.member && new Substitution().areAssignable(a.parameters, b.parameters);
}
