import { afterAll, describe, expect, it } from "vitest";
import { celEnv } from "../../packages/cel/src/environment/cel-env.js";
import type {
  AuthorizationAttributes,
  CheckedSelector,
} from "../../packages/cel/src/libraries/authorizer/authorize.js";
import {
  authorizerType,
  CelAuthorizer,
} from "../../packages/cel/src/libraries/authorizer/cel-authorizer.js";
import { sourceOf } from "../../packages/cel/test/libraries/term.js";
import { buildOracle } from "../../packages/cel/test/oracle/oracle.js";
import type { OracleAnswer } from "../../packages/cel/test/oracle/oracle-types.js";
import { oracleValue } from "../../packages/cel/test/oracle/oracle-value.js";
import { randomSelectors, randomTerm } from "./cel/random-terms.js";
import { seededRandom } from "./go-regexp/random-patterns.js";

const oracle = buildOracle();
const seed = Number(process.env["TYPEKUBE_CEL_SEED"] ?? 1);
const count = Number(process.env["TYPEKUBE_CEL_TERMS"] ?? 2_000);
const env = celEnv({
  variables: { authorizer: authorizerType },
});

const value = { decision: "NoOpinion", reason: "attributes", error: "down" };
const variables = { authorizer: { type: "authorizer", value } };
const authorizer = new CelAuthorizer({ username: "user" }, (attributes) => ({
  decision: "NoOpinion",
  reason: attributesText(attributes),
  error: "down",
}));

/** Returns the attributes as the oracle's authorizer writes them. */
function attributesText({ user, verb, ...attributes }: AuthorizationAttributes): string {
  const none = {
    apiGroup: "",
    apiVersion: "",
    resource: "",
    subresource: "",
    namespace: "",
    name: "",
  };
  const { fieldSelector, labelSelector, path, ...rest } = {
    ...none,
    path: "",
    fieldSelector: undefined,
    labelSelector: undefined,
    ...attributes,
  };
  const all = {
    ...rest,
    path,
    verb,
    user: user.username,
    groups: user.groups ?? null,
    ...selectorParts("fields", fieldSelector),
    ...selectorParts("labels", labelSelector),
  };
  const sorted = Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify(Object.fromEntries(sorted));
}

function selectorParts(name: string, selector: CheckedSelector<unknown> | undefined): object {
  return selector !== undefined && "error" in selector
    ? { [name]: [], [`${name}Error`]: selector.error }
    : { [name]: selector?.requirements ?? [] };
}

/** Value, units and estimated units, or the error, in the oracle's form. */
function ourAnswerTo(expression: string): unknown {
  const rule = env.compile(expression);
  const { result, cost } = rule.program.run(() => authorizer);
  const { min, max } = rule.estimate();
  return "code" in result
    ? { error: result.message }
    : {
        value: oracleValue(result.value),
        cost: String(cost),
        estimate: { min: String(min), max: String(max) },
      };
}

function theirAnswer(answer: OracleAnswer | undefined): unknown {
  if (answer?.type === undefined) {
    return answer;
  }
  const { value, error, cost, estimate } = answer;
  return error === undefined ? { value, cost, estimate } : { error };
}

describe.skipIf(oracle === undefined)("CEL libraries compared to Kubernetes' own", () => {
  afterAll(() => oracle?.[Symbol.dispose]());

  it.each(["urls", "ips", "cidrs", "quantities", "versions", "formats"] as const)(
    `VC1: ${count} random calls of %s have the same value, error, cost and estimate, seed ${seed}`,
    async (kind) => {
      const random = seededRandom(seed);
      const terms = Array.from({ length: count }, () => randomTerm(random, kind));
      const answers = await oracle?.ask(terms.map((term) => ({ expression: sourceOf(term) })));
      const differences = terms.flatMap((term, at) => {
        const theirs = theirAnswer(answers?.[at]);
        const ours = ourAnswerTo(sourceOf(term));
        return JSON.stringify(ours) === JSON.stringify(theirs)
          ? []
          : [{ source: sourceOf(term), ours, theirs }];
      });
      expect(differences).toEqual([]);
    },
  );

  it("VC1: calls whose signature is known at run time only cost the same", async () => {
    const expressions = [
      "cidr('10.0.0.0/8').containsIP(dyn('10.0.0.1'))",
      "cidr('10.0.0.0/8').containsCIDR(dyn('10.0.0.0/16'))",
      "dyn(cidr('10.0.0.0/8')).ip().family()",
      "dyn(quantity('1')).isLessThan(quantity('2'))",
      "string(dyn(ip('10.0.0.1')))",
      "dyn(ip('10.0.0.1')) == dyn('10.0.0.1')",
      "ip('10.0.0.1') != dyn('10.0.0.1')",
      "[dyn(ip('10.0.0.1'))] == [dyn('10.0.0.1')]",
      "ip('10.0.0.1') in [ip('10.0.0.2'), ip('10.0.0.1')]",
      "url('https://h/a') == url('https://h/b')",
      "format.uuid() == format.named('uuid').value()",
      "format.uuid() != format.byte()",
      "ip('::1') != ip('::2')",
      "url('https://h/a').getQuery() == {}",
      "type(ip('::1')) == net.IP && type(cidr('::1/8')) == net.CIDR",
      "type(quantity('1')) != type(url('/'))",
      "[0.0 / 0.0].exists(x, x == x || [x] == [x])",
      "[quantity('1').add(1)].all(x, [x] == [x] && x == x)",
      "semver('1.2.3') == semver('v1.2.3', true)",
    ];
    const answers = await oracle?.ask(expressions.map((expression) => ({ expression })));
    expect(expressions.map(ourAnswerTo)).toEqual(answers?.map(theirAnswer));
  });

  it("VK18: checks ask for the same, and cost the same", async () => {
    const expressions = [
      "authorizer.group('apps').resource('deployments').check('get').reason()",
      "authorizer.group('').resource('pods').subresource('log').namespace('n').name('p').check('get').reason()",
      "authorizer.group('').resource('pods').fieldSelector('spec.nodeName=n').check('list').reason()",
      "authorizer.group('').resource('pods').fieldSelector('x').labelSelector('(').check('list').reason()",
      "authorizer.group('').resource(' ').check('list').allowed()",
      "authorizer.path('/healthz').check('get').reason()",
      "authorizer.path('').check('get').reason()",
      "authorizer.serviceAccount('default', 'robot').path('/').check('get').reason()",
      "authorizer.serviceAccount('a.b', 'robot').path('/').check('get').reason()",
      "authorizer.path('/').check('get').error()",
      "authorizer.path('/').check('get').errored()",
      "authorizer == authorizer",
      "authorizer.path('/') != authorizer.path('/')",
    ];
    const answers = await oracle?.ask(expressions.map((expression) => ({ expression, variables })));
    expect(expressions.map(ourAnswerTo)).toEqual(answers?.map(theirAnswer));
  });

  it(`VK19: ${count} random selectors have the same requirements or errors, seed ${seed}`, async () => {
    const random = seededRandom(seed);
    const expressions = Array.from({ length: count }, () => {
      const [fields, labels] = randomSelectors(random).map((text) => JSON.stringify(text));
      return `authorizer.group('').resource('pods').fieldSelector(${fields}).labelSelector(${labels}).check('list').reason()`;
    });
    const answers = await oracle?.ask(expressions.map((expression) => ({ expression, variables })));
    const differences = expressions.flatMap((source, at) => {
      const [ours, theirs] = [ourAnswerTo(source), theirAnswer(answers?.[at])];
      return JSON.stringify(ours) === JSON.stringify(theirs) ? [] : [{ source, ours, theirs }];
    });
    expect(differences).toEqual([]);
  });
});
