import type {
  MutatingAdmissionPolicySpec,
  ValidatingAdmissionPolicySpec,
} from "@typekube/api/admissionregistration/v1";
import {
  type AdmissionRequest,
  evaluateMutatingPolicy,
  evaluateValidatingPolicy,
  type Mutation,
  type MutationResult,
  type ValidationResult,
} from "../src/index.js";

/** A request that updates a Deployment. */
export const request: AdmissionRequest = {
  kind: { group: "apps", version: "v1", kind: "Deployment" },
  resource: { group: "apps", version: "v1", resource: "deployments" },
  name: "web",
  namespace: "shop",
  operation: "UPDATE",
  userInfo: { username: "jane", groups: ["dev"] },
  dryRun: false,
  options: null,
};

/** A Deployment with a number of replicas. */
export function deployment(replicas: number): Readonly<Record<string, unknown>> {
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web", namespace: "shop", labels: { app: "web" } },
    spec: { replicas, paused: false },
  };
}

/** Evaluates a ValidatingAdmissionPolicy on a Deployment with 3 replicas that had 2. */
export function validate(
  spec: ValidatingAdmissionPolicySpec,
  more: Partial<Parameters<typeof evaluateValidatingPolicy>[0]> = {},
): ValidationResult {
  return evaluateValidatingPolicy({
    policy: { metadata: { name: "p" }, spec },
    binding: { metadata: { name: "b" }, spec: { policyName: "p", validationActions: ["Deny"] } },
    request,
    object: deployment(3),
    oldObject: deployment(2),
    namespaceObject: { metadata: { name: "shop", labels: { env: "test" } } },
    ...more,
  });
}

/** Evaluates a MutatingAdmissionPolicy; mutations are collected, and fields of `spec` are merged. */
export function mutate(
  spec: MutatingAdmissionPolicySpec,
  more: Partial<Parameters<typeof evaluateMutatingPolicy>[0]> = {},
): MutationResult {
  return evaluateMutatingPolicy({
    policy: { metadata: { name: "p" }, spec },
    request,
    object: deployment(3),
    oldObject: null,
    applyMutation,
    ...more,
  });
}

function applyMutation(object: unknown, mutation: Mutation): unknown {
  if (mutation.patchType === "JSONPatch") {
    return object;
  }
  const before = object as ReturnType<typeof deployment>;
  const spec = { ...(before["spec"] as object), ...(mutation.configuration["spec"] as object) };
  return { ...before, spec };
}

/** Returns a mutation by a JSON Patch. */
export function patch(expression: string) {
  return { patchType: "JSONPatch", jsonPatch: { expression } } as const;
}

/** Returns a mutation by an apply configuration. */
export function apply(expression: string) {
  return { patchType: "ApplyConfiguration", applyConfiguration: { expression } } as const;
}
