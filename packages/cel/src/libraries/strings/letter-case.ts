import { type FunctionDeclaration, memberOverload } from "../../functions/overload.js";
import { stringType } from "../../values/cel-type.js";
import { scan } from "./string-costs.js";

/** `lowerAscii`: the letters A to Z in lower case, all others unchanged. */
export const lowerAscii: FunctionDeclaration = {
  name: "lowerAscii",
  overloads: [
    memberOverload(
      "string_lower_ascii",
      [stringType],
      stringType,
      (text) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()),
      scan,
    ),
  ],
};

/** `upperAscii`: the letters a to z in upper case, all others unchanged. */
export const upperAscii: FunctionDeclaration = {
  name: "upperAscii",
  overloads: [
    memberOverload(
      "string_upper_ascii",
      [stringType],
      stringType,
      (text) => text.replace(/[a-z]+/g, (letters) => letters.toUpperCase()),
      scan,
    ),
  ],
};
