import type { ApiObject } from "../../objects/api-object.js";
import { stringsOf } from "../../objects/json-value.js";
import { mapOf, specOf } from "../../objects/parts.js";
import { isUnset } from "../../phases/validate/checks.js";
import { cidrWarnings } from "../fields/address-warnings.js";
import { nodeLabelWarnings } from "../fields/node-label-warnings.js";

/** Returns warnings about a Node. */
export function nodeWarnings(node: ApiObject): string[] {
  const { externalID, podCIDRs } = specOf(node);
  return [
    ...(isUnset(externalID)
      ? []
      : ["spec.externalID: this field is deprecated, and is unused by Kubernetes"]),
    ...stringsOf(podCIDRs).flatMap((range, at) => cidrWarnings(`spec.podCIDRs[${at}]`, range)),
  ];
}

/** Returns warnings about a RuntimeClass. */
export function runtimeClassWarnings({ scheduling }: ApiObject): string[] {
  const { nodeSelector } = mapOf(scheduling);
  return nodeLabelWarnings(nodeSelector, () => "scheduling.nodeSelector");
}

const mountableSecrets = "kubernetes.io/enforce-mountable-secrets";

/** Returns warnings about a ServiceAccount. */
export function serviceAccountWarnings({ metadata }: ApiObject): string[] {
  return mountableSecrets in mapOf(metadata.annotations)
    ? [
        `metadata.annotations[${mountableSecrets}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`,
      ]
    : [];
}
