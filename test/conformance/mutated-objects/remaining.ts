/** Reasons for different responses to a mutation. */
const reasons = {
  empty: "the embedded server drops empty lists and maps before it validates",
  order:
    "missing fields are reported after present ones, where Go reports them in the order of its fields",
  panic: "kube-apiserver 1.37 panics; the embedded server returns a validation error",
  dry: "a dry run of a real server does not check whether a node port is free or in the range",
  allocated: "a real server shows the port that it had allocated for the previous one",
  copied: "a real server copies a source to the older field before it validates the source",
  twice: "the embedded server accepts a duplicate toleration",
  involved:
    "a real server treats an event without an eventTime as a core event, whose namespace differs",
} as const;

const mutations: Readonly<Record<keyof typeof reasons, readonly string[]>> = {
  empty: [
    "Deployment spec.template.metadata.labels = {}",
    "Deployment spec.template.metadata.labels.a left out",
    "DaemonSet spec.template.metadata.labels = {}",
    "DaemonSet spec.template.metadata.labels.a left out",
    "StatefulSet spec.template.metadata.labels = {}",
    "StatefulSet spec.template.metadata.labels.a left out",
    "ReplicaSet spec.template.metadata.labels = {}",
    "ReplicaSet spec.template.metadata.labels.a left out",
    "Job spec.podFailurePolicy.rules.0.onExitCodes.values = []",
    "PersistentVolume spec.capacity = {}",
    "PersistentVolume spec.capacity.storage left out",
    "ReplicationController spec.template.metadata.labels = {}",
    "ReplicationController spec.template.metadata.labels.a left out",
  ],
  order: [
    "Deployment spec.selector.matchExpressions.0.key left out",
    "Deployment spec.selector.matchExpressions.0.operator left out",
  ],
  panic: ["Job spec.completions left out"],
  dry: ["Service spec.ports.0.nodePort = -1", "Service spec.ports.0.nodePort = 70000"],
  allocated: ["Service spec.ports.1 twice"],
  copied: [
    "PersistentVolumeClaim spec.dataSourceRef = {}",
    'PersistentVolumeClaim spec.dataSourceRef.kind = ""',
    "PersistentVolumeClaim spec.dataSourceRef.kind left out",
  ],
  twice: ["RuntimeClass scheduling.tolerations.0 twice"],
  involved: ["Event eventTime left out"],
};

/** Mutations whose responses still differ from a real server's, each with the reason. */
export const remaining: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(mutations).flatMap(([why, names]) =>
    names.map((name) => [name, reasons[why as keyof typeof reasons]]),
  ),
);
