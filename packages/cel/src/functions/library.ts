import type { Macro } from "../syntax/macro.js";
import type { CelType } from "../values/cel-type.js";
import type { FunctionDeclaration } from "./overload.js";

/** Functions, macros and types under one name, added to an environment as a whole. */
export interface CelLibrary {
  /** The name, for example "kubernetes.quantity". */
  readonly name: string;
  readonly functions: readonly FunctionDeclaration[];
  readonly macros?: readonly Macro[];
  /** Types that expressions can name, for example `type(x) == net.IP`. */
  readonly types?: readonly CelType[];
}
