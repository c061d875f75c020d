import { cause } from "../../errors/status-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { objectsOf, specOf } from "../../objects/parts.js";
import { type FieldErrors, isUnset } from "../../phases/validate/checks.js";
import { withoutTolerated } from "../../phases/validate/tolerated.js";
import type { ServedResource } from "../../resources/served-resource.js";
import { validateData } from "../data-validation.js";
import { validateBinding, validateRole, validateSecretType } from "./access.js";
import { validateAutoscaler, validateBudget } from "./autoscaling.js";
import { validateBalancerStatusChange } from "./balancer-status.js";
import { validateClaim, validateClaimStatus } from "./claims.js";
import { validateEndpointSlice, validateEndpoints } from "./endpoints.js";
import { validateEvent, validateNewEvent, validateNewEventCreation } from "./events.js";
import { validateJobStatus } from "./job-status.js";
import { validateCronJob, validateJob, validateNewJob } from "./jobs.js";
import { validateLimitRange } from "./limit-ranges.js";
import { validateIngress, validateNetworkPolicy, validateNewIngress } from "./networking.js";
import { validateNode } from "./nodes.js";
import {
  validateIngressClass,
  validateLease,
  validatePriorityClass,
  validateRevision,
  validateRuntimeClass,
} from "./others.js";
import { validatePod } from "./pod-spec.js";
import { validatePodStatus } from "./pod-status.js";
import { validateQuota } from "./quotas.js";
import { validateIpAddress, validateServiceCidr } from "./service-addresses.js";
import { validateService, validateServiceStatus } from "./services.js";
import {
  type StatusCheck,
  validateCondition,
  validateCount,
  validateNamespaceStatus,
  validateNodeStatus,
} from "./statuses.js";
import { validateVolume } from "./storage.js";
import {
  validateAttributesClass,
  validateDriver,
  validateStorageClass,
} from "./storage-drivers.js";
import { validateWebhook } from "./webhooks.js";
import { validateController, validateWorkload } from "./workloads.js";

/** @param before - the old object of an update; some rules tolerate values that it already had. */
type Check = (object: ApiObject, before?: ApiObject) => FieldErrors;

const rbac = "rbac.authorization.k8s.io";

/** Checks of each kind on every write. Kinds not listed are not validated. */
const checks: ReadonlyMap<string, Check> = new Map<string, Check>([
  ["configmaps", (one) => validateData("configmaps", one)],
  ["secrets", (one) => [...validateData("secrets", one), ...validateSecretType(one)]],
  ["pods", validatePod],
  ["services", validateService],
  ["replicationcontrollers", validateController],
  ["persistentvolumeclaims", validateClaim],
  ["persistentvolumes", validateVolume],
  ["events", validateEvent],
  ["events.events.k8s.io", validateNewEvent],
  ["nodes", validateNode],
  ["resourcequotas", validateQuota],
  ["limitranges", validateLimitRange],
  ["endpoints", validateEndpoints],
  ["endpointslices.discovery.k8s.io", validateEndpointSlice],
  ["deployments.apps", (one) => validateWorkload("deployment", one)],
  ["replicasets.apps", (one) => validateWorkload("replicaSet", one)],
  ["daemonsets.apps", (one) => validateWorkload("daemonSet", one)],
  ["statefulsets.apps", (one, before) => validateWorkload("statefulSet", one, before)],
  ["controllerrevisions.apps", validateRevision],
  ["jobs.batch", validateJob],
  ["cronjobs.batch", validateCronJob],
  ["horizontalpodautoscalers.autoscaling", validateAutoscaler],
  ["poddisruptionbudgets.policy", validateBudget],
  ["ingresses.networking.k8s.io", validateIngress],
  ["ingressclasses.networking.k8s.io", validateIngressClass],
  ["networkpolicies.networking.k8s.io", validateNetworkPolicy],
  ["servicecidrs.networking.k8s.io", validateServiceCidr],
  ["ipaddresses.networking.k8s.io", validateIpAddress],
  [`roles.${rbac}`, (one) => validateRole(one, false)],
  [`clusterroles.${rbac}`, (one) => validateRole(one, true)],
  [`rolebindings.${rbac}`, (one) => validateBinding(one, false)],
  [`clusterrolebindings.${rbac}`, (one) => validateBinding(one, true)],
  ["storageclasses.storage.k8s.io", validateStorageClass],
  ["csidrivers.storage.k8s.io", validateDriver],
  ["volumeattributesclasses.storage.k8s.io", validateAttributesClass],
  ["runtimeclasses.node.k8s.io", validateRuntimeClass],
  ["leases.coordination.k8s.io", validateLease],
  ["validatingwebhookconfigurations.admissionregistration.k8s.io", validateWebhook],
  ["mutatingwebhookconfigurations.admissionregistration.k8s.io", validateWebhook],
]);

/** Checks of status writes by kind, in addition to those of counts. */
const statusChecks: ReadonlyMap<string, StatusCheck> = new Map<string, StatusCheck>([
  ["ingresses.networking.k8s.io", validateBalancerStatusChange],
  ["jobs.batch", validateJobStatus],
  ["namespaces", validateNamespaceStatus],
  ["nodes", validateNodeStatus],
  ["persistentvolumeclaims", validateClaimStatus],
  ["poddisruptionbudgets.policy", validateCondition],
  ["pods", validatePodStatus],
  ["services", validateServiceStatus],
]);

/** Returns the field errors of an object by the rules of its kind. */
export function validateKind(
  { groupResource, rules }: ServedResource,
  object: ApiObject,
  before?: ApiObject,
): FieldErrors {
  const check = rules.custom ? undefined : checks.get(groupResource);
  const causes = check?.(object, before) ?? [];
  return before === undefined ? causes : withoutTolerated(causes, () => check?.(before) ?? []);
}

/** Returns the field errors of a status by the rules of its kind. */
export function validateStatus(
  { storage, rules }: ServedResource,
  object: ApiObject,
  before: ApiObject,
): FieldErrors {
  return rules.custom
    ? []
    : [
        ...validateCount(storage, object, before),
        ...(statusChecks.get(storage)?.(object, before) ?? []),
      ];
}

/** Returns the field errors that apply only when an object is created. */
export function validateCreation(
  { groupResource }: ServedResource,
  object: ApiObject,
): FieldErrors {
  return creationChecks.get(groupResource)?.(object) ?? [];
}

const creationChecks: ReadonlyMap<string, Check> = new Map([
  ["events.events.k8s.io", validateNewEventCreation],
  ["ingresses.networking.k8s.io", validateNewIngress],
  ["jobs.batch", validateNewJob],
  ["pods", validateNewPod],
  // An update can't change the fields checked here.
  ["priorityclasses.scheduling.k8s.io", validatePriorityClass],
]);

function validateNewPod(pod: ApiObject): FieldErrors {
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
