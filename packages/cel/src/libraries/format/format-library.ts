import {
  costSize,
  regexLengthFactor,
  stringTraversalFactor,
} from "../../functions/cost-factors.js";
import { Estimate } from "../../functions/estimate.js";
import type { CelLibrary } from "../../functions/library.js";
import {
  type FunctionDeclaration,
  memberOverload,
  type OverloadCosts,
  overload,
} from "../../functions/overload.js";
import { ArrayList } from "../../values/cel-list.js";
import { CelOptional } from "../../values/cel-optional.js";
import { listType, optionalType, stringType } from "../../values/cel-type.js";
import { CelFormat, formatType } from "./cel-format.js";
import { namedFormats } from "./named-formats.js";

/** Length of a regular expression that Kubernetes assumes while the format is not known. */
const maxPatternSize = 128;

const validateCosts: OverloadCosts = {
  cost: ([format, text]) => {
    if (!(format instanceof CelFormat)) {
      return 1;
    }
    const textCost = Math.ceil((1 + costSize(text)) * stringTraversalFactor);
    return textCost * Math.ceil(format.patternSize * regexLengthFactor);
  },
  estimate: ({ args }) => ({
    cost: (args[0]?.size ?? Estimate.unknown)
      .times(stringTraversalFactor)
      .times(maxPatternSize * regexLengthFactor),
  }),
};

function validate(format: CelFormat, text: string): CelOptional {
  const problems = format.validate(text);
  return problems.length === 0 ? CelOptional.none : new CelOptional(new ArrayList(problems));
}

const constants: readonly FunctionDeclaration[] = Array.from(namedFormats, ([key, format]) => {
  const name = `format.${key}`;
  return { name, overloads: [overload(name, [], formatType, () => format)] };
});

/** Named formats, from Kubernetes 1.31 on: `format.uuid()`, `format.named("uuid")` and `validate`. */
export const formatLibrary: CelLibrary = {
  name: "kubernetes.format",
  functions: [
    {
      name: "validate",
      overloads: [
        memberOverload(
          "format-validate",
          [formatType, stringType],
          optionalType(listType(stringType)),
          validate,
          validateCosts,
        ),
      ],
    },
    {
      name: "format.named",
      overloads: [
        overload(
          "format-named",
          [stringType],
          optionalType(formatType),
          (name) => new CelOptional(namedFormats.get(name)),
        ),
      ],
    },
    ...constants,
  ],
};
