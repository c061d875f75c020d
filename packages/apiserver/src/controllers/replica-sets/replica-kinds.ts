/** A kind that keeps a fixed number of pods. */
export interface ReplicaKind {
  readonly kind: string;
  readonly storage: string;
  /** Source component of its Events. */
  readonly component: string;
}

export const replicaSets: ReplicaKind = {
  kind: "ReplicaSet",
  storage: "replicasets.apps",
  component: "replicaset-controller",
};

export const replicationControllers: ReplicaKind = {
  kind: "ReplicationController",
  storage: "replicationcontrollers",
  component: "replication-controller",
};
