import type { CelLibrary } from "../../functions/library.js";
import { mapInsert } from "./map-insert.js";
import { twoVariableMacros } from "./two-variable-macros.js";

/** Loops with two variables, in Kubernetes from 1.32 on. */
export const twoVariablesLibrary: CelLibrary = {
  name: "cel.lib.ext.comprev2",
  functions: [mapInsert],
  macros: twoVariableMacros,
};
