import { each, type RuleTable } from "./row.js";

/** Rules of pod specs (`pkg/apis/core/validation/validation.go`, `ValidatePodSpec`). */
export const podRules: RuleTable = {
  "core/v1.AppArmorProfile": {
    type: ["required=type is required when appArmorProfile is set", "enum"],
  },
  "core/v1.ConfigMapEnvSource": { name: ["required", "format=subdomain"] },
  "core/v1.ConfigMapKeySelector": {
    name: "always=format=subdomain",
    key: ["required", "format=dataKey"],
  },
  "core/v1.Container": {
    name: ["required", "format=label"],
    image: "required",
    terminationMessagePolicy: "enum=File,FallbackToLogsOnError",
    imagePullPolicy: "enum",
    restartPolicy: "enum=Always,Never,OnFailure",
  },
  "core/v1.ContainerPort": {
    containerPort: ["required", "port"],
    hostPort: "port",
    protocol: "enum",
  },
  "core/v1.EnvFromSource": each("fields", "configMapRef secretRef"),
  "core/v1.EnvVar": { name: ["required", "format=variableName"] },
  "core/v1.GRPCAction": { port: "always=port" },
  "core/v1.HostAlias": { ip: "always=format=ip", hostnames: "eachVal=format=subdomain" },
  "core/v1.HTTPGetAction": {
    path: "required",
    port: "always=portOrName",
    scheme: "enum",
  },
  "core/v1.PodAffinityTerm": {
    ...each("selector", "labelSelector namespaceSelector"),
    topologyKey: ["required=can not be empty", "always=format=qualifiedName"],
  },
  "core/v1.PodDNSConfig": { nameservers: "eachVal=format=ip" },
  "core/v1.PodReadinessGate": { conditionType: "always=format=qualifiedName" },
  "core/v1.PodResourceClaim": {
    name: ["required", "format=label"],
    ...each("format=subdomain", "resourceClaimName resourceClaimTemplateName"),
  },
  "core/v1.PodSecurityContext": {
    ...each("range=0", "fsGroup runAsUser runAsGroup"),
    supplementalGroups: "eachVal=range=0",
    sysctls: ["fields", "uniqueBy=name"],
    ...each("enum", "fsGroupChangePolicy supplementalGroupsPolicy"),
    seLinuxChangePolicy: "enum=MountOption,Recursive",
  },
  "core/v1.PodSpec": {
    restartPolicy: "enum=Always,OnFailure,Never",
    dnsPolicy: "enum=ClusterFirstWithHostNet,ClusterFirst,Default,None",
    nodeSelector: "labels",
    readinessGates: "fields",
    ...each("format=subdomain", "serviceAccountName nodeName"),
    activeDeadlineSeconds: "range=1",
    ...each("format=label", "hostname subdomain"),
    hostAliases: "fields",
  },
  "core/v1.Probe": each(
    "minimum=0",
    "initialDelaySeconds timeoutSeconds periodSeconds successThreshold failureThreshold",
  ),
  "core/v1.ResourceClaim": { request: "format=label" },
  "core/v1.SeccompProfile": {
    type: ["required=type is required when seccompProfile is set", "enum"],
  },
  "core/v1.SecretEnvSource": { name: ["required", "format=subdomain"] },
  "core/v1.SecretKeySelector": {
    name: "always=format=subdomain",
    key: ["required", "format=dataKey"],
  },
  "core/v1.SecurityContext": {
    ...each("range=0", "runAsUser runAsGroup"),
    procMount: "enum",
  },
  "core/v1.Sysctl": { name: ["required", "format=sysctl"] },
  "core/v1.TCPSocketAction": { port: "always=portOrName" },
  "core/v1.Toleration": {
    key: "format=qualifiedName",
    operator: "enum=Equal,Exists",
    effect: "enum=NoSchedule,PreferNoSchedule,NoExecute",
  },
  "core/v1.TopologySpreadConstraint": {
    topologyKey: "required=can not be empty",
    whenUnsatisfiable: "always=enum",
    ...each("enum", "nodeAffinityPolicy nodeTaintsPolicy"),
    labelSelector: "selector",
  },
  "core/v1.VolumeDevice": { name: "required", devicePath: "required" },
  "core/v1.VolumeMount": {
    ...each("required", "name mountPath"),
    ...each("relativePath", "subPath subPathExpr"),
    mountPropagation: "enum",
    recursiveReadOnly: "enum=Disabled,Enabled,IfPossible",
  },
};
