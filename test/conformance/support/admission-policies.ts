import assert from "node:assert/strict";
import {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  type MutatingAdmissionPolicyBindingSpec,
  type MutatingAdmissionPolicySpec,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  type ValidatingAdmissionPolicyBindingSpec,
  type ValidatingAdmissionPolicySpec,
} from "@typekube/api/admissionregistration/v1";
import { ConfigMap } from "@typekube/api/core/v1";
import { KubeError, type Status } from "typekube";
import type { ConformanceContext } from "../conformance-case.js";
import { configMap } from "./objects.js";
import { until } from "./until.js";

/** Name of the object by which a case sees that its policies are in force. */
const probed = "probe-of-case";

/** A validating policy with its binding, which denies by default. */
export interface ValidatingRule {
  readonly spec: ValidatingAdmissionPolicySpec;
  readonly binding?: Omit<ValidatingAdmissionPolicyBindingSpec, "policyName">;
}

/** A mutating policy with its binding. */
export interface MutatingRule {
  readonly spec: MutatingAdmissionPolicySpec;
  readonly binding?: Omit<MutatingAdmissionPolicyBindingSpec, "policyName">;
}

/** The resources that a policy matches. Default: ConfigMaps that are created or updated. */
export function matching(
  resources: readonly string[] = ["configmaps"],
  operations: readonly ("CONNECT" | "CREATE" | "DELETE" | "UPDATE")[] = ["CREATE", "UPDATE"],
  apiGroups: readonly string[] = [""],
) {
  return {
    resourceRules: [
      {
        apiGroups: [...apiGroups],
        apiVersions: ["*"],
        operations: [...operations],
        resources: [...resources],
      },
    ],
  };
}

/** Puts validating policies into force in the namespace of the case: `NAMESPACE-0`, `NAMESPACE-1` and so on. */
export async function bindValidating(
  context: ConformanceContext,
  ...rules: readonly ValidatingRule[]
): Promise<AsyncDisposable> {
  const { client, namespace } = context;
  const policies = client.resource(ValidatingAdmissionPolicy);
  const bindings = client.resource(ValidatingAdmissionPolicyBinding);
  const probe: ValidatingRule = {
    spec: { validations: [{ expression: "false" }], matchConditions: [isProbe] },
    // A warning comes even if another policy refuses the probe.
    binding: { validationActions: ["Warn"] },
  };
  const prefix = await newPrefix(context);
  const names: string[] = [];
  for (const [at, { spec, binding }] of [...rules, probe].entries()) {
    const metadata = { name: `${prefix}-${at}` };
    names.push(metadata.name);
    await policies.create({ metadata, spec: withinNamespace(spec, namespace) });
    await bindings.create({
      metadata,
      spec: {
        validationActions: ["Deny"],
        ...binding,
        policyName: metadata.name,
        matchResources: { ...binding?.matchResources, ...inNamespace(namespace) },
      },
    });
  }
  const configMaps = client.resource(ConfigMap, namespace);
  const isActive = async () => {
    const warnings: string[] = [];
    const onWarning = (text: string) => void warnings.push(text);
    await configMaps.create(probeObject, { dryRun: "All", onWarning }).catch(ignore);
    return warnings.some((text) => text.includes(`'${names.at(-1)}'`));
  };
  await until(context, isActive);
  previous.set(context, isActive);
  return {
    async [Symbol.asyncDispose]() {
      for (const name of names) {
        await bindings.delete(name);
        await policies.delete(name);
      }
    },
  };
}

/** Puts mutating policies into force in the namespace of the case: `NAMESPACE-0`, `NAMESPACE-1` and so on. */
export async function bindMutating(
  context: ConformanceContext,
  ...rules: readonly MutatingRule[]
): Promise<AsyncDisposable> {
  const { client, namespace } = context;
  const policies = client.resource(MutatingAdmissionPolicy);
  const bindings = client.resource(MutatingAdmissionPolicyBinding);
  const probe: MutatingRule = {
    spec: {
      mutations: [patch("[JSONPatch{op: 'add', path: '/data', value: {'probe': 'yes'}}]")],
      matchConditions: [isProbe],
      failurePolicy: "Ignore",
    },
  };
  const prefix = await newPrefix(context);
  const names: string[] = [];
  for (const [at, { spec, binding }] of [...rules, probe].entries()) {
    const metadata = { name: `${prefix}-${at}` };
    names.push(metadata.name);
    await policies.create({
      metadata,
      spec: { reinvocationPolicy: "Never", ...withinNamespace(spec, namespace) },
    });
    await bindings.create({
      metadata,
      spec: {
        ...binding,
        policyName: metadata.name,
        matchResources: { ...binding?.matchResources, ...inNamespace(namespace) },
      },
    });
  }
  const configMaps = client.resource(ConfigMap, namespace);
  const isActive = async () => {
    const tried = configMaps.create(probeObject, { dryRun: "All" });
    // The other policies may deny it.
    const made = await tried.catch(() => undefined);
    return made === undefined || made.data?.["probe"] === "yes";
  };
  await until(context, isActive);
  previous.set(context, isActive);
  return {
    async [Symbol.asyncDispose]() {
      for (const name of names) {
        await bindings.delete(name);
        await policies.delete(name);
      }
    },
  };
}

function ignore(): void {}

const rounds = new WeakMap<ConformanceContext, number>();
/** Tells whether the policies that a case had before are still in force. */
const previous = new WeakMap<ConformanceContext, () => Promise<boolean>>();

/**
 * Returns a new prefix of names, once the policies before are no longer in force: real servers know deleted ones for a
 * moment.
 */
async function newPrefix(context: ConformanceContext): Promise<string> {
  const round = rounds.get(context) ?? 0;
  rounds.set(context, round + 1);
  const isStillActive = previous.get(context);
  if (isStillActive !== undefined) {
    await until(context, async () => !(await isStillActive()));
  }
  return `${context.namespace}-r${round}`;
}

const probeObject = configMap(probed, { a: "b" });
const isProbe = { name: "probe", expression: `object.metadata.name == '${probed}'` };

/**
 * Limits a policy itself to a namespace: a policy whose parameters have an unknown kind refuses each request that it
 * matches, whatever its binding selects, and a real server knows it for a moment after it was deleted.
 */
function withinNamespace<Spec extends ValidatingAdmissionPolicySpec | MutatingAdmissionPolicySpec>(
  spec: Spec,
  namespace: string,
) {
  const matchConstraints = spec.matchConstraints ?? matching();
  return { ...spec, matchConstraints: { ...inNamespace(namespace), ...matchConstraints } };
}

function inNamespace(namespace: string) {
  return { namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": namespace } } };
}

/** Returns a mutation by a JSON Patch. */
export function patch(expression: string) {
  return { patchType: "JSONPatch", jsonPatch: { expression } } as const;
}

/** Returns a mutation by an apply configuration. */
export function apply(expression: string) {
  return { patchType: "ApplyConfiguration", applyConfiguration: { expression } } as const;
}

/** Returns code, reason and message of a refused write, with `NS` for what the names of policies begin with. */
export async function refusal(
  { namespace }: ConformanceContext,
  write: Promise<unknown>,
): Promise<string> {
  const status = await write.then(
    () => assert.fail("the write was not refused"),
    (error: unknown): Status => {
      if (error instanceof KubeError && error.status !== undefined) {
        return error.status;
      }
      throw error;
    },
  );
  const { code, reason = "", message = "", details } = status;
  const causes = (details?.causes ?? []).map((cause) => cause.message);
  const also = causes.filter((cause) => cause !== undefined && !message.includes(cause));
  return [`${code} ${reason} ${message}`, ...also]
    .join("\n")
    .replaceAll(new RegExp(`${namespace}-r\\d+`, "g"), "NS");
}
