/** Reasons for different responses to a mutation. */
const reasons = {
  empty:
    "an empty list or map is the same as none by the time the embedded server looks for faults",
  order: "what is left out is shown behind what is there, where Go has an order of fields",
  panic: "kube-apiserver 1.37 breaks down over it; the embedded server says what is wrong",
  dry: "a dry run of a real server does not ask whether a port of a node is free, or one at all",
  allocated: "a real server shows the port that it had found for the one before",
  copied: "a real server copies a source to the older field before it looks whether it is whole",
  pointer: "the embedded server fills in the default for the empty text, too",
  long: "a real server tells the length first",
  twice: "the embedded server takes a toleration twice",
  involved:
    "a real server takes an event without a time for one of the old kind, whose namespace is another",
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
  pointer: ['EndpointSlice ports.0.protocol = ""', 'PriorityClass preemptionPolicy = ""'],
  long: ['RuntimeClass handler = "aaaa…" of 300'],
  twice: ["RuntimeClass scheduling.tolerations.0 twice"],
  involved: ["Event eventTime left out"],
};

/** Mutations whose responses still differ from a real server's, each with the reason. */
export const remaining: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(mutations).flatMap(([why, names]) =>
    names.map((name) => [name, reasons[why as keyof typeof reasons]]),
  ),
);
