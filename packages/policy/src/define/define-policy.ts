import type { ResourceDescriptor, Scope } from "@typekube/api";
import type {
  AuditAnnotation,
  MatchCondition,
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from "@typekube/api/admissionregistration/v1";
import type { LabelSelector } from "@typekube/api/meta/v1";
import type { StatusCause } from "@typekube/core";
import type { Operation } from "../admission-request.js";
import { checkMutatingPolicy } from "../checks/check-mutating-policy.js";
import { checkValidatingPolicy } from "../checks/check-validating-policy.js";
import type { FailurePolicy } from "../conditions/match-conditions.js";
import type { ValidationAction } from "../validating/conclusion.js";
import type { DenialReason } from "../validating/decision.js";
import { type MatchedResource, type ParamsOf, paramRefOf, rulesFor } from "./matched-resources.js";
import { PolicyProblem } from "./policy-problem.js";

/** The parts that validating and mutating policies have in common. */
export interface PolicyDefinition<P extends ResourceDescriptor = ResourceDescriptor> {
  /** Name of the policy and of its binding. */
  readonly name: string;
  /** The kinds whose requests the policy sees, by their descriptors. */
  readonly resources: readonly MatchedResource[];
  /** Default: CREATE and UPDATE. */
  readonly operations?: readonly Operation[];
  /** Namespaces whose objects the policy sees. Default: all. */
  readonly namespaces?: LabelSelector;
  /** Objects that the policy sees, by their labels. Default: all. */
  readonly objects?: LabelSelector;
  /** "Fail" (default) refuses requests that cannot be decided. */
  readonly failurePolicy?: FailurePolicy;
  /** Conditions under which the policy takes part. */
  readonly matchConditions?: readonly MatchCondition[];
  /** Expressions by name, which others read as `variables.NAME`. Later ones may use earlier ones. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Kind of the variable `params`, and the objects with its values. */
  readonly params?: {
    readonly resource: P;
    readonly from: ParamsOf<P["scope"]>;
  };
  /** Version of the servers, for example "1.37", whose language the expressions must keep to. Default: the newest known one. */
  readonly version?: string;
}

/** A validation of a policy: a request for which the expression is false is refused. */
export interface PolicyValidation {
  readonly expression: string;
  readonly message?: string;
  /** Expression that computes the message. */
  readonly messageExpression?: string;
  /** Default "Invalid", which gives a 422. */
  readonly reason?: Exclude<DenialReason, "Unauthorized">;
}

/** A policy that refuses requests. */
export interface ValidatingDefinition<P extends ResourceDescriptor = ResourceDescriptor>
  extends PolicyDefinition<P> {
  readonly validations: readonly PolicyValidation[];
  readonly auditAnnotations?: readonly AuditAnnotation[];
  /** Effect of a false validation. Default: `["Deny"]`. */
  readonly actions?: readonly ValidationAction[];
  readonly mutations?: never;
}

/** A policy that changes objects. */
export interface MutatingDefinition<P extends ResourceDescriptor = ResourceDescriptor>
  extends PolicyDefinition<P> {
  /** Apply configurations (`{ apply: "Object{…}" }`) and JSON Patches (`{ patch: "[JSONPatch{…}]" }`), in order. */
  readonly mutations: readonly ({ readonly apply: string } | { readonly patch: string })[];
  /** "IfNeeded" evaluates the policy once more after later changes. Default "Never". */
  readonly reinvocation?: "IfNeeded" | "Never";
  readonly validations?: never;
}

/** A policy with the binding that puts it into force. */
export interface DefinedPolicy<P, B> {
  readonly policy: P;
  readonly binding: B;
  /** Both objects, in the order in which to write them. */
  readonly objects: readonly [P, B];
}

/**
 * Builds an admission policy and its binding. The expressions are compiled, so mistakes show up here instead of on the server.
 *
 * @example
 * ```ts
 * const { objects } = definePolicy({
 *   name: "few-replicas",
 *   resources: [Deployment, subresourceOf(Deployment, "scale")],
 *   validations: [{ expression: "object.spec.replicas <= 5", message: "at most 5 replicas" }],
 * });
 * ```
 *
 * @throws {PolicyProblem} for expressions that do not compile.
 */
export function definePolicy<P extends ResourceDescriptor>(
  definition: ValidatingDefinition<P>,
): DefinedPolicy<ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding>;
export function definePolicy<P extends ResourceDescriptor>(
  definition: MutatingDefinition<P>,
): DefinedPolicy<MutatingAdmissionPolicy, MutatingAdmissionPolicyBinding>;
export function definePolicy(
  definition: MutatingDefinition | ValidatingDefinition,
): DefinedPolicy<unknown, unknown> {
  return definition.mutations === undefined
    ? defineValidating(definition)
    : defineMutating(definition);
}

const apiVersion = "admissionregistration.k8s.io/v1";

function defineValidating(
  definition: ValidatingDefinition,
): DefinedPolicy<ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding> {
  const { name, validations, auditAnnotations, actions = ["Deny"], version } = definition;
  const policy: ValidatingAdmissionPolicy = {
    apiVersion,
    kind: "ValidatingAdmissionPolicy",
    metadata: { name },
    spec: {
      ...sharedSpec(definition),
      validations: validations.map((one) => ({ ...one })),
      ...(auditAnnotations === undefined ? {} : { auditAnnotations: [...auditAnnotations] }),
    },
  };
  assertValid(name, checkValidatingPolicy(policy, undefined, { version }));
  const binding: ValidatingAdmissionPolicyBinding = {
    apiVersion,
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name },
    spec: { policyName: name, validationActions: [...actions], ...paramsOf(definition) },
  };
  return { policy, binding, objects: [policy, binding] };
}

function defineMutating(
  definition: MutatingDefinition,
): DefinedPolicy<MutatingAdmissionPolicy, MutatingAdmissionPolicyBinding> {
  const { name, mutations, reinvocation = "Never", version } = definition;
  const policy: MutatingAdmissionPolicy = {
    apiVersion,
    kind: "MutatingAdmissionPolicy",
    metadata: { name },
    spec: {
      ...sharedSpec(definition),
      mutations: mutations.map((one) =>
        "apply" in one
          ? { patchType: "ApplyConfiguration", applyConfiguration: { expression: one.apply } }
          : { patchType: "JSONPatch", jsonPatch: { expression: one.patch } },
      ),
      reinvocationPolicy: reinvocation,
    },
  };
  assertValid(name, checkMutatingPolicy(policy, undefined, { version }));
  const binding: MutatingAdmissionPolicyBinding = {
    apiVersion,
    kind: "MutatingAdmissionPolicyBinding",
    metadata: { name },
    spec: { policyName: name, ...paramsOf(definition) },
  };
  return { policy, binding, objects: [policy, binding] };
}

function sharedSpec(definition: PolicyDefinition) {
  const { resources, operations = ["CREATE", "UPDATE"], namespaces, objects } = definition;
  const { failurePolicy = "Fail", matchConditions, variables, params } = definition;
  return {
    failurePolicy,
    matchConstraints: {
      resourceRules: rulesFor(resources, operations),
      ...(namespaces === undefined ? {} : { namespaceSelector: namespaces }),
      ...(objects === undefined ? {} : { objectSelector: objects }),
    },
    ...(params === undefined
      ? {}
      : {
          paramKind: {
            apiVersion: params.resource.apiVersion,
            kind: params.resource.kind,
          },
        }),
    ...(matchConditions === undefined ? {} : { matchConditions: [...matchConditions] }),
    ...(variables === undefined
      ? {}
      : {
          variables: Object.entries(variables).map(([name, expression]) => ({ name, expression })),
        }),
  };
}

function paramsOf({ params }: PolicyDefinition) {
  return params === undefined ? {} : { paramRef: paramRefOf(params.from as ParamsOf<Scope>) };
}

function assertValid(name: string, causes: readonly StatusCause[]): void {
  if (causes.length > 0) {
    throw new PolicyProblem(name, causes);
  }
}
