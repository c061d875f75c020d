import type {
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from "@typekube/api/admissionregistration/v1";
import { KubeError } from "@typekube/core";
import { assertOptions, type OptionTable } from "@typekube/core/internal";
import type { Denial } from "@typekube/policy";
import type { Client } from "typekube";
import { validatingPolicies } from "../../admission/policies/bound-policies.js";
import { findInvocations } from "../../admission/policies/find-invocations.js";
import { concludeValidation } from "../../admission/policies/validate-by-policies.js";
import type { JsonObject } from "../../objects/json-value.js";
import { withPendingCalls } from "../../time/pending-call.js";
import type { CheckServer } from "../engine/check-server.js";
import type { CheckedObject } from "../model/finding.js";
import { type LiveResource, liveAttributes, liveResources } from "./live-attributes.js";
import { createPolicyServer } from "./policy-server.js";

/** Options of {@link evaluatePolicy}. */
export interface EvaluatePolicyOptions {
  /** Binding of the policy. Default: one that denies for all objects; a policy with params needs its own. */
  readonly binding?: ValidatingAdmissionPolicyBinding | undefined;
  /** Ends the evaluation. */
  readonly signal?: AbortSignal | undefined;
}

const evaluatePolicyOptions: OptionTable<EvaluatePolicyOptions> = { binding: true, signal: true };

/** Decision of a policy about an object of a cluster. */
export interface PolicyOutcome {
  readonly object: CheckedObject;
  /** False if a write of the object would be refused. */
  readonly allowed: boolean;
  /** The refusal; absent for an allowed object. */
  readonly denial?: Denial | undefined;
  /** Warnings that a client would get. */
  readonly warnings: readonly string[];
}

/** Outcomes as objects are read, and their counts so far. Can be iterated once. */
export interface PolicyEvaluation extends AsyncIterable<PolicyOutcome> {
  /** Number of objects that the policy matches. */
  readonly matched: number;
  /** Number of those that it would refuse. */
  readonly denied: number;
  /** Number of those for which it would only warn. */
  readonly warned: number;
}

/**
 * Evaluates a ValidatingAdmissionPolicy on the objects of a cluster before it is enforced: as if each object that it
 * matches were written without a change, by an administrator. Only reads are sent. The cluster's definitions, namespaces and
 * params are read first, then the objects of each kind that the policy matches, page by page.
 *
 * A policy that matches updates sees each object as `object` and `oldObject`; one that matches creates only sees no
 * `oldObject`. Writes of subresources are not evaluated.
 *
 * @param policy - the policy, as a manifest or as read from the cluster.
 * @throws {KubeError} `InvalidArgument` for unknown options, and for a policy with params without a binding; while iterating
 * `Invalid` for a policy that a server rejects, and the errors of reads.
 *
 * @example
 * ```ts
 * import { evaluatePolicy } from "@typekube/apiserver/check";
 * import type { ValidatingAdmissionPolicy } from "typekube/api/admissionregistration/v1";
 *
 * declare const policy: ValidatingAdmissionPolicy;
 * const evaluation = evaluatePolicy(client, policy);
 * for await (const { object, denial } of evaluation) {
 *   if (denial) console.log(object.namespace, object.name, denial.message);
 * }
 * console.log(`${evaluation.denied} of ${evaluation.matched}`);
 * ```
 */
export function evaluatePolicy(
  client: Client,
  policy: ValidatingAdmissionPolicy,
  options: EvaluatePolicyOptions = {},
): PolicyEvaluation {
  assertOptions("evaluatePolicy()", options, evaluatePolicyOptions);
  const { binding = bindingOf(policy), signal } = options;
  const counts = { matched: 0, denied: 0, warned: 0 };
  return {
    get matched() {
      return counts.matched;
    },
    get denied() {
      return counts.denied;
    },
    get warned() {
      return counts.warned;
    },
    async *[Symbol.asyncIterator]() {
      const server = await createPolicyServer(client, policy, binding, signal);
      const { resources } = await client.discovery.served({ signal });
      for (const live of liveResources(server, resources, policy.spec?.matchConstraints)) {
        for await (const object of client.resource(live.descriptor).items({ signal })) {
          const outcome = await outcomeOf(server, live, object as unknown as JsonObject);
          if (outcome !== undefined) {
            counts.matched += 1;
            counts.denied += outcome.allowed ? 0 : 1;
            counts.warned += outcome.allowed && outcome.warnings.length > 0 ? 1 : 0;
            yield outcome;
          }
        }
      }
    },
  };
}

function bindingOf({
  metadata,
  spec,
}: ValidatingAdmissionPolicy): ValidatingAdmissionPolicyBinding {
  const name = metadata?.name ?? "";
  if (spec?.paramKind !== undefined) {
    throw new KubeError("InvalidArgument", `the policy ${name} has params`, {
      hint: "pass the binding that says which: evaluatePolicy(client, policy, { binding })",
    });
  }
  return { metadata: { name }, spec: { policyName: name, validationActions: ["Deny"] } };
}

/** Returns what the policy says about an object; `undefined` if it does not match the object. */
async function outcomeOf(
  { context }: CheckServer,
  { descriptor, resource, operation }: LiveResource,
  read: JsonObject,
): Promise<PolicyOutcome | undefined> {
  const { apiVersion, kind } = descriptor;
  const object: JsonObject = { ...read, apiVersion, kind };
  const attributes = liveAttributes(resource, operation, object);
  const { name, namespace } = attributes;
  return withPendingCalls(() => {
    const found = [...findInvocations(validatingPolicies(context.store), attributes, context)];
    if (found.length === 0) {
      return undefined;
    }
    const { denial, warnings } = concludeValidation(found, attributes, context);
    return {
      object: { apiVersion, kind, name, ...(resource.namespaced ? { namespace } : {}) },
      allowed: denial === undefined,
      ...(denial === undefined ? {} : { denial }),
      warnings: [...warnings],
    };
  });
}
