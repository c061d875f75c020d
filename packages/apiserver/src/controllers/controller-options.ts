import type { KubeError } from "@typekube/core";
import type { Stage } from "./stages/stage.js";

/** Controllers to run. Omitted ones don't run. */
export interface ControllerOptions {
  /** Garbage collection: deletes dependents whose owners are gone; foreground and orphan deletion. */
  readonly garbageCollection?: boolean | undefined;
  /**
   * Empties and removes deleted namespaces step by step, with conditions. If omitted, deleting a namespace empties it
   * at once, as part of the delete; `false`: it remains terminating, as on a server without controllers.
   */
  readonly namespaces?: boolean | undefined;
  /** Manages the ReplicaSets of Deployments: rolling updates, recreation, scaling, revisions. */
  readonly deployments?: boolean | undefined;
  /** Manages the pods of ReplicaSets. */
  readonly replicaSets?: boolean | undefined;
  /** Manages the pods of ReplicationControllers. */
  readonly replicationControllers?: boolean | undefined;
  /** Manages the pods of Jobs, and deletes finished Jobs with a TTL. */
  readonly jobs?: boolean | undefined;
  /** Creates the Jobs of CronJobs, by the server's clock. */
  readonly cronJobs?: boolean | undefined;
  /** Manages the pods of StatefulSets, in order. */
  readonly statefulSets?: boolean | undefined;
  /** Runs a pod of each DaemonSet on each Node. */
  readonly daemonSets?: boolean | undefined;
  /** Manages the EndpointSlices of Services with a selector. */
  readonly endpointSlices?: boolean | undefined;
  /** Creates the ServiceAccount `default` and the ConfigMap `kube-root-ca.crt` in each namespace. */
  readonly serviceAccounts?: boolean | undefined;
  /**
   * Removes deleted claims, volumes and VolumeAttributesClasses once they are unused. Default: on together with
   * `namespaces`, which would otherwise wait for claims.
   */
  readonly storageProtection?: boolean | undefined;
  /** Maintains the status of PodDisruptionBudgets; without it every eviction covered by a budget is rejected. */
  readonly disruptionBudgets?: boolean | undefined;
  /** Maintains `hard` and `used` of ResourceQuotas; without it quotas have no effect. */
  readonly resourceQuotas?: boolean | undefined;
  /** Maintains the rules of aggregated ClusterRoles. */
  readonly roleAggregation?: boolean | undefined;
  /** Deletes Events after an hour of the server's clock. */
  readonly eventExpiry?: boolean | undefined;
}

/** All controllers enabled. */
export const allControllers: Required<ControllerOptions> = {
  garbageCollection: true,
  namespaces: true,
  deployments: true,
  replicaSets: true,
  replicationControllers: true,
  jobs: true,
  cronJobs: true,
  statefulSets: true,
  daemonSets: true,
  endpointSlices: true,
  serviceAccounts: true,
  storageProtection: true,
  disruptionBudgets: true,
  resourceQuotas: true,
  roleAggregation: true,
  eventExpiry: true,
};

/** Options of background actors: controllers and stages. */
export interface ActorOptions {
  /** Kubernetes controllers to run with the server: `true` for all. Default: none. */
  readonly controllers?: ControllerOptions | boolean | undefined;
  /** Automatic state changes of objects: `[...runPods(), stage(...)]`. Default: none. */
  readonly stages?: readonly Stage[] | undefined;
  /**
   * Called with errors of controllers and stages that are not rejected writes, such as one thrown by a stage's
   * function. The step is retried with back-off in any case. Rethrow the error to fail a test. Default: a process
   * warning with the code `TYPEKUBE_APISERVER`, at most one a minute for each controller.
   */
  readonly onError?: ((error: KubeError) => void) | undefined;
}

/** Resolves the controllers to run: expands `true` and fills in dependent defaults. */
export function chosen(controllers: ActorOptions["controllers"]): ControllerOptions {
  if (typeof controllers !== "object") {
    return controllers === true ? allControllers : {};
  }
  const { namespaces, storageProtection = namespaces === true } = controllers;
  return { ...controllers, storageProtection };
}

function hasControllers(controllers: ActorOptions["controllers"]): boolean {
  return Object.values(chosen(controllers)).includes(true);
}

/** Returns whether controllers or stages run on a server. */
export function hasActors({ controllers, stages = [] }: ActorOptions): boolean {
  return stages.length > 0 || hasControllers(controllers);
}

/**
 * Returns how a deleted namespace is emptied: at once by the delete request, step by step by the controller, or not at
 * all. See `namespaces` in {@link ControllerOptions}.
 */
export function namespaceKeeper(
  controllers: ActorOptions["controllers"],
): "controller" | "delete" | "nobody" {
  const { namespaces } = chosen(controllers);
  return namespaces === undefined ? "delete" : namespaces ? "controller" : "nobody";
}
