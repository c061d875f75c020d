import { objectsOf, specOf } from "../kinds/parts.js";
import type { ServedResource } from "../resources/served-resource.js";
import { cause } from "../response/status-errors.js";
import type { ApiObject } from "../store/stored-object.js";
import { dataCauses } from "../write/data-validation.js";
import { bindingCauses, roleCauses, secretTypeCauses } from "./access.js";
import { autoscalerCauses, budgetCauses } from "./autoscaling.js";
import { placeCauses } from "./balancer-status.js";
import { type Causes, isUnset } from "./checks.js";
import { claimCauses, claimStatusCauses } from "./claims.js";
import { endpointSliceCauses, endpointsCauses } from "./endpoints.js";
import { eventCauses, newEventCauses, newEventCreationCauses } from "./events.js";
import { jobStatusCauses } from "./job-status.js";
import { cronJobCauses, jobCauses, newJobCauses } from "./jobs.js";
import { limitRangeCauses } from "./limit-ranges.js";
import { ingressCauses, networkPolicyCauses, newIngressCauses } from "./networking.js";
import { nodeCauses } from "./nodes.js";
import {
  ingressClassCauses,
  leaseCauses,
  priorityClassCauses,
  revisionCauses,
  runtimeClassCauses,
} from "./others.js";
import { podCauses } from "./pod-spec.js";
import { podStatusCauses } from "./pod-status.js";
import { quotaCauses } from "./quotas.js";
import { ipAddressCauses, serviceCidrCauses } from "./service-addresses.js";
import { serviceCauses, serviceStatusCauses } from "./services.js";
import {
  conditionCauses,
  countCauses,
  namespaceStatusCauses,
  nodeStatusCauses,
  type StatusCheck,
} from "./statuses.js";
import { volumeCauses } from "./storage.js";
import { attributesClassCauses, driverCauses, storageClassCauses } from "./storage-drivers.js";
import { withoutTolerated } from "./tolerated.js";
import { webhookCauses } from "./webhooks.js";
import { controllerCauses, workloadCauses } from "./workloads.js";

/** @param before - the object that an update replaces: some rules let it keep what it already had. */
type Check = (object: ApiObject, before?: ApiObject) => Causes;

const rbac = "rbac.authorization.k8s.io";

/** What is checked of an object of each kind whenever it is written. Kinds that are not here may say anything. */
const checks: ReadonlyMap<string, Check> = new Map<string, Check>([
  ["configmaps", (one) => dataCauses("configmaps", one)],
  ["secrets", (one) => [...dataCauses("secrets", one), ...secretTypeCauses(one)]],
  ["pods", podCauses],
  ["services", serviceCauses],
  ["replicationcontrollers", controllerCauses],
  ["persistentvolumeclaims", claimCauses],
  ["persistentvolumes", volumeCauses],
  ["events", eventCauses],
  ["events.events.k8s.io", newEventCauses],
  ["nodes", nodeCauses],
  ["resourcequotas", quotaCauses],
  ["limitranges", limitRangeCauses],
  ["endpoints", endpointsCauses],
  ["endpointslices.discovery.k8s.io", endpointSliceCauses],
  ["deployments.apps", (one) => workloadCauses("deployment", one)],
  ["replicasets.apps", (one) => workloadCauses("replicaSet", one)],
  ["daemonsets.apps", (one) => workloadCauses("daemonSet", one)],
  ["statefulsets.apps", (one, before) => workloadCauses("statefulSet", one, before)],
  ["controllerrevisions.apps", revisionCauses],
  ["jobs.batch", jobCauses],
  ["cronjobs.batch", cronJobCauses],
  ["horizontalpodautoscalers.autoscaling", autoscalerCauses],
  ["poddisruptionbudgets.policy", budgetCauses],
  ["ingresses.networking.k8s.io", ingressCauses],
  ["ingressclasses.networking.k8s.io", ingressClassCauses],
  ["networkpolicies.networking.k8s.io", networkPolicyCauses],
  ["servicecidrs.networking.k8s.io", serviceCidrCauses],
  ["ipaddresses.networking.k8s.io", ipAddressCauses],
  [`roles.${rbac}`, (one) => roleCauses(one, false)],
  [`clusterroles.${rbac}`, (one) => roleCauses(one, true)],
  [`rolebindings.${rbac}`, (one) => bindingCauses(one, false)],
  [`clusterrolebindings.${rbac}`, (one) => bindingCauses(one, true)],
  ["storageclasses.storage.k8s.io", storageClassCauses],
  ["csidrivers.storage.k8s.io", driverCauses],
  ["volumeattributesclasses.storage.k8s.io", attributesClassCauses],
  ["runtimeclasses.node.k8s.io", runtimeClassCauses],
  ["leases.coordination.k8s.io", leaseCauses],
  ["validatingwebhookconfigurations.admissionregistration.k8s.io", webhookCauses],
  ["mutatingwebhookconfigurations.admissionregistration.k8s.io", webhookCauses],
]);

/** The same for what controllers report through `status`, beyond its numbers. */
const statusChecks: ReadonlyMap<string, StatusCheck> = new Map<string, StatusCheck>([
  ["ingresses.networking.k8s.io", placeCauses],
  ["jobs.batch", jobStatusCauses],
  ["namespaces", namespaceStatusCauses],
  ["nodes", nodeStatusCauses],
  ["persistentvolumeclaims", claimStatusCauses],
  ["poddisruptionbudgets.policy", conditionCauses],
  ["pods", podStatusCauses],
  ["services", serviceStatusCauses],
]);

/** What is wrong with an object by the rules of its kind. */
export function kindCauses(
  { groupResource, rules }: ServedResource,
  object: ApiObject,
  before?: ApiObject,
): Causes {
  const check = rules.custom ? undefined : checks.get(groupResource);
  const causes = check?.(object, before) ?? [];
  return before === undefined ? causes : withoutTolerated(causes, () => check?.(before) ?? []);
}

/** What is wrong with a status by the rules of its kind. */
export function statusCauses(
  { storage, rules }: ServedResource,
  object: ApiObject,
  before: ApiObject,
): Causes {
  return rules.custom
    ? []
    : [
        ...countCauses(storage, object, before),
        ...(statusChecks.get(storage)?.(object, before) ?? []),
      ];
}

/** What may stand in an object later, but not from the beginning, and what it must have from the beginning. */
export function creationCauses({ groupResource }: ServedResource, object: ApiObject): Causes {
  return creationChecks.get(groupResource)?.(object) ?? [];
}

const creationChecks: ReadonlyMap<string, Check> = new Map([
  ["events.events.k8s.io", newEventCreationCauses],
  ["ingresses.networking.k8s.io", newIngressCauses],
  ["jobs.batch", newJobCauses],
  ["pods", newPodCauses],
  // An update may change nothing of what is looked at here.
  ["priorityclasses.scheduling.k8s.io", priorityClassCauses],
]);

function newPodCauses(pod: ApiObject): Causes {
  const { ephemeralContainers, nodeName, schedulingGates } = specOf(pod);
  const gated = "cannot be set until all schedulingGates have been cleared";
  return [
    ...(objectsOf(ephemeralContainers).length > 0
      ? [cause.forbidden("spec.ephemeralContainers", "cannot be set on create")]
      : []),
    ...(!isUnset(nodeName) && objectsOf(schedulingGates).length > 0
      ? [cause.forbidden("spec.nodeName", gated)]
      : []),
  ];
}
