import type {
  MutatingAdmissionPolicy,
  ValidatingAdmissionPolicy,
} from "@typekube/api/admissionregistration/v1";
import type { CompiledMutatingPolicy, CompiledValidatingPolicy } from "@typekube/policy";
import { policyPackage } from "../../kinds/admissionregistration/policy-package.js";
import type { ApiObject } from "../../objects/api-object.js";
import { specOf } from "../../objects/parts.js";
import type { Store } from "../../store/store.js";

/** A policy that bindings put into force. */
export interface BoundPolicy<C> {
  readonly name: string;
  readonly policy: ApiObject;
  readonly bindings: readonly ApiObject[];
  /** Compiles the policy, once for each change of it. */
  compile(): C;
}

const group = "admissionregistration.k8s.io";

interface PolicyType<C> {
  readonly policies: string;
  readonly bindings: string;
  readonly compiled: WeakMap<ApiObject, C>;
  compile(policy: ApiObject): C;
}

// A stored policy has the shape of its kind: the server has validated it.
const validating: PolicyType<CompiledValidatingPolicy> = {
  policies: `validatingadmissionpolicies.${group}`,
  bindings: `validatingadmissionpolicybindings.${group}`,
  compiled: new WeakMap(),
  compile: (policy) => policyPackage().compileValidatingPolicy(policy as ValidatingAdmissionPolicy),
};

const mutating: PolicyType<CompiledMutatingPolicy> = {
  policies: `mutatingadmissionpolicies.${group}`,
  bindings: `mutatingadmissionpolicybindings.${group}`,
  compiled: new WeakMap(),
  compile: (policy) => policyPackage().compileMutatingPolicy(policy as MutatingAdmissionPolicy),
};

/** Returns whether there are bindings, without which no policy is in force. */
export function hasBoundPolicies(store: Store): boolean {
  return [validating, mutating].some(({ bindings }) => store.collection(bindings).size > 0);
}

/** Returns the ValidatingAdmissionPolicies that are bound, by name. */
export function validatingPolicies(store: Store): readonly BoundPolicy<CompiledValidatingPolicy>[] {
  return boundPolicies(store, validating);
}

/** Returns the MutatingAdmissionPolicies that are bound, by name. */
export function mutatingPolicies(store: Store): readonly BoundPolicy<CompiledMutatingPolicy>[] {
  return boundPolicies(store, mutating);
}

function boundPolicies<C>(store: Store, type: PolicyType<C>): readonly BoundPolicy<C>[] {
  const bindings = store.collection(type.bindings);
  if (bindings.size === 0) {
    return [];
  }
  const byPolicy = new Map<string, ApiObject[]>();
  for (const [, binding] of bindings.entries("")) {
    const name = String(specOf(binding)["policyName"]);
    byPolicy.set(name, [...(byPolicy.get(name) ?? []), binding]);
  }
  return [...byPolicy.keys()].sort().flatMap((name) => {
    const policy = store.collection(type.policies).get(name);
    return policy === undefined
      ? []
      : [
          {
            name,
            policy,
            bindings: byPolicy.get(name) ?? [],
            compile: () => compiled(policy, type),
          },
        ];
  });
}

function compiled<C>(policy: ApiObject, type: PolicyType<C>): C {
  const known = type.compiled.get(policy) ?? type.compile(policy);
  type.compiled.set(policy, known);
  return known;
}
