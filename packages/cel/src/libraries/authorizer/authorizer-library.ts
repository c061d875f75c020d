import { labelTexts, subdomainTexts } from "@typekube/core/internal/texts";
import { Estimate } from "../../functions/estimate.js";
import type { CelLibrary } from "../../functions/library.js";
import {
  type FunctionDeclaration,
  memberOverload,
  type OverloadCosts,
} from "../../functions/overload.js";
import { isBlank } from "../../text/is-blank.js";
import { CelFailure } from "../../values/cel-failure.js";
import { boolType, stringType } from "../../values/cel-type.js";
import {
  authorizerType,
  type CelAuthorizer,
  CelGroupCheck,
  CelPathCheck,
  groupCheckType,
  pathCheckType,
} from "./cel-authorizer.js";
import { decisionType } from "./cel-decision.js";
import { CelResourceCheck, resourceCheckType } from "./cel-resource-check.js";

/** Units of one check: a budget of 1,000,000 allows two. */
const unitsOfCheck = 350_000;

const checkCosts: OverloadCosts = {
  cost: () => unitsOfCheck,
  estimate: () => ({ cost: Estimate.exactly(unitsOfCheck) }),
};

function serviceAccount(
  authorizer: CelAuthorizer,
  namespace: string,
  name: string,
): CelAuthorizer | CelFailure {
  if (subdomainTexts(name).length > 0) {
    return new CelFailure("Invalid service account name");
  }
  return labelTexts(namespace).length > 0
    ? new CelFailure("Invalid service account namespace")
    : authorizer.serviceAccount(namespace, name);
}

function resource(
  { authorizer, group }: CelGroupCheck,
  name: string,
): CelResourceCheck | CelFailure {
  return isBlank(name)
    ? new CelFailure("resource must not be empty")
    : new CelResourceCheck(authorizer, {
        apiGroup: group,
        resource: name,
        subresource: "",
        namespace: "",
        name: "",
      });
}

/** Declares a member that sets a part of a resource check. */
function setter(name: "name" | "namespace" | "subresource"): FunctionDeclaration {
  const parameters = [resourceCheckType, stringType] as const;
  const call = (check: CelResourceCheck, value: string) => check.with({ [name]: value });
  const id = `resourcecheck_${name}`;
  return { name, overloads: [memberOverload(id, parameters, resourceCheckType, call)] };
}

const builders: readonly FunctionDeclaration[] = [
  {
    name: "path",
    overloads: [
      memberOverload(
        "authorizer_path",
        [authorizerType, stringType],
        pathCheckType,
        (authorizer, path) =>
          isBlank(path)
            ? new CelFailure("path must not be empty")
            : new CelPathCheck(authorizer, path),
      ),
    ],
  },
  {
    name: "group",
    overloads: [
      memberOverload(
        "authorizer_group",
        [authorizerType, stringType],
        groupCheckType,
        (authorizer, group) => new CelGroupCheck(authorizer, group),
      ),
    ],
  },
  {
    name: "serviceAccount",
    overloads: [
      memberOverload(
        "authorizer_serviceaccount",
        [authorizerType, stringType, stringType],
        authorizerType,
        serviceAccount,
      ),
    ],
  },
  {
    name: "resource",
    overloads: [
      memberOverload(
        "groupcheck_resource",
        [groupCheckType, stringType],
        resourceCheckType,
        resource,
      ),
    ],
  },
  setter("subresource"),
  setter("namespace"),
  setter("name"),
];

const check: FunctionDeclaration = {
  name: "check",
  overloads: [
    memberOverload(
      "pathcheck_check",
      [pathCheckType, stringType],
      decisionType,
      (path, verb) => path.check(verb),
      checkCosts,
    ),
    memberOverload(
      "resourcecheck_check",
      [resourceCheckType, stringType],
      decisionType,
      (resourceCheck, verb) => resourceCheck.check(verb),
      checkCosts,
    ),
  ],
};

const decisions: readonly FunctionDeclaration[] = [
  {
    name: "errored",
    overloads: [
      memberOverload(
        "decision_errored",
        [decisionType],
        boolType,
        ({ outcome }) => outcome.error !== undefined,
      ),
    ],
  },
  {
    name: "error",
    overloads: [
      memberOverload(
        "decision_error",
        [decisionType],
        stringType,
        ({ outcome }) => outcome.error ?? "",
      ),
    ],
  },
  {
    name: "allowed",
    overloads: [
      memberOverload(
        "decision_allowed",
        [decisionType],
        boolType,
        ({ outcome }) => outcome.decision === "Allow",
      ),
    ],
  },
  {
    name: "reason",
    overloads: [
      memberOverload(
        "decision_reason",
        [decisionType],
        stringType,
        ({ outcome }) => outcome.reason ?? "",
      ),
    ],
  },
];

/** Checks of what a user may do, from Kubernetes 1.27 on, where the variable `authorizer` exists. */
export const authorizerLibrary: CelLibrary = {
  name: "kubernetes.authz",
  functions: [...builders, check, ...decisions],
};
