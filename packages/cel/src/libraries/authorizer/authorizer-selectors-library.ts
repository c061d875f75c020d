import { costSize, stringTraversalFactor } from "../../functions/cost-factors.js";
import { Estimate } from "../../functions/estimate.js";
import type { CelLibrary } from "../../functions/library.js";
import {
  type FunctionDeclaration,
  memberOverload,
  type OverloadCosts,
} from "../../functions/overload.js";
import { stringType } from "../../values/cel-type.js";
import { resourceCheckType } from "./cel-resource-check.js";

/** Units of the list of requirements. */
const listUnits = 10;
/** Requirements per character: the shortest one, `k,`, has two. */
const requirementsPerCharacter = 0.5;
/** Units of a requirement, an object with a list. */
const requirementUnits = 50;

/** Returns the units of parsing a selector of a size. */
function selectorCost(size: Estimate): Estimate {
  const requirements = size.times(requirementsPerCharacter).times(requirementUnits);
  return Estimate.exactly(listUnits).add(size.times(stringTraversalFactor)).add(requirements);
}

const selectorCosts: OverloadCosts = {
  cost: ([, selector]) => Number(selectorCost(Estimate.exactly(costSize(selector))).max),
  estimate: ({ args }) => ({ cost: selectorCost(args[0]?.size ?? Estimate.unknown) }),
};

function selector(name: "fieldSelector" | "labelSelector"): FunctionDeclaration {
  return {
    name,
    overloads: [
      memberOverload(
        `authorizer_${name.toLowerCase()}`,
        [resourceCheckType, stringType],
        resourceCheckType,
        (check, text) => check.with({ [name]: text }),
        selectorCosts,
      ),
    ],
  };
}

/** Selectors of resource checks, from Kubernetes 1.31 on. */
export const authorizerSelectorsLibrary: CelLibrary = {
  name: "kubernetes.authzSelectors",
  functions: [selector("fieldSelector"), selector("labelSelector")],
};
