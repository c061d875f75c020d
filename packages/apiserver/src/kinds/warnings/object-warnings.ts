import type { ApiObject } from "../../objects/api-object.js";
import { stringsOf } from "../../objects/json-value.js";
import { mapOf, specOf } from "../../objects/parts.js";
import { isUnset } from "../../phases/validate/checks.js";
import type { ServedResource } from "../../resources/served-resource.js";
import { cidrWarnings } from "./address-warnings.js";
import { certificateWarnings } from "./certificate-warnings.js";
import { endpointsWarnings, ingressWarnings, networkPolicyWarnings } from "./network-warnings.js";
import { nodeLabelWarnings } from "./node-label-warnings.js";
import { podWarnings } from "./pod-warnings.js";
import { serviceWarnings } from "./service-warnings.js";
import {
  claimWarnings,
  persistentVolumeWarnings,
  storageClassWarnings,
} from "./storage-warnings.js";
import {
  controllerWarnings,
  cronJobWarnings,
  daemonSetWarnings,
  jobWarnings,
  podTemplateWarnings,
  statefulSetWarnings,
} from "./workload-warnings.js";

/** Returns warnings about an object; `before` is undefined for a new one. */
type Warner = (object: ApiObject, before: ApiObject | undefined) => string[];

const onCreate =
  (warn: (object: ApiObject) => string[]): Warner =>
  (object, before) =>
    before === undefined ? warn(object) : [];

const warners: ReadonlyMap<string, Warner> = new Map<string, Warner>([
  ["pods", onCreate(podWarnings)],
  ["podtemplates", podTemplateWarnings],
  ["replicationcontrollers", controllerWarnings],
  ["deployments.apps", controllerWarnings],
  ["replicasets.apps", controllerWarnings],
  ["daemonsets.apps", daemonSetWarnings],
  ["statefulsets.apps", statefulSetWarnings],
  ["jobs.batch", jobWarnings],
  ["cronjobs.batch", cronJobWarnings],
  ["services", serviceWarnings],
  ["endpoints", endpointsWarnings],
  ["ingresses.networking.k8s.io", onCreate(ingressWarnings)],
  ["networkpolicies.networking.k8s.io", networkPolicyWarnings],
  ["nodes", nodeWarnings],
  ["persistentvolumes", persistentVolumeWarnings],
  ["persistentvolumeclaims", claimWarnings],
  ["storageclasses.storage.k8s.io", storageClassWarnings],
  ["runtimeclasses.node.k8s.io", runtimeClassWarnings],
  ["secrets", certificateWarnings],
  ["serviceaccounts", onCreate(serviceAccountWarnings)],
]);

/** Returns warnings about an accepted object: deprecated, ignored or probably unintended fields. */
export function objectWarnings(
  { groupResource, rules }: ServedResource,
  object: ApiObject,
  before: ApiObject | undefined,
): string[] {
  return rules.custom ? [] : (warners.get(groupResource)?.(object, before) ?? []);
}

function nodeWarnings(node: ApiObject): string[] {
  const { externalID, podCIDRs } = specOf(node);
  return [
    ...(isUnset(externalID)
      ? []
      : ["spec.externalID: this field is deprecated, and is unused by Kubernetes"]),
    ...stringsOf(podCIDRs).flatMap((range, at) => cidrWarnings(`spec.podCIDRs[${at}]`, range)),
  ];
}

function runtimeClassWarnings({ scheduling }: ApiObject): string[] {
  const { nodeSelector } = mapOf(scheduling);
  return nodeLabelWarnings(nodeSelector, () => "scheduling.nodeSelector");
}

const mountableSecrets = "kubernetes.io/enforce-mountable-secrets";

function serviceAccountWarnings({ metadata }: ApiObject): string[] {
  return mountableSecrets in mapOf(metadata.annotations)
    ? [
        `metadata.annotations[${mountableSecrets}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`,
      ]
    : [];
}
