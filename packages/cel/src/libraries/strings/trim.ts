import { trimSpace } from "@typekube/core/internal/texts";
import { type FunctionDeclaration, memberOverload } from "../../functions/overload.js";
import { stringType } from "../../values/cel-type.js";
import { scan } from "./string-costs.js";

/** `trim`: the text without white space at both ends. */
export const trim: FunctionDeclaration = {
  name: "trim",
  overloads: [memberOverload("string_trim", [stringType], stringType, trimSpace, scan)],
};
