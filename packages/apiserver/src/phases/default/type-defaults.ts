import type { JsonObject } from "../../objects/json-value.js";

const modes = { defaultMode: 0o644 };
const webhook = {
  failurePolicy: "Fail",
  matchPolicy: "Equivalent",
  namespaceSelector: {},
  objectSelector: {},
  timeoutSeconds: 10,
};
const container = {
  terminationMessagePath: "/dev/termination-log",
  terminationMessagePolicy: "File",
};
const deviceRequest = { allocationMode: "ExactCount" };

/**
 * Defaults of omitted fields by type name; `type-rules.ts` has those that depend on other fields. An empty string
 * counts as omitted.
 */
export const typeDefaults: Readonly<Record<string, JsonObject>> = {
  // Pods
  PodSpec: {
    restartPolicy: "Always",
    terminationGracePeriodSeconds: 30,
    dnsPolicy: "ClusterFirst",
    securityContext: {},
    schedulerName: "default-scheduler",
  },
  Container: container,
  EphemeralContainer: container,
  ContainerPort: { protocol: "TCP" },
  HTTPGetAction: { path: "/", scheme: "HTTP" },
  GRPCAction: { service: "" },
  ObjectFieldSelector: { apiVersion: "v1" },
  SecretVolumeSource: modes,
  ConfigMapVolumeSource: modes,
  DownwardAPIVolumeSource: modes,
  ProjectedVolumeSource: modes,
  ServiceAccountTokenProjection: { expirationSeconds: 3600 },
  HostPathVolumeSource: { type: "" },
  ISCSIVolumeSource: { iscsiInterface: "default" },
  ISCSIPersistentVolumeSource: { iscsiInterface: "default" },
  RBDVolumeSource: { pool: "rbd", user: "admin", keyring: "/etc/ceph/keyring" },
  RBDPersistentVolumeSource: { pool: "rbd", user: "admin", keyring: "/etc/ceph/keyring" },
  AzureDiskVolumeSource: {
    cachingMode: "ReadWrite",
    fsType: "ext4",
    readOnly: false,
    kind: "Shared",
  },
  ScaleIOVolumeSource: { storageMode: "ThinProvisioned", fsType: "xfs" },
  ScaleIOPersistentVolumeSource: { storageMode: "ThinProvisioned", fsType: "xfs" },
  // Volumes
  PersistentVolumeClaimSpec: { volumeMode: "Filesystem" },
  PersistentVolumeSpec: { persistentVolumeReclaimPolicy: "Retain", volumeMode: "Filesystem" },
  PersistentVolumeClaimStatus: { phase: "Pending" },
  StorageClass: { reclaimPolicy: "Delete", volumeBindingMode: "Immediate" },
  CSIDriverSpec: {
    attachRequired: true,
    podInfoOnMount: false,
    storageCapacity: false,
    fsGroupPolicy: "ReadWriteOnceWithFSType",
    requiresRepublish: false,
    seLinuxMount: false,
    preventPodSchedulingIfMissing: false,
    volumeLifecycleModes: ["Persistent"],
  },
  // Services
  ServiceSpec: { sessionAffinity: "None", type: "ClusterIP" },
  ServicePort: { protocol: "TCP" },
  EndpointPort: { name: "", protocol: "TCP" },
  IngressClassParametersReference: { scope: "Cluster" },
  NetworkPolicyPort: { protocol: "TCP" },
  // Workloads
  ReplicationControllerSpec: { replicas: 1 },
  ReplicaSetSpec: { replicas: 1 },
  DeploymentSpec: {
    replicas: 1,
    strategy: {},
    revisionHistoryLimit: 10,
    progressDeadlineSeconds: 600,
  },
  DaemonSetSpec: { updateStrategy: {}, revisionHistoryLimit: 10 },
  StatefulSetSpec: {
    replicas: 1,
    podManagementPolicy: "OrderedReady",
    updateStrategy: {},
    revisionHistoryLimit: 10,
    persistentVolumeClaimRetentionPolicy: {},
  },
  DeploymentStrategy: { type: "RollingUpdate" },
  DaemonSetUpdateStrategy: { type: "RollingUpdate" },
  RollingUpdateDeployment: { maxUnavailable: "25%", maxSurge: "25%" },
  RollingUpdateDaemonSet: { maxUnavailable: 1, maxSurge: 0 },
  RollingUpdateStatefulSetStrategy: { partition: 0, maxUnavailable: 1 },
  StatefulSetPersistentVolumeClaimRetentionPolicy: { whenDeleted: "Retain", whenScaled: "Retain" },
  CronJobSpec: {
    concurrencyPolicy: "Allow",
    suspend: false,
    successfulJobsHistoryLimit: 3,
    failedJobsHistoryLimit: 1,
  },
  PodFailurePolicyOnPodConditionsPattern: { status: "True" },
  HorizontalPodAutoscalerSpec: { minReplicas: 1 },
  // Access, admission, the API itself
  Secret: { type: "Opaque" },
  RoleRef: { apiGroup: "rbac.authorization.k8s.io" },
  ValidatingWebhook: webhook,
  MutatingWebhook: { ...webhook, reinvocationPolicy: "Never" },
  RuleWithOperations: { scope: "*" },
  NamedRuleWithOperations: { scope: "*" },
  MatchResources: { matchPolicy: "Equivalent", namespaceSelector: {}, objectSelector: {} },
  ValidatingAdmissionPolicySpec: { failurePolicy: "Fail" },
  MutatingAdmissionPolicySpec: { failurePolicy: "Fail" },
  ServiceReference: { port: 443 },
  PriorityClass: { preemptionPolicy: "PreemptLowerPriority" },
  FlowSchemaSpec: { matchingPrecedence: 1000 },
  LimitedPriorityLevelConfiguration: { nominalConcurrencyShares: 30, lendablePercent: 0 },
  ExemptPriorityLevelConfiguration: { nominalConcurrencyShares: 0, lendablePercent: 0 },
  QueuingConfiguration: { queues: 64, handSize: 8, queueLengthLimit: 50 },
  // Devices
  ExactDeviceRequest: deviceRequest,
  DeviceSubRequest: deviceRequest,
  DeviceToleration: { operator: "Equal" },
};

/** Defaults of fields whose zero value counts as omitted, by type. */
export const zeroDefaults: Readonly<Record<string, JsonObject>> = {
  Probe: { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 },
};

/** Fields that get their default only when omitted: in Go they are pointers, so an empty string is a value. */
export const pointerFields: Readonly<Record<string, readonly string[]>> = {
  AzureDiskVolumeSource: ["cachingMode", "fsType", "kind"],
  IngressClassParametersReference: ["scope"],
  NetworkPolicyPort: ["protocol"],
  PersistentVolumeClaimSpec: ["volumeMode"],
  PersistentVolumeSpec: ["volumeMode"],
  RollingUpdateDaemonSet: ["maxSurge", "maxUnavailable"],
  RollingUpdateDeployment: ["maxSurge", "maxUnavailable"],
  StorageClass: ["reclaimPolicy", "volumeBindingMode"],
};
