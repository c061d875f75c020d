import type { KubeObject, ResourceDescriptor } from "@typekube/api";
import type { MatchCondition } from "@typekube/api/admissionregistration/v1";
import { KubeError, type LabelSelectorInput } from "@typekube/core";
import { assertOptions } from "@typekube/core/internal";
import {
  type AdmissionOptions,
  type AdmittedObject,
  admissionOptions,
  type Mutator,
  type Validator,
} from "./admission-options.js";
import type { AdmissionOperation } from "./admission-review.js";

/** Seconds that the API server waits. (the default of admissionregistration.k8s.io/v1) */
const defaultTimeoutSeconds = 10;

/** Settings of an admission handler, with defaults filled in. */
export interface AdmissionSettings {
  readonly operations: readonly AdmissionOperation[];
  readonly subresource: string | undefined;
  readonly timeoutSeconds: number;
  readonly failurePolicy: "Fail" | "Ignore";
  readonly matchPolicy: "Equivalent" | "Exact";
  readonly reinvocationPolicy: "IfNeeded" | "Never";
  readonly sideEffects: "None" | "NoneOnDryRun";
  readonly objectSelector: LabelSelectorInput | undefined;
  readonly namespaceSelector: LabelSelectorInput | undefined;
  readonly namespaces: readonly string[] | undefined;
  readonly excludeNamespaces: readonly string[];
  readonly matchConditions: readonly MatchCondition[];
  readonly isDangerous: boolean;
}

/** Reviews requests for one kind. It is data until a manager or `createWebhook` serves it. */
export interface AdmissionHandler<
  T extends KubeObject = KubeObject,
  O extends AdmissionOperation = AdmissionOperation,
> {
  readonly type: "admission";
  /** Name in paths, configurations and metrics. */
  readonly name: string;
  readonly kind: ResourceDescriptor;
  readonly mutators: readonly Mutator<T, O>[];
  readonly validators: readonly Validator<T, O>[];
  readonly settings: AdmissionSettings;
}

/**
 * Defines an admission webhook for one kind: `mutate` changes objects before they are stored, `validate` accepts or
 * denies them.
 *
 * @example
 * ```ts
 * const hooks = admission(Shop, {
 *   mutate(draft) {
 *     draft.spec.host ||= `${draft.metadata?.name}.example.com`;
 *   },
 *   validate({ object, oldObject, deny }) {
 *     const isMoved = oldObject && oldObject.spec.host !== object?.spec.host;
 *     return isMoved ? deny("host is immutable", { field: "spec.host" }) : undefined;
 *   },
 * });
 * ```
 *
 * @throws {KubeError} `InvalidArgument` for an unknown or invalid option.
 */
export function admission<
  const K extends ResourceDescriptor,
  const O extends readonly AdmissionOperation[] = readonly ["CREATE", "UPDATE"],
  const S extends string = string,
>(kind: K, options: AdmissionOptions<K, O, S>): AdmissionHandler<AdmittedObject<K, S>, O[number]> {
  assertOptions("admission()", options, admissionOptions);
  const name = options.name ?? defaultName(kind, options.subresource);
  if (!/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(name)) {
    throw new KubeError("InvalidArgument", `the webhook's name "${name}" is not a DNS label`, {
      hint: "lower-case letters, digits and dashes: it is part of paths and configurations",
    });
  }
  const mutators = listOf(options.mutate);
  const validators = listOf(options.validate);
  if (mutators.length + validators.length === 0) {
    throw new KubeError("InvalidArgument", `the webhook ${name} has neither mutate nor validate`);
  }
  return { type: "admission", name, kind, mutators, validators, settings: settingsOf(options) };
}

function settingsOf(
  options: Pick<
    AdmissionOptions<ResourceDescriptor, readonly AdmissionOperation[]>,
    Exclude<keyof AdmissionSettings, "isDangerous"> | "dangerous"
  >,
): AdmissionSettings {
  return {
    operations: options.operations ?? ["CREATE", "UPDATE"],
    subresource: options.subresource,
    timeoutSeconds: options.timeoutSeconds ?? defaultTimeoutSeconds,
    failurePolicy: options.failurePolicy ?? "Fail",
    matchPolicy: options.matchPolicy ?? "Equivalent",
    reinvocationPolicy: options.reinvocationPolicy ?? "Never",
    sideEffects: options.sideEffects ?? "None",
    objectSelector: options.objectSelector,
    namespaceSelector: options.namespaceSelector,
    namespaces: options.namespaces,
    excludeNamespaces: options.excludeNamespaces ?? [],
    matchConditions: options.matchConditions ?? [],
    isDangerous: options.dangerous ?? false,
  };
}

function defaultName({ kind }: ResourceDescriptor, subresource: string | undefined): string {
  const name = kind.toLowerCase();
  return subresource === undefined ? name : `${name}-${subresource}`;
}

function listOf<T>(one: T | readonly T[] | undefined): readonly T[] {
  return one === undefined ? [] : Array.isArray(one) ? (one as readonly T[]) : [one as T];
}
