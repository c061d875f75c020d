import type { Stage } from "./stages/stage.js";

/** Which controllers run. What is left out does not. */
export interface ControllerOptions {
  /** Deletes what belongs only to what is gone; foreground deletion; orphans. */
  readonly garbageCollection?: boolean;
  /**
   * Empties namespaces that are deleted and lets them go, one step after the other, with conditions. When it is left out,
   * deleting a namespace empties it at once, inside the delete; `false`: it stays as it is, as on a server without
   * controllers.
   */
  readonly namespaces?: boolean;
  /** ReplicaSets of Deployments: rolling updates, recreation, scaling, revisions. */
  readonly deployments?: boolean;
  /** Pods of ReplicaSets. */
  readonly replicaSets?: boolean;
  /** Pods of ReplicationControllers. */
  readonly replicationControllers?: boolean;
  /** Pods of Jobs, and the end of finished Jobs that have one. */
  readonly jobs?: boolean;
  /** Jobs of CronJobs, by the server's clock. */
  readonly cronJobs?: boolean;
  /** Pods of StatefulSets, in order. */
  readonly statefulSets?: boolean;
  /** A pod on each Node for every DaemonSet. */
  readonly daemonSets?: boolean;
  /** EndpointSlices of Services that have a selector. */
  readonly endpointSlices?: boolean;
  /** The ServiceAccount `default` and the ConfigMap `kube-root-ca.crt` of every namespace. */
  readonly serviceAccounts?: boolean;
  /**
   * Lets deleted claims, volumes and VolumeAttributesClasses go once they are not in use. Default: on together with
   * `namespaces`, which would wait for claims otherwise.
   */
  readonly storageProtection?: boolean;
  /** The status of PodDisruptionBudgets: without it every eviction from a budget is refused. */
  readonly disruptionBudgets?: boolean;
  /** What is hard and what is used of ResourceQuotas: without it they hold nobody back. */
  readonly resourceQuotas?: boolean;
  /** The rules of aggregated ClusterRoles. */
  readonly roleAggregation?: boolean;
  /** Events go after an hour of the server's clock. */
  readonly eventExpiry?: boolean;
}

/** All of them. */
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

/** What acts on a server by itself. */
export interface ActorOptions {
  /** The controllers of Kubernetes that run beside the server: `true` for all. Default: none. */
  readonly controllers?: ControllerOptions | boolean | undefined;
  /** Steps that objects take by themselves: `[...runPods(), stage(...)]`. Default: none. */
  readonly stages?: readonly Stage[] | undefined;
}

/** The chosen controllers: `true` spelt out, dependent defaults filled in. */
export function chosen(controllers: ActorOptions["controllers"]): ControllerOptions {
  if (typeof controllers !== "object") {
    return controllers === true ? allControllers : {};
  }
  return { storageProtection: controllers.namespaces === true, ...controllers };
}

function hasControllers(controllers: ActorOptions["controllers"]): boolean {
  return Object.values(chosen(controllers)).includes(true);
}

/** Reports whether controllers or stages act on a server. */
export function hasActors({ controllers, stages = [] }: ActorOptions): boolean {
  return stages.length > 0 || hasControllers(controllers);
}

/** Who empties a namespace that is deleted: the delete itself, the controller, or nobody. */
export function namespaceKeeper(
  controllers: ActorOptions["controllers"],
): "controller" | "delete" | "nobody" {
  const { namespaces } = chosen(controllers);
  return namespaces === undefined ? "delete" : namespaces ? "controller" : "nobody";
}
