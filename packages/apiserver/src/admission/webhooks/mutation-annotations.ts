import { stringifyJson } from "@typekube/core/internal";
import type { AdmissionScope } from "../../context/admission-scope.js";
import type { JsonObject } from "../../objects/json-value.js";
import type { AdmissionWebhook } from "./admission-webhook.js";

/** The place of a call among all calls of mutating webhooks. */
export interface CallPlace {
  /** 0, or 1 in the second round. */
  readonly round: number;
  readonly index: number;
}

/** Adds audit annotations about the calls of mutating webhooks, as kube-apiserver does. */
export function annotateMutation(
  scope: AdmissionScope,
  { configuration, name }: AdmissionWebhook,
  place: CallPlace,
  changed: boolean,
): void {
  const value = { configuration, webhook: name, mutated: changed };
  scope.annotate(keyOf("mutation", place), stringifyJson(value));
}

/** Adds an audit annotation with an applied patch. */
export function annotatePatch(
  scope: AdmissionScope,
  { configuration, name }: AdmissionWebhook,
  place: CallPlace,
  patch: readonly JsonObject[],
): void {
  const value = { configuration, webhook: name, patch, patchType: "JSONPatch" };
  scope.annotate(keyOf("patch", place), stringifyJson(value));
}

/** Adds an audit annotation about a webhook whose failure was ignored. */
export function annotateFailure(
  scope: AdmissionScope,
  phase: "mutation" | "validating",
  { name }: AdmissionWebhook,
  place: CallPlace,
): void {
  scope.annotate(`failed-open.${keyOf(phase, place)}`, name);
}

function keyOf(phase: "mutation" | "patch" | "validating", { round, index }: CallPlace): string {
  return `${phase}.webhook.admission.k8s.io/round_${round}_index_${index}`;
}
