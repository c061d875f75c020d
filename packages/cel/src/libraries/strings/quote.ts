import { type FunctionDeclaration, overload } from "../../functions/overload.js";
import { stringType } from "../../values/cel-type.js";
import { quoting } from "./string-costs.js";

const escapes: Readonly<Record<string, string>> = {
  "\u0007": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
  "\\": "\\\\",
  '"': '\\"',
};

/** `strings.quote`: the text as a literal of the language. */
export const quote: FunctionDeclaration = {
  name: "strings.quote",
  overloads: [
    overload(
      "strings_quote",
      [stringType],
      stringType,
      (text) => {
        const escaped = text
          .replace(/["\\\p{Cc}]/gu, (character) => escapes[character] ?? character)
          .replace(/[\ud800-\udfff]/gu, "\ufffd");
        return `"${escaped}"`;
      },
      quoting,
    ),
  ],
};
