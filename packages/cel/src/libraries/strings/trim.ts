import { type FunctionDeclaration, memberOverload } from "../../functions/overload.js";
import { stringType } from "../../values/cel-type.js";
import { scan } from "./string-costs.js";

/** JavaScript's own `trim` leaves U+0085 and removes U+FEFF, which is not white space in Unicode. */
const whiteSpace = /\p{White_Space}/u;

/** `trim`: the text without white space at both ends. */
export const trim: FunctionDeclaration = {
  name: "trim",
  overloads: [memberOverload("string_trim", [stringType], stringType, trimmed, scan)],
};

/** All white space has one UTF-16 unit. A loop, since `\s+$` takes quadratic time. */
function trimmed(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && whiteSpace.test(text.charAt(start))) {
    start += 1;
  }
  while (end > start && whiteSpace.test(text.charAt(end - 1))) {
    end -= 1;
  }
  return text.slice(start, end);
}
