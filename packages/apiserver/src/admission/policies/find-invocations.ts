import type { ServerContext } from "../../context/server-context.js";
import type { ApiObject } from "../../objects/api-object.js";
import { specOf } from "../../objects/parts.js";
import type { ServedResource } from "../../resources/served-resource.js";
import type { AdmissionAttributes } from "../attributes.js";
import type { Match } from "../matching/find-match.js";
import type { BoundPolicy } from "./bound-policies.js";
import { collectParams, ParamsProblem, paramResource } from "./collect-params.js";
import { matchResources } from "./match-resources.js";

/** A policy that decides about a request, for one binding and parameter. */
export interface Invocation<C> {
  readonly bound: BoundPolicy<C>;
  readonly binding: ApiObject;
  /** The version in which the policy sees the objects. */
  readonly match: Match;
  readonly params: ApiObject | null;
}

/** A policy that should decide, but cannot. */
export interface FailedInvocation<C> {
  readonly bound: BoundPolicy<C>;
  /** Absent if the policy cannot decide for any binding. */
  readonly binding?: ApiObject;
  readonly problem: string;
}

/**
 * Finds the policies that match a request, one after the other, with each of their bindings and parameters. (apiserver
 * `policyDispatcher.Dispatch`)
 */
export function* findInvocations<C>(
  policies: readonly BoundPolicy<C>[],
  attributes: AdmissionAttributes,
  server: ServerContext,
): Generator<FailedInvocation<C> | Invocation<C>> {
  for (const bound of policies) {
    const { policy, bindings } = bound;
    const match = matchResources(specOf(policy)["matchConstraints"], attributes, server);
    if (match === undefined) {
      continue;
    }
    const resource = orProblem(() => paramResource(policy, server));
    if (typeof resource === "string") {
      yield { bound, problem: resource };
      continue;
    }
    for (const binding of bindings) {
      if (matchesBinding(binding, attributes, server)) {
        yield* withParams({ bound, binding, match }, resource, attributes, server);
      }
    }
  }
}

function* withParams<C>(
  found: Omit<Invocation<C>, "params">,
  resource: ServedResource | undefined,
  { namespace }: AdmissionAttributes,
  server: ServerContext,
): Generator<FailedInvocation<C> | Invocation<C>> {
  const { bound, binding } = found;
  const params = orProblem(() => collectParams(resource, binding, namespace, server));
  if (typeof params === "string") {
    yield { bound, binding, problem: params };
    return;
  }
  for (const one of params) {
    yield { ...found, params: one };
  }
}

function matchesBinding(
  binding: ApiObject,
  attributes: AdmissionAttributes,
  server: ServerContext,
): boolean {
  const { matchResources: limits } = specOf(binding);
  return limits === undefined || matchResources(limits, attributes, server) !== undefined;
}

/** Returns the result of a step, or the problem with parameters that ends it. */
function orProblem<T>(step: () => T): T | string {
  try {
    return step();
  } catch (error) {
    if (error instanceof ParamsProblem) {
      return error.message;
    }
    throw error;
  }
}
