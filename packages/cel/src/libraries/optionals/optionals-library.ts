import type { CelLibrary } from "../../functions/library.js";
import { dynType, optionalType } from "../../values/cel-type.js";
import { optionalAccess } from "./optional-access.js";
import { optionalFunctions } from "./optional-functions.js";
import { optionalMacros } from "./optional-macros.js";

/** Optional values, in Kubernetes from 1.28 on. */
export const optionalsLibrary: CelLibrary = {
  name: "cel.lib.optional",
  functions: [...optionalFunctions, ...optionalAccess],
  macros: optionalMacros,
  types: [optionalType(dynType)],
};
