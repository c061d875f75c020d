import { createCronJobController } from "./cron-jobs/cron-jobs.js";
import { createDaemonSetController } from "./daemon-sets/daemon-sets.js";
import { createDeploymentController } from "./deployments/deployments.js";
import { createDisruptionController } from "./disruption-budgets/disruption-budgets.js";
import { createEndpointSliceController } from "./endpoint-slices/endpoint-slices.js";
import { createEventExpiry } from "./event-expiry.js";
import { createGarbageCollector } from "./garbage-collector/garbage-collector.js";
import { createJobControllers } from "./jobs/jobs.js";
import { createNamespaceController } from "./namespaces/namespaces.js";
import { createPolicyStatus } from "./policy-status/policy-status.js";
import {
  createReplicaSetController,
  createReplicationController,
} from "./replica-sets/replica-sets.js";
import { createQuotaController } from "./resource-quotas/resource-quotas.js";
import { createRoleAggregation } from "./role-aggregation.js";
import type { ControllerMaker } from "./runtime/controller-maker.js";
import { createServiceAccountController } from "./service-accounts.js";
import { createStatefulSetController } from "./stateful-sets/stateful-sets.js";
import { createStorageProtection } from "./storage-protection/storage-protection.js";

/**
 * All controllers by the option that enables them, in the order in which they react to a change. The comments document
 * the options: what a controller does, as that of kube-controller-manager 1.37.1, and what it leaves out.
 */
export const controllerList = {
  /**
   * Creates the ServiceAccount `default` and the ConfigMap `kube-root-ca.crt` in each namespace. Not emulated: tokens in
   * Secrets.
   */
  serviceAccounts: createServiceAccountController as ControllerMaker,
  /**
   * Manages the ReplicaSets of Deployments: rolling update, Recreate, proportional scaling, revisions, rollback, pause,
   * deadline. The hash in names looks like a real one but differs.
   */
  deployments: createDeploymentController as ControllerMaker,
  /**
   * Manages the pods of ReplicaSets: number, adoption, order of deletion, status. Not emulated: spreading over nodes
   * when scaling down.
   */
  replicaSets: createReplicaSetController as ControllerMaker,
  /** Manages the pods of ReplicationControllers, as `replicaSets` does. */
  replicationControllers: createReplicationController as ControllerMaker,
  /**
   * Manages the pods of Jobs: completions, parallelism, indexes, back-off, deadline, suspension. Deletes finished Jobs
   * with a TTL. Not emulated: pod failure policy, success policy, back-off limit per index.
   */
  jobs: createJobControllers as ControllerMaker,
  /**
   * Creates the Jobs of CronJobs by the server's clock: time zones, concurrency, history, deadline for starting. Of
   * several missed times only the newest starts a Job. Not compared with the real controller.
   */
  cronJobs: createCronJobController as ControllerMaker,
  /**
   * Manages the pods of StatefulSets in order: claims from templates, retention of claims, updates with partition. Not
   * emulated: ControllerRevisions.
   */
  statefulSets: createStatefulSetController as ControllerMaker,
  /**
   * Runs a pod of each DaemonSet on each Node that its node selector selects. Not emulated: taints, affinity, surge,
   * ControllerRevisions.
   */
  daemonSets: createDaemonSetController as ControllerMaker,
  /**
   * Manages one EndpointSlice of each Service with a selector; the Node need not exist. Not emulated: IPv6, several
   * slices, Endpoints objects, topology.
   */
  endpointSlices: createEndpointSliceController as ControllerMaker,
  /**
   * Removes deleted PersistentVolumeClaims, PersistentVolumes and VolumeAttributesClasses once they are unused. Volumes
   * are not bound, released or reclaimed. Default: on together with `namespaces`, which would otherwise wait for claims.
   */
  storageProtection: createStorageProtection as ControllerMaker,
  /**
   * Maintains the status of PodDisruptionBudgets; without it every eviction covered by a budget is rejected. Not
   * emulated: the condition for pods with several budgets.
   */
  disruptionBudgets: createDisruptionController as ControllerMaker,
  /**
   * Maintains `hard` and `used` of ResourceQuotas; without it quotas have no effect. Devices of ResourceClaims, and
   * container statuses during a resize, are not counted. Not emulated: recalculation every five minutes.
   */
  resourceQuotas: createQuotaController as ControllerMaker,
  /**
   * Maintains the status of ValidatingAdmissionPolicies: `typeChecking` has what does not fit the types of the kinds that
   * a policy names.
   */
  policyStatus: createPolicyStatus as ControllerMaker,
  /** Maintains the rules of aggregated ClusterRoles. */
  roleAggregation: createRoleAggregation as ControllerMaker,
  /** Deletes Events an hour of the server's clock after their last write. Leases stay, as on real servers. */
  eventExpiry: createEventExpiry as ControllerMaker,
  /**
   * Empties and removes deleted namespaces step by step, pods first, with conditions. If omitted, deleting a namespace
   * empties it at once, as part of the delete; `false`: it remains terminating, as on a server without controllers.
   */
  namespaces: createNamespaceController as ControllerMaker,
  /**
   * Garbage collection: deletes dependents whose owners are gone or in other namespaces; foreground deletion with
   * `blockOwnerDeletion`, also of cycles of owners; orphan deletion. Not emulated: Events about owners in other
   * namespaces.
   */
  garbageCollection: createGarbageCollector as ControllerMaker,
};
