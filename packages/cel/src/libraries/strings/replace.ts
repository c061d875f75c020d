import { type FunctionDeclaration, memberOverload } from "../../functions/overload.js";
import type { CelInt } from "../../values/cel-int.js";
import { intType, stringType } from "../../values/cel-type.js";
import { rewriting } from "./replace-costs.js";

/** `replace`: the text with all occurrences of a text, or the first n of them, replaced. */
export const replace: FunctionDeclaration = {
  name: "replace",
  overloads: [
    memberOverload(
      "string_replace_string_string",
      [stringType, stringType, stringType],
      stringType,
      (text, old, replacement) => replaced(text, old, replacement, -1),
      rewriting,
    ),
    memberOverload(
      "string_replace_string_string_int",
      [stringType, stringType, stringType, intType],
      stringType,
      replaced,
      rewriting,
    ),
  ],
};

/** An empty `old` stands before each character and at the end; a negative limit has no effect. */
function replaced(text: string, old: string, replacement: string, limit: CelInt): string {
  const parts = old === "" ? ["", ...text, ""] : text.split(old);
  if (limit < 0 || limit >= parts.length - 1) {
    return parts.join(replacement);
  }
  const first = Number(limit) + 1;
  const rest = parts.slice(first).join(old);
  return `${parts.slice(0, first).join(replacement)}${old}${rest}`;
}
