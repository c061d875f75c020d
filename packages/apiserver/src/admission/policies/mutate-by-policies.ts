import type { StatusCause } from "@typekube/core";
import type { CompiledMutatingPolicy } from "@typekube/policy";
import { forbidden, StatusError } from "../../errors/status-errors.js";
import { policyPackage } from "../../kinds/admissionregistration/policy-package.js";
import type { ApiObject } from "../../objects/api-object.js";
import { type JsonObject, jsonEqual } from "../../objects/json-value.js";
import { specOf } from "../../objects/parts.js";
import type { Mutation } from "../admission-plugin.js";
import type { AdmissionAttributes } from "../attributes.js";
import { expressionInput } from "../expressions/expression-input.js";
import { inVersionOf, reviewedAs } from "../matching/versioned-objects.js";
import { applyMutation } from "./apply-mutation.js";
import { mutatingPolicies } from "./bound-policies.js";
import { type FailedInvocation, findInvocations, type Invocation } from "./find-invocations.js";
import { requestName } from "./request-name.js";

const plugin = "MutatingAdmissionPolicy";

/**
 * Evaluates the MutatingAdmissionPolicies that match a request, each on the object as the former have left it.
 * (apiserver `mutating.dispatchInvocations`)
 *
 * @returns the object, changed or not.
 * @throws {StatusError} 403 or 422 when a policy fails whose failure policy is not "Ignore".
 */
export function mutateByPolicies(
  attributes: AdmissionAttributes,
  mutation: Mutation,
): JsonObject | undefined {
  const policies = mutatingPolicies(mutation.server.store);
  if (policies.length === 0) {
    return attributes.object;
  }
  const failures: Failure[] = [];
  const state = mutation.reinvocation.of(plugin);
  state.begin(attributes.object);
  let current = attributes;
  // The invocations are those of the object as it arrived, whatever mutations change.
  for (const found of [...findInvocations(policies, attributes, mutation.server)]) {
    if ("problem" in found) {
      failures.push(failureOf(found));
      continue;
    }
    const object = invoke(found, current, mutation, failures);
    if (!jsonEqual(object, current.object)) {
      current = { ...current, object };
      state.changed();
    }
    if (specOf(found.bound.policy)["reinvocationPolicy"] === "IfNeeded") {
      state.invoked(idOf(found));
    }
  }
  state.end(current.object);
  const refused = failures.filter(({ policy }) => specOf(policy)["failurePolicy"] !== "Ignore");
  if (refused.length > 0) {
    throw denied(attributes, refused);
  }
  return current.object;
}

/** Why a policy could not be evaluated. */
interface Failure {
  readonly policy: ApiObject;
  readonly message: string;
  readonly reason?: string;
}

function failureOf({
  bound: { policy },
  binding,
  problem,
}: FailedInvocation<CompiledMutatingPolicy>): Failure {
  const what = binding === undefined ? "policy" : "binding";
  return {
    policy,
    message: deniedBy(policy, binding, `failed to configure ${what}: ${problem}`),
  };
}

/** Identifies an invocation in the second round. */
function idOf({ bound, binding, params }: Invocation<CompiledMutatingPolicy>): string {
  return [bound.policy, binding, params ?? bound.policy]
    .map(({ metadata }) => `${metadata.namespace ?? ""}/${metadata.name ?? ""}`)
    .join(" ");
}

function deniedBy(policy: ApiObject, binding: ApiObject | undefined, why: string): string {
  const { name = "" } = policy.metadata;
  return binding === undefined
    ? `policy ${JSON.stringify(name)} denied request: ${why}`
    : `policy '${name}' with binding '${binding.metadata.name ?? ""}' denied request: ${why}`;
}

/** Runs the mutations of one invocation, and returns the object after them. */
function invoke(
  invocation: Invocation<CompiledMutatingPolicy>,
  attributes: AdmissionAttributes,
  mutation: Mutation,
  failures: Failure[],
): JsonObject | undefined {
  const { matchesConditions, computeMutation, MutationProblem } = policyPackage();
  const { bound, binding, match, params } = invocation;
  const { policy } = bound;
  const compiled = bound.compile();
  const fail = (why: string) =>
    failures.push({ policy, message: deniedBy(policy, binding, why), reason: "Invalid" });
  const input = (object: JsonObject | undefined) =>
    expressionInput(reviewedAs({ ...attributes, object }, match), mutation.server, params);
  const { matches, error } = matchesConditions(compiled, input(attributes.object));
  if (error !== undefined) {
    fail(error);
  }
  let { object } = attributes;
  if (
    !matches ||
    object === undefined ||
    !mutation.reinvocation.of(plugin).runs(idOf(invocation))
  ) {
    return object;
  }
  for (const one of compiled.mutations) {
    try {
      const change = computeMutation(compiled, one, input(object));
      const before = inVersionOf(object, attributes.resource, match.resource) ?? object;
      const after = applyMutation(before, change, match, mutation.server);
      if (!jsonEqual(after, before)) {
        object = mutation.read(
          inVersionOf(after, match.resource, attributes.resource) ?? after,
          one.patchType === "JSONPatch" ? "refuse" : "drop",
        );
      }
    } catch (problem) {
      if (!(problem instanceof MutationProblem)) {
        throw problem;
      }
      fail(problem.message);
    }
  }
  return object;
}

function denied(attributes: AdmissionAttributes, failures: readonly Failure[]): StatusError {
  const causes: StatusCause[] = failures.map(({ message }) => ({ message }));
  const [first] = failures;
  const why = "admission request denied by policy";
  const { status } = forbidden(attributes.resource, requestName(attributes), why, causes);
  return new StatusError({
    ...status,
    message: first?.message ?? why,
    reason: first?.reason ?? "Forbidden",
  });
}
