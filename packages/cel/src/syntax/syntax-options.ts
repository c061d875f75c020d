import type { Macro } from "./macro.js";

/** Macros and syntax that a version of Kubernetes has. */
export interface SyntaxOptions {
  readonly macros: MacroTable;
  /** True where `a.?b`, `a[?b]`, `[?a]` and `{?a: b}` exist (Kubernetes 1.28). */
  readonly optionals: boolean;
}

/** Macros by `macroKey`. */
export type MacroTable = ReadonlyMap<string, Macro>;

/** Returns the key of a macro in a `MacroTable`. */
export function macroKey(name: string, argumentCount: number, member: boolean): string {
  return `${name}:${argumentCount}:${member}`;
}
