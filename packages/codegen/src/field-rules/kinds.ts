import { each, type RuleTable } from "./row.js";

const notNegative = (fields: string) => each("minimum=0", fields);

/** Rules of all other kinds (`pkg/apis/GROUP/validation/validation.go`). */
export const kindRules: RuleTable = {
  "admissionregistration/v1.MatchCondition": {
    expression: "required",
    name: "always=format=qualifiedName",
  },
  "admissionregistration/v1.MutatingWebhook": {
    ...each("enum", "failurePolicy matchPolicy reinvocationPolicy"),
    sideEffects: ["required=must specify one of None, NoneOnDryRun", "enum=None,NoneOnDryRun"],
    ...each("selector", "namespaceSelector objectSelector"),
    matchConditions: "fields",
  },
  "admissionregistration/v1.RuleWithOperations": { scope: "enum" },
  "apps/v1.ControllerRevision": { revision: "minimum=0" },
  "apps/v1.DaemonSetSpec": notNegative("minReadySeconds revisionHistoryLimit"),
  "apps/v1.DaemonSetStatus": notNegative(
    "currentNumberScheduled numberMisscheduled desiredNumberScheduled numberReady observedGeneration updatedNumberScheduled numberAvailable numberUnavailable collisionCount",
  ),
  "apps/v1.DeploymentSpec": notNegative(
    "replicas minReadySeconds revisionHistoryLimit progressDeadlineSeconds",
  ),
  "apps/v1.DeploymentStatus": notNegative(
    "observedGeneration replicas updatedReplicas readyReplicas availableReplicas unavailableReplicas",
  ),
  "apps/v1.ReplicaSetSpec": notNegative("replicas minReadySeconds"),
  "apps/v1.ReplicaSetStatus": notNegative(
    "replicas fullyLabeledReplicas readyReplicas availableReplicas observedGeneration",
  ),
  "apps/v1.RollingUpdateStatefulSetStrategy": {
    partition: "minimum=0",
    maxUnavailable: "countOrPercent=100",
  },
  "apps/v1.StatefulSetOrdinals": { start: "minimum=0" },
  "apps/v1.StatefulSetPersistentVolumeClaimRetentionPolicy": each(
    "enum=Retain,Delete",
    "whenDeleted whenScaled",
  ),
  "apps/v1.StatefulSetSpec": {
    serviceName: "format=label",
    ordinals: "fields",
    persistentVolumeClaimRetentionPolicy: "fields",
    ...notNegative("replicas minReadySeconds"),
  },
  "apps/v1.StatefulSetStatus": notNegative(
    "replicas readyReplicas currentReplicas updatedReplicas availableReplicas observedGeneration collisionCount",
  ),
  "autoscaling/v2.CrossVersionObjectReference": {
    kind: ["required", "format=pathSegment"],
    name: ["required", "format=pathSegment"],
  },
  "autoscaling/v2.HorizontalPodAutoscalerSpec": {
    scaleTargetRef: "fields",
  },
  "autoscaling/v2.HorizontalPodAutoscalerStatus": notNegative("currentReplicas desiredReplicas"),
  "autoscaling/v2.HPAScalingPolicy": { type: "always=enum=Percent,Pods" },
  "autoscaling/v2.HPAScalingRules": { selectPolicy: "enum=Disabled,Max,Min" },
  "autoscaling/v2.MetricIdentifier": {
    name: ["required=must specify a metric name", "format=pathSegment"],
  },
  "autoscaling/v2.ObjectMetricSource": { describedObject: "fields" },
  "batch/v1.CronJobSpec": {
    startingDeadlineSeconds: "minimum=0",
    concurrencyPolicy: "enum",
    ...notNegative("successfulJobsHistoryLimit failedJobsHistoryLimit"),
  },
  "batch/v1.JobSpec": {
    ...notNegative(
      "parallelism completions activeDeadlineSeconds backoffLimit ttlSecondsAfterFinished backoffLimitPerIndex maxFailedIndexes",
    ),
    completionMode: "enum=NonIndexed,Indexed",
  },
  "batch/v1.JobStatus": notNegative("active succeeded failed terminating ready"),
  "batch/v1.PodFailurePolicyOnPodConditionsPattern": {
    type: "always=format=qualifiedName",
    status: "enum=False,True,Unknown",
  },
  "batch/v1.SuccessPolicyRule": { succeededCount: "minimum=0" },
  "coordination/v1.LeaseSpec": { leaseTransitions: "minimum=0" },
  "core/v1.EndpointAddress": {
    ip: "always=format=ip",
    hostname: "format=label",
    nodeName: "format=subdomain",
  },
  "core/v1.EndpointPort": {
    port: "always=port",
    protocol: "enum",
    appProtocol: "format=qualifiedName",
  },
  "core/v1.PodStatus": { nominatedNodeName: "format=subdomain" },
  "core/v1.ServicePort": {
    port: "always=port",
    protocol: "enum",
    targetPort: "always=portOrName",
    appProtocol: "format=qualifiedName",
  },
  "core/v1.ServiceSpec": {
    selector: "labels",
    sessionAffinity: "enum",
    type: "enum",
    ipFamilyPolicy: "enum",
    loadBalancerClass: "format=qualifiedName",
    externalTrafficPolicy: "enum",
    healthCheckNodePort: "port",
    internalTrafficPolicy: "enum",
    trafficDistribution: "enum=PreferClose,PreferSameZone,PreferSameNode",
  },
  "core/v1.Taint": {
    key: "always=format=qualifiedName",
    value: "format=labelValue",
    effect: ["required", "enum=NoSchedule,PreferNoSchedule,NoExecute"],
  },
  "discovery/v1.Endpoint": {
    nodeName: "format=subdomain",
    hostname: "format=label",
    hints: "fields",
  },
  "discovery/v1.EndpointHints": { forZones: ["fields", "uniqueBy=name"] },
  "discovery/v1.EndpointPort": {
    name: "nonZero=format=label",
    protocol: "enum",
    appProtocol: "format=qualifiedName",
  },
  "discovery/v1.EndpointSlice": {
    ports: ["uniqueBy=name", "fields"],
  },
  "discovery/v1.ForZone": { name: "always=format=labelValue" },
  "events/v1.EventSeries": { lastObservedTime: "required" },
  "meta/v1.Condition": {
    status: "enum=False,True,Unknown",
    ...each("required", "lastTransitionTime reason"),
  },
  "networking/v1.IngressClassParametersReference": {
    apiGroup: "format=subdomain",
    ...each("format=pathSegment", "kind name"),
    scope: "enum=Cluster,Namespace",
  },
  "networking/v1.IngressServiceBackend": { name: ["required", "format=label"] },
  "networking/v1.IPAddressSpec": { parentRef: "fields" },
  "networking/v1.IngressSpec": { ingressClassName: "format=subdomain" },
  "networking/v1.IngressTLS": { secretName: "format=subdomain" },
  "networking/v1.NetworkPolicyPeer": each("selector", "podSelector namespaceSelector"),
  "networking/v1.NetworkPolicyPort": { protocol: "enum=TCP,UDP,SCTP" },
  "networking/v1.NetworkPolicySpec": {
    podSelector: "selector",
    policyTypes: "enum=Ingress,Egress",
  },
  "networking/v1.ParentReference": {
    group: "format=subdomain",
    ...each("format=pathSegment", "resource name namespace"),
  },
  "node/v1.Scheduling": { nodeSelector: "labels" },
  "policy/v1.PodDisruptionBudgetSpec": {
    ...each("countOrPercent=100", "minAvailable maxUnavailable"),
    selector: "selector",
    unhealthyPodEvictionPolicy: "enum",
  },
  "policy/v1.PodDisruptionBudgetStatus": {
    ...notNegative("disruptionsAllowed currentHealthy desiredHealthy expectedPods"),
    conditions: "fields",
  },
  "scheduling/v1.PriorityClass": {
    preemptionPolicy: ["notEmpty", "nonZero=enum=PreemptLowerPriority,Never"],
  },
  "storage/v1.CSIDriverSpec": {
    fsGroupPolicy: "enum=File,None,ReadWriteOnceWithFSType",
    tokenRequests: "uniqueBy=audience",
  },
  "storage/v1.StorageClass": {
    reclaimPolicy: "nonZero=enum=Delete,Retain",
    volumeBindingMode: "enum",
  },
};
