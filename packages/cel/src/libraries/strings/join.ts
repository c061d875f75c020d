import { type FunctionDeclaration, memberOverload } from "../../functions/overload.js";
import { CelFailure } from "../../values/cel-failure.js";
import type { CelList } from "../../values/cel-list.js";
import { listType, stringType } from "../../values/cel-type.js";
import type { CelValue } from "../../values/cel-value.js";
import { describeValue } from "../../values/describe-value.js";
import { typeOf } from "../../values/type-of.js";
import { joining } from "./string-costs.js";

/** `join` of version 0. */
export const join0: FunctionDeclaration = joinFunction(
  (element) =>
    new CelFailure(`unsupported type conversion from '${typeOf(element).name}' to string`),
);

/** `join` of version 2. */
export const join2: FunctionDeclaration = joinFunction(
  (element) => new CelFailure(`join: invalid input: ${describeValue(element)}`),
);

/** `join`: the elements of a list of strings as one text, with a separator between them. */
function joinFunction(notText: (element: CelValue) => CelFailure): FunctionDeclaration {
  const joined = (list: CelList, separator: string): string | CelFailure => {
    const parts: string[] = [];
    for (const element of list) {
      if (typeof element !== "string") {
        return notText(element);
      }
      parts.push(element);
    }
    return parts.join(separator);
  };
  return {
    name: "join",
    overloads: [
      memberOverload(
        "list_join",
        [listType(stringType)],
        stringType,
        (list) => joined(list, ""),
        joining,
      ),
      memberOverload(
        "list_join_string",
        [listType(stringType), stringType],
        stringType,
        joined,
        joining,
      ),
    ],
  };
}
