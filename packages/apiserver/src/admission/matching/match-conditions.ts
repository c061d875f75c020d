import type { CelRule } from "@typekube/cel";
import type { AuthorizationAttributes, AuthorizationDecision } from "@typekube/cel/internal";
import { attributesOf } from "../../access/access-attributes.js";
import type { ServerContext } from "../../context/server-context.js";
import type { JsonObject } from "../../objects/json-value.js";
import { administrator, type User } from "../../objects/user.js";
import { PendingCall } from "../../time/pending-call.js";
import { type ReviewedRequest, reviewRequest } from "./reviewed-request.js";

/** Largest cost of all conditions of one webhook. (apiserver `RuntimeCELCostBudgetMatchConditions`) */
const maxTotalCost = 2_500_000;

/** The outcome of match conditions. */
export interface ConditionOutcome {
  /** `false` if one condition is, even if others could not be evaluated. */
  readonly matches: boolean;
  /** The reason why conditions could not be evaluated. Absent if one of them is false. */
  readonly error?: string;
}

/** Evaluates the `matchConditions` of a webhook for a request. (apiserver `matchconditions.Matcher`) */
export function evaluateConditions(
  conditions: readonly JsonObject[],
  reviewed: ReviewedRequest,
  server: Pick<ServerContext, "access">,
): ConditionOutcome {
  const cel = loadedCel();
  const input = inputOf(cel, reviewed, server);
  const errors: string[] = [];
  let left = maxTotalCost;
  let isFalse = false;
  for (const { expression } of conditions) {
    const source = String(expression);
    const outcome = evaluate(cel, source, input, left);
    left -= outcome.cost;
    if (left < 0) {
      return { matches: false, error: outOfBudget };
    }
    if (outcome.error !== undefined) {
      errors.push(outcome.error);
    }
    isFalse ||= outcome.value === false;
  }
  if (isFalse || errors.length === 0) {
    return { matches: !isFalse };
  }
  const all = [...new Set(errors)];
  return { matches: false, error: all.length === 1 ? all.join("") : `[${all.join(", ")}]` };
}

const outOfBudget =
  "validation failed due to running out of cost budget, no further validation rules will be run";

type Cel = typeof import("@typekube/cel") & typeof import("@typekube/cel/internal");

/** The package of CEL, which most servers never need. */
let loaded: Cel | undefined;

function loadedCel(): Cel {
  if (loaded === undefined) {
    throw new PendingCall(async () => {
      const [main, internal] = await Promise.all([
        import("@typekube/cel"),
        import("@typekube/cel/internal"),
      ]);
      loaded = { ...main, ...internal };
    });
  }
  return loaded;
}

/** Compiled conditions by their text, or why they can't be compiled. */
const compiled = new Map<string, CelRule | string>();
/** Maximum number of compiled conditions to keep. */
const maxCompiled = 1_000;

function compile({ celEnv, CelCompileError, ...cel }: Cel, source: string): CelRule | string {
  let known = compiled.get(source);
  if (known === undefined) {
    const { authorizerType, boolType, dynType, resourceCheckType } = cel;
    const variables = {
      object: dynType,
      oldObject: dynType,
      request: dynType,
      authorizer: authorizerType,
      "authorizer.requestResource": resourceCheckType,
    };
    try {
      const rule = celEnv({ variables }).compile(source);
      known = rule.type === boolType || rule.type === dynType ? rule : "must evaluate to bool";
    } catch (error) {
      if (!(error instanceof CelCompileError)) {
        throw error;
      }
      known = error.message;
    }
    if (compiled.size >= maxCompiled) {
      compiled.clear();
    }
    compiled.set(source, known);
  }
  return known;
}

interface Evaluated {
  readonly cost: number;
  readonly value?: unknown;
  readonly error?: string;
}

function evaluate(cel: Cel, source: string, input: JsonObject, left: number): Evaluated {
  const rule = compile(cel, source);
  if (typeof rule === "string") {
    return { cost: 0, error: `compilation error: ${rule}` };
  }
  const outcome = rule.evaluate(input);
  const { cost } = outcome;
  if (outcome.ok) {
    return { cost, value: outcome.value };
  }
  return outcome.error.code === "CostLimit"
    ? { cost: left + 1 }
    : { cost, error: `expression '${source}' resulted in error: ${outcome.error.message}` };
}

function inputOf(
  { CelAuthorizer, CelResourceCheck }: Cel,
  reviewed: ReviewedRequest,
  { access }: Pick<ServerContext, "access">,
): JsonObject {
  const { attributes, match, object = null, oldObject = null } = reviewed;
  const { user = administrator, namespace, name, subresource } = attributes;
  const { object: _object, oldObject: _old, ...request } = reviewRequest(reviewed);
  const { name: username, uid, groups, extra } = user;
  const authorizer = new CelAuthorizer({ username, uid, groups, extra }, (what) =>
    decide(access, what),
  );
  const { group: apiGroup, plural: resource } = match.resource;
  const parts = { apiGroup, resource, subresource, namespace, name };
  return {
    object,
    oldObject,
    request,
    authorizer,
    "authorizer.requestResource": new CelResourceCheck(authorizer, parts),
  };
}

function decide(
  { authorizer }: ServerContext["access"],
  attributes: AuthorizationAttributes,
): AuthorizationDecision {
  const { user: asked, verb } = attributes;
  const { username: name, uid, groups = [], extra } = asked;
  const user: User = { name, uid, groups, extra };
  const { allowed, reason } = authorizer.authorize(
    user,
    attributes.isResourceRequest
      ? attributesOf({ verb, group: attributes.apiGroup, ...placeOf(attributes) })
      : attributesOf({ isResource: false, path: attributes.path, verb }),
  );
  return { decision: allowed ? "Allow" : "NoOpinion", reason };
}

function placeOf({
  resource,
  subresource,
  namespace,
  name,
}: Extract<AuthorizationAttributes, { isResourceRequest: true }>) {
  return { resource, subresource, namespace, name };
}
