import assert from "node:assert/strict";
import { it } from "vitest";
import type {
  AuthorizationAttributes,
  AuthorizationDecision,
} from "../../src/libraries/authorizer/authorize.js";
import { authorizerLibrary } from "../../src/libraries/authorizer/authorizer-library.js";
import { authorizerSelectorsLibrary } from "../../src/libraries/authorizer/authorizer-selectors-library.js";
import { CelAuthorizer } from "../../src/libraries/authorizer/cel-authorizer.js";
import { CelResourceCheck } from "../../src/libraries/authorizer/cel-resource-check.js";
import { CelFailure } from "../../src/values/cel-failure.js";
import type { CelResult, CelValue } from "../../src/values/cel-value.js";
import { equality } from "../../src/values/equals.js";
import { call, costOfCall, plain } from "./call.js";

const user = { username: "jane", groups: ["dev"] };

/** Calls members one after the other: `[name, ...arguments]`. */
function chain(
  start: CelValue,
  ...calls: readonly (readonly [string, ...CelValue[]])[]
): CelResult {
  let value: CelResult = start;
  for (const [name, ...args] of calls) {
    if (value instanceof CelFailure) {
      return value;
    }
    const isSelector = name === "fieldSelector" || name === "labelSelector";
    const library = isSelector ? authorizerSelectorsLibrary : authorizerLibrary;
    value = call(library, name, value, ...args);
  }
  return value;
}

function recorder(decision: AuthorizationDecision = { decision: "Allow" }) {
  const asked: AuthorizationAttributes[] = [];
  const authorizer = new CelAuthorizer(user, (attributes) => {
    asked.push(attributes);
    return decision;
  });
  return { asked, authorizer };
}

const noSelectors = { fieldSelector: undefined, labelSelector: undefined };

it("CEL28: a resource check asks with what its members set", () => {
  const { asked, authorizer } = recorder();
  const allowed = chain(
    authorizer,
    ["group", "apps"],
    ["resource", "deployments"],
    ["subresource", "scale"],
    ["namespace", "default"],
    ["name", "web"],
    ["check", "update"],
    ["allowed"],
  );
  assert.equal(allowed, true);
  const attributes = {
    isResourceRequest: true,
    user,
    verb: "update",
    apiGroup: "apps",
    apiVersion: "*",
    resource: "deployments",
    subresource: "scale",
    namespace: "default",
    name: "web",
    ...noSelectors,
  };
  assert.deepEqual(asked, [attributes]);
});

it("VK18: members may come in any order and more than once; the check that they start from stays", () => {
  const { asked, authorizer } = recorder();
  const pods = chain(authorizer, ["group", ""], ["resource", "pods"], ["namespace", "a"]);
  assert.ok(pods instanceof CelResourceCheck);
  chain(pods, ["name", "x"], ["namespace", "b"], ["check", "any verb"]);
  chain(pods, ["check", "get"]);
  assert.deepEqual(
    asked.map((one) => one.isResourceRequest && [one.verb, one.namespace, one.name]),
    [
      ["any verb", "b", "x"],
      ["get", "a", ""],
    ],
  );
});

it("CEL29: paths and service accounts", () => {
  const { asked, authorizer } = recorder();
  chain(authorizer, ["path", "/healthz"], ["check", "get"]);
  chain(
    authorizer,
    ["serviceAccount", "default", "robot"],
    ["group", "apps"],
    ["resource", "deployments"],
    ["check", "delete"],
  );
  assert.deepEqual(asked[0], { isResourceRequest: false, user, verb: "get", path: "/healthz" });
  assert.deepEqual(asked[1]?.user, {
    username: "system:serviceaccount:default:robot",
    groups: ["system:serviceaccounts", "system:serviceaccounts:default"],
  });
});

it("VK18: blank paths and resources and invalid service accounts are errors", () => {
  const { authorizer } = recorder();
  const errors: readonly (readonly [CelResult, string])[] = [
    [chain(authorizer, ["path", " \t\u0085"]), "path must not be empty"],
    [chain(authorizer, ["group", ""], ["resource", ""]), "resource must not be empty"],
    [chain(authorizer, ["serviceAccount", "a.b", "x"]), "Invalid service account namespace"],
    [chain(authorizer, ["serviceAccount", "a.b", "x_"]), "Invalid service account name"],
  ];
  for (const [result, error] of errors) {
    assert.deepEqual(plain(result), { error });
  }
});

it("VK18: a decision has its reason and its error; only Allow is allowed", () => {
  const members = (decision: AuthorizationDecision) => {
    const checked = chain(recorder(decision).authorizer, ["path", "/"], ["check", "get"]);
    assert.ok(!(checked instanceof CelFailure));
    return ["allowed", "reason", "errored", "error"].map((name) => chain(checked, [name]));
  };
  assert.deepEqual(members({ decision: "Allow" }), [true, "", false, ""]);
  assert.deepEqual(members({ decision: "Deny", reason: "no" }), [false, "no", false, ""]);
  assert.deepEqual(members({ decision: "NoOpinion", error: "down" }), [false, "", true, "down"]);
});

it("CEL30: selectors are in the attributes as requirements", () => {
  const { asked, authorizer } = recorder();
  chain(
    authorizer,
    ["group", ""],
    ["resource", "pods"],
    ["fieldSelector", "spec.nodeName=mynode"],
    ["labelSelector", "app in (a,b)"],
    ["check", "list"],
  );
  const [attributes] = asked;
  assert.ok(attributes?.isResourceRequest === true);
  assert.deepEqual(attributes.fieldSelector, {
    requirements: [{ field: "spec.nodeName", operator: "=", value: "mynode" }],
  });
  assert.deepEqual(attributes.labelSelector, {
    requirements: [{ key: "app", operator: "In", values: ["a", "b"] }],
  });
});

it("VK19: a check with malformed selectors is made all the same, with their errors", () => {
  const { asked, authorizer } = recorder();
  const allowed = chain(
    authorizer,
    ["group", ""],
    ["resource", "pods"],
    ["fieldSelector", "x"],
    ["labelSelector", "a=(b"],
    ["check", "list"],
    ["allowed"],
  );
  assert.equal(allowed, true);
  const [attributes] = asked;
  assert.ok(attributes?.isResourceRequest === true);
  assert.deepEqual(attributes.fieldSelector, {
    error: "invalid selector: 'x'; can't understand 'x'",
  });
  assert.deepEqual(attributes.labelSelector, {
    error: "unable to parse requirement: found '(', expected: identifier",
  });
});

it("VK22: an exception of authorize is an error of the expression, with its cause", () => {
  const cause = new Error("authorizer is down");
  const authorizer = new CelAuthorizer(user, () => {
    throw cause;
  });
  const result = chain(authorizer, ["path", "/"], ["check", "get"]);
  assert.ok(result instanceof CelFailure);
  assert.equal(result.message, "authorizer is down");
  assert.equal(result.cause, cause);
});

it("VK18: values of the authorizer cannot be compared", () => {
  const { authorizer } = recorder();
  assert.deepEqual(plain(equality(authorizer, authorizer.serviceAccount("a", "b"))), {
    error: "no such overload",
  });
});

it("VC1: a check costs 350,000 units, a selector 10 and 50 per two characters", () => {
  const { authorizer } = recorder();
  const pods = chain(authorizer, ["group", ""], ["resource", "pods"]);
  assert.ok(!(pods instanceof CelFailure));
  assert.equal(costOfCall(authorizerLibrary, "check", pods, "get"), 350_000);
  assert.equal(costOfCall(authorizerLibrary, "namespace", pods, "default"), 1);
  const selectorCost = (name: string, text: string) =>
    costOfCall(authorizerSelectorsLibrary, name, pods, text);
  // 22 characters: 10 + 3 + 11 * 50.
  assert.equal(selectorCost("fieldSelector", "metadata.name=foo12345"), 563);
  assert.equal(selectorCost("labelSelector", "a"), 10 + 1 + 50);
});
