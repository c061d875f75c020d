import type { Removal } from "./removal.js";
import { removedIn116 } from "./removed-in-1-16.js";

const capacity =
  "spec.limited.nominalConcurrencyShares is 30 only when absent: an explicit 0 stays 0";
const shares = "spec.limited.assuredConcurrencyShares is spec.limited.nominalConcurrencyShares";
const utilization =
  "targetAverageUtilization is target.averageUtilization with target.type Utilization";

/**
 * Removals of served group-versions in 1.16 and later:
 * https://kubernetes.io/docs/reference/using-api/deprecation-guide/. The Go types still name most of them. This list
 * adds the kinds that the Go types dropped, the replacements and the required changes.
 */
export const removedKinds: readonly Removal[] = [
  {
    apiVersion: "flowcontrol.apiserver.k8s.io/v1beta3",
    kinds: ["FlowSchema", "PriorityLevelConfiguration"],
    removed: "1.32",
    use: "flowcontrol.apiserver.k8s.io/v1",
    since: "1.29",
    changes: [capacity],
  },
  {
    apiVersion: "flowcontrol.apiserver.k8s.io/v1beta2",
    kinds: ["FlowSchema", "PriorityLevelConfiguration"],
    removed: "1.29",
    use: "flowcontrol.apiserver.k8s.io/v1",
    since: "1.29",
    changes: [shares, capacity],
  },
  {
    apiVersion: "flowcontrol.apiserver.k8s.io/v1beta1",
    kinds: ["FlowSchema", "PriorityLevelConfiguration"],
    removed: "1.26",
    use: "flowcontrol.apiserver.k8s.io/v1",
    since: "1.29",
    changes: [shares, capacity],
  },
  {
    apiVersion: "storage.k8s.io/v1beta1",
    kinds: ["CSIStorageCapacity"],
    removed: "1.27",
    use: "storage.k8s.io/v1",
    since: "1.24",
  },
  {
    apiVersion: "autoscaling/v2beta2",
    kinds: ["HorizontalPodAutoscaler"],
    removed: "1.26",
    use: "autoscaling/v2",
    since: "1.23",
    changes: [utilization],
  },
  {
    apiVersion: "autoscaling/v2beta1",
    kinds: ["HorizontalPodAutoscaler"],
    removed: "1.25",
    use: "autoscaling/v2",
    since: "1.23",
    changes: [utilization],
  },
  {
    apiVersion: "batch/v1beta1",
    kinds: ["CronJob"],
    removed: "1.25",
    use: "batch/v1",
    since: "1.21",
  },
  {
    apiVersion: "discovery.k8s.io/v1beta1",
    kinds: ["EndpointSlice"],
    removed: "1.25",
    use: "discovery.k8s.io/v1",
    since: "1.21",
    changes: [
      'endpoints[*].topology["kubernetes.io/hostname"] is nodeName',
      'endpoints[*].topology["topology.kubernetes.io/zone"] is zone',
      "the rest of topology is deprecatedTopology, which cannot be written",
    ],
  },
  {
    apiVersion: "events.k8s.io/v1beta1",
    kinds: ["Event"],
    removed: "1.25",
    use: "events.k8s.io/v1",
    since: "1.19",
    changes: [
      "type is Normal or Warning",
      "involvedObject is regarding",
      "action, reason, reportingController and reportingInstance are required in new events",
      "firstTimestamp is eventTime; deprecatedFirstTimestamp is rejected in new events",
      "lastTimestamp is series.lastObservedTime and count is series.count",
      "source.component is reportingController and source.host is reportingInstance",
    ],
  },
  {
    apiVersion: "policy/v1beta1",
    kinds: ["PodDisruptionBudget"],
    removed: "1.25",
    use: "policy/v1",
    since: "1.21",
    changes: ["an empty spec.selector selects every pod of the namespace, none before"],
  },
  {
    apiVersion: "policy/v1beta1",
    kinds: ["PodSecurityPolicy"],
    removed: "1.25",
    changes: ["use Pod Security Admission or a webhook"],
  },
  {
    apiVersion: "node.k8s.io/v1beta1",
    kinds: ["RuntimeClass"],
    removed: "1.25",
    use: "node.k8s.io/v1",
    since: "1.20",
  },
  {
    apiVersion: "admissionregistration.k8s.io/v1beta1",
    kinds: ["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"],
    removed: "1.22",
    use: "admissionregistration.k8s.io/v1",
    since: "1.16",
    changes: [
      "webhooks[*].failurePolicy is Fail by default, Ignore before",
      "webhooks[*].matchPolicy is Equivalent by default, Exact before",
      "webhooks[*].timeoutSeconds is 10 by default, 30 before",
      "webhooks[*].sideEffects is required, None or NoneOnDryRun",
      "webhooks[*].admissionReviewVersions is required",
      "webhooks[*].name is unique in the list",
    ],
  },
  {
    apiVersion: "apiextensions.k8s.io/v1beta1",
    kinds: ["CustomResourceDefinition"],
    removed: "1.22",
    use: "apiextensions.k8s.io/v1",
    since: "1.16",
    changes: [
      "spec.scope has no default",
      "spec.version is spec.versions",
      "spec.validation, spec.subresources and spec.additionalPrinterColumns are in spec.versions[*]: schema, subresources, additionalPrinterColumns",
      "spec.conversion.webhookClientConfig is spec.conversion.webhook.clientConfig",
      "spec.conversion.conversionReviewVersions is spec.conversion.webhook.conversionReviewVersions",
      "a structural openAPIV3Schema is required in new definitions",
      "spec.preserveUnknownFields: true is rejected; use x-kubernetes-preserve-unknown-fields",
      "JSONPath of a printer column is jsonPath",
    ],
  },
  {
    apiVersion: "apiregistration.k8s.io/v1beta1",
    kinds: ["APIService"],
    removed: "1.22",
    use: "apiregistration.k8s.io/v1",
    since: "1.10",
  },
  {
    apiVersion: "authentication.k8s.io/v1beta1",
    kinds: ["TokenReview"],
    removed: "1.22",
    use: "authentication.k8s.io/v1",
    since: "1.6",
  },
  {
    apiVersion: "authorization.k8s.io/v1beta1",
    kinds: [
      "LocalSubjectAccessReview",
      "SelfSubjectAccessReview",
      "SubjectAccessReview",
      "SelfSubjectRulesReview",
    ],
    removed: "1.22",
    use: "authorization.k8s.io/v1",
    since: "1.6",
    changes: ["spec.group is spec.groups"],
  },
  {
    apiVersion: "certificates.k8s.io/v1beta1",
    kinds: ["CertificateSigningRequest"],
    removed: "1.22",
    use: "certificates.k8s.io/v1",
    since: "1.19",
    changes: [
      "spec.signerName is required; kubernetes.io/legacy-unknown is rejected",
      "spec.usages is required, known values only, each once",
      "status.conditions have each type once, and their status is required",
      "status.certificate is PEM with CERTIFICATE blocks only",
    ],
  },
  {
    apiVersion: "coordination.k8s.io/v1beta1",
    kinds: ["Lease"],
    removed: "1.22",
    use: "coordination.k8s.io/v1",
    since: "1.14",
  },
  ...["extensions/v1beta1", "networking.k8s.io/v1beta1"].map((apiVersion) => ({
    apiVersion,
    kinds: ["Ingress"],
    removed: "1.22",
    use: "networking.k8s.io/v1",
    since: "1.19",
    changes: [
      "spec.backend is spec.defaultBackend",
      "serviceName of a backend is service.name",
      "servicePort of a backend is service.port.number, or service.port.name for a name",
      "pathType is required; ImplementationSpecific keeps the old behaviour",
    ],
  })),
  {
    apiVersion: "networking.k8s.io/v1beta1",
    kinds: ["IngressClass"],
    removed: "1.22",
    use: "networking.k8s.io/v1",
    since: "1.19",
  },
  {
    apiVersion: "rbac.authorization.k8s.io/v1beta1",
    kinds: ["ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding"],
    removed: "1.22",
    use: "rbac.authorization.k8s.io/v1",
    since: "1.8",
  },
  {
    apiVersion: "scheduling.k8s.io/v1beta1",
    kinds: ["PriorityClass"],
    removed: "1.22",
    use: "scheduling.k8s.io/v1",
    since: "1.14",
  },
  {
    apiVersion: "storage.k8s.io/v1beta1",
    kinds: ["CSIDriver", "CSINode", "StorageClass", "VolumeAttachment"],
    removed: "1.22",
    use: "storage.k8s.io/v1",
    since: { CSIDriver: "1.19", CSINode: "1.17", StorageClass: "1.6", VolumeAttachment: "1.13" },
  },
  ...removedIn116,
];
