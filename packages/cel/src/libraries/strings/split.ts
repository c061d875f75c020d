import { type FunctionDeclaration, memberOverload } from "../../functions/overload.js";
import type { CelInt } from "../../values/cel-int.js";
import { ArrayList } from "../../values/cel-list.js";
import { intType, listType, stringType } from "../../values/cel-type.js";
import { splitting } from "./string-costs.js";

/** `split`: the parts between separators, at most n of them; an empty separator splits into characters. */
export const split: FunctionDeclaration = {
  name: "split",
  overloads: [
    memberOverload(
      "string_split_string",
      [stringType, stringType],
      listType(stringType),
      (text, separator) => new ArrayList(partsOf(text, separator, -1)),
      splitting,
    ),
    memberOverload(
      "string_split_string_int",
      [stringType, stringType, intType],
      listType(stringType),
      (text, separator, limit) => new ArrayList(partsOf(text, separator, limit)),
      splitting,
    ),
  ],
};

/** The last part of a limited split holds the rest of the text; a negative limit has no effect. */
function partsOf(text: string, separator: string, limit: CelInt): readonly string[] {
  if (limit === 0) {
    return [];
  }
  const parts = separator === "" ? [...text] : text.split(separator);
  if (limit < 0 || limit >= parts.length) {
    return parts;
  }
  const whole = Number(limit) - 1;
  return [...parts.slice(0, whole), parts.slice(whole).join(separator)];
}
