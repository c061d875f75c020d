import type { KubeObject, ResourceDescriptor, SubresourceDescriptor } from "@typekube/api";
import type { MatchCondition } from "@typekube/api/admissionregistration/v1";
import type { LabelSelectorInput } from "@typekube/core";
import { flag, type OptionCheck, type OptionTable, oneOf, text } from "@typekube/core/internal";
import type {
  AdmissionContext,
  AdmissionOperation,
  AdmissionReview,
  Reviewed,
} from "./admission-review.js";
import type { Denial } from "./denial.js";

/** Returned by a handler, now or later: a denial, or nothing. */
export type Verdict =
  // biome-ignore lint/suspicious/noConfusingVoidType: a function without a return statement returns void
  Denial | Promise<Denial | undefined | void> | undefined | void;

/** Changes an object before it is stored, by changing the draft. The difference is sent to the server as a JSON patch. */
export type Mutator<T extends KubeObject, O extends AdmissionOperation> = (
  draft: Reviewed<T>,
  request: AdmissionContext & Omit<AdmissionReview<T, Exclude<O, "DELETE">>, "object">,
) => Verdict;

/** Accepts or denies a request. */
export type Validator<T extends KubeObject, O extends AdmissionOperation> = (
  review: AdmissionReview<T, O>,
) => Verdict;

/** Object type of a subresource, or of the kind itself. */
export type AdmittedObject<K extends ResourceDescriptor, S extends string> = string extends S
  ? KindObjectOf<K>
  : K extends { readonly subresources: { readonly [N in S]: SubresourceDescriptor<infer U> } }
    ? U extends KubeObject
      ? U
      : KubeObject
    : KubeObject;

type KindObjectOf<K> = K extends ResourceDescriptor<infer T> ? T : KubeObject;

/** Options of `admission`. */
export interface AdmissionOptions<
  K extends ResourceDescriptor,
  O extends readonly AdmissionOperation[],
  S extends string = string,
> {
  /** Fills in or changes fields; several run in order, each on the result of the one before. Not called for deletes. */
  readonly mutate?:
    | Mutator<AdmittedObject<K, S>, O[number]>
    | readonly Mutator<AdmittedObject<K, S>, O[number]>[]
    | undefined;
  /** Accepts or denies; several run in order until one denies. */
  readonly validate?:
    | Validator<AdmittedObject<K, S>, O[number]>
    | readonly Validator<AdmittedObject<K, S>, O[number]>[]
    | undefined;
  /** Operations to review. Default CREATE and UPDATE. */
  readonly operations?: O | undefined;
  /** Subresource to review instead of the object itself, such as `scale`. */
  readonly subresource?: S | undefined;
  /** Name in paths, configurations and metrics. Default: the kind in lower case. A DNS label. */
  readonly name?: string | undefined;
  /** Seconds that the API server waits, 1 to 30. Default 10. */
  readonly timeoutSeconds?: number | undefined;
  /** `Ignore` admits requests while the webhook cannot answer. Default `Fail`. */
  readonly failurePolicy?: "Fail" | "Ignore" | undefined;
  /** `Exact` reviews only requests in the version of the kind. Default `Equivalent`. */
  readonly matchPolicy?: "Equivalent" | "Exact" | undefined;
  /** `IfNeeded` calls the mutators again when a later webhook changed the object. Default `Never`. */
  readonly reinvocationPolicy?: "IfNeeded" | "Never" | undefined;
  /**
   * `None`: the handlers write nothing, and clients of this library refuse to. `NoneOnDryRun`: they write, but not in dry
   * runs. Servers reject dry runs for any other webhook. Default `None`.
   */
  readonly sideEffects?: "None" | "NoneOnDryRun" | undefined;
  /** Reviews only objects with these labels: the server does not call the webhook for others. Default: all. */
  readonly objectSelector?: LabelSelectorInput | undefined;
  /** Reviews only objects in namespaces with these labels. Default: all. */
  readonly namespaceSelector?: LabelSelectorInput | undefined;
  /** Reviews only objects in these namespaces. Default: all. */
  readonly namespaces?: readonly string[] | undefined;
  /** Reviews no objects in these namespaces. Default: none. */
  readonly excludeNamespaces?: readonly string[] | undefined;
  /** CEL conditions that must all be true, else the server does not call the webhook. Default: none. */
  readonly matchConditions?: readonly MatchCondition[] | undefined;
  /**
   * `true` accepts a webhook that can keep the cluster from starting again: one for leases, for webhook configurations, or
   * for built-in kinds in `kube-system` or in the webhook's own namespace. Default false.
   */
  readonly dangerous?: boolean | undefined;
}

const functions: OptionCheck = {
  mustBe: "a function or an array of functions",
  isValid: (value) =>
    typeof value === "function" ||
    (Array.isArray(value) && value.every((one) => typeof one === "function")),
};

const texts: OptionCheck = {
  mustBe: "an array of strings",
  isValid: (value) => Array.isArray(value) && value.every((one) => typeof one === "string"),
};

const allOperations: readonly unknown[] = ["CONNECT", "CREATE", "DELETE", "UPDATE"];

/** Names and checks of {@link AdmissionOptions}. */
export const admissionOptions: OptionTable<
  AdmissionOptions<ResourceDescriptor, readonly AdmissionOperation[]>
> = {
  dangerous: flag,
  excludeNamespaces: texts,
  failurePolicy: oneOf("Fail", "Ignore"),
  matchConditions: { mustBe: "an array", isValid: Array.isArray },
  matchPolicy: oneOf("Equivalent", "Exact"),
  mutate: functions,
  name: text,
  namespaceSelector: true,
  namespaces: texts,
  objectSelector: true,
  operations: {
    mustBe: "an array of CREATE, UPDATE, DELETE and CONNECT",
    isValid: (value) =>
      Array.isArray(value) && value.length > 0 && value.every((one) => allOperations.includes(one)),
  },
  reinvocationPolicy: oneOf("IfNeeded", "Never"),
  sideEffects: oneOf("None", "NoneOnDryRun"),
  subresource: text,
  timeoutSeconds: {
    mustBe: "an integer from 1 to 30",
    isValid: (value) =>
      Number.isInteger(value) && (value as number) >= 1 && (value as number) <= 30,
  },
  validate: functions,
};
