import type { JsonObject } from "@typekube/core/internal";
import { getPath } from "../../objects/json-value.js";
import { groupOf, isManifestValue } from "../items/check-item.js";
import type { SourceDocument } from "../text/source-document.js";

/**
 * Kinds that are installed before the rest is checked, because a server consults them when it checks other objects, in the
 * order of their installation. Webhook configurations are not installed: they call other programs.
 */
const foundations: readonly (readonly [group: string, kind: string])[] = [
  ["", "Namespace"],
  ["apiextensions.k8s.io", "CustomResourceDefinition"],
  ["scheduling.k8s.io", "PriorityClass"],
  ["node.k8s.io", "RuntimeClass"],
  ["storage.k8s.io", "StorageClass"],
  ["networking.k8s.io", "IngressClass"],
  ["", "LimitRange"],
];

const policyKinds: readonly string[] = [
  "MutatingAdmissionPolicy",
  "ValidatingAdmissionPolicy",
  "MutatingAdmissionPolicyBinding",
  "ValidatingAdmissionPolicyBinding",
];

const kindNames = [...foundations.map(([, kind]) => kind), ...policyKinds].join("|");
const mention = new RegExp(`\\bkind["']?\\s*:\\s*["']?(?:${kindNames})(?:List)?\\b`);
const listMention = /\bkind["']?\s*:\s*["']?List\b/;

/** Returns true for a document that may hold an object to install. */
export function mayBeFoundation({ text }: SourceDocument): boolean {
  return mention.test(text) || (listMention.test(text) && new RegExp(kindNames).test(text));
}

/** Params come after definitions and before policies. */
const paramRank: number = foundations.length;

/**
 * Returns the position of an object in the installation; `undefined` for an object that is not installed.
 *
 * @param paramKinds - kinds of params, as `apiVersion kind`.
 */
export function installRank(value: unknown, paramKinds: ReadonlySet<string>): number | undefined {
  if (!isManifestValue(value)) {
    return undefined;
  }
  const { kind } = value;
  const group = groupOf(value);
  const rank = foundations.findIndex(([ofGroup, ofKind]) => ofGroup === group && ofKind === kind);
  if (rank >= 0) {
    return rank;
  }
  if (group === "admissionregistration.k8s.io" && policyKinds.includes(kind)) {
    return paramRank + 1 + policyKinds.indexOf(kind);
  }
  return paramKinds.has(`${value.apiVersion} ${kind}`) ? paramRank : undefined;
}

/** Returns the kind of the params of a policy, as `apiVersion kind`. */
export function paramKindOf(value: unknown): string | undefined {
  if (!isManifestValue(value) || !value.kind.endsWith("AdmissionPolicy")) {
    return undefined;
  }
  const { apiVersion, kind } = (getPath(value, "spec", "paramKind") ?? {}) as JsonObject;
  return apiVersion === undefined ? undefined : `${String(apiVersion)} ${String(kind)}`;
}
