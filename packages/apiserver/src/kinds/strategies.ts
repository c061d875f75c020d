import type { KindStrategy } from "../resources/kind-strategy.js";
import { mutatingAdmissionPolicyStrategy } from "./admissionregistration/mutating-admission-policy.js";
import { mutatingAdmissionPolicyBindingStrategy } from "./admissionregistration/mutating-admission-policy-binding.js";
import { mutatingWebhookConfigurationStrategy } from "./admissionregistration/mutating-webhook-configuration.js";
import { validatingAdmissionPolicyStrategy } from "./admissionregistration/validating-admission-policy.js";
import { validatingAdmissionPolicyBindingStrategy } from "./admissionregistration/validating-admission-policy-binding.js";
import { validatingWebhookConfigurationStrategy } from "./admissionregistration/validating-webhook-configuration.js";
import { customResourceDefinitionStrategy } from "./apiextensions/custom-resource-definition.js";
import { apiServiceStrategy } from "./apiregistration/api-service.js";
import { controllerRevisionStrategy } from "./apps/controller-revision.js";
import { daemonSetStrategy } from "./apps/daemon-set.js";
import { deploymentStrategy } from "./apps/deployment.js";
import { replicaSetStrategy } from "./apps/replica-set.js";
import { statefulSetStrategy } from "./apps/stateful-set.js";
import { horizontalPodAutoscalerStrategy } from "./autoscaling/horizontal-pod-autoscaler.js";
import { cronJobStrategy } from "./batch/cron-job.js";
import { jobStrategy } from "./batch/job.js";
import { certificateSigningRequestStrategy } from "./certificates/certificate-signing-request.js";
import { clusterTrustBundleStrategy } from "./certificates/cluster-trust-bundle.js";
import { podCertificateRequestStrategy } from "./certificates/pod-certificate-request.js";
import { leaseStrategy } from "./coordination/lease.js";
import { leaseCandidateStrategy } from "./coordination/lease-candidate.js";
import { componentStatusStrategy } from "./core/component-status.js";
import { configMapStrategy } from "./core/config-map.js";
import { endpointsStrategy } from "./core/endpoints.js";
import { eventStrategy } from "./core/event.js";
import { limitRangeStrategy } from "./core/limit-range.js";
import { namespaceStrategy } from "./core/namespace.js";
import { nodeStrategy } from "./core/node.js";
import { persistentVolumeStrategy } from "./core/persistent-volume.js";
import { persistentVolumeClaimStrategy } from "./core/persistent-volume-claim.js";
import { podStrategy } from "./core/pod.js";
import { podTemplateStrategy } from "./core/pod-template.js";
import { replicationControllerStrategy } from "./core/replication-controller.js";
import { resourceQuotaStrategy } from "./core/resource-quota.js";
import { secretStrategy } from "./core/secret.js";
import { serviceStrategy } from "./core/service.js";
import { serviceAccountStrategy } from "./core/service-account.js";
import { endpointSliceStrategy } from "./discovery/endpoint-slice.js";
import { newEventStrategy } from "./events/event.js";
import { flowSchemaStrategy } from "./flowcontrol/flow-schema.js";
import { priorityLevelConfigurationStrategy } from "./flowcontrol/priority-level-configuration.js";
import { ingressStrategy } from "./networking/ingress.js";
import { ingressClassStrategy } from "./networking/ingress-class.js";
import { ipAddressStrategy } from "./networking/ip-address.js";
import { networkPolicyStrategy } from "./networking/network-policy.js";
import { serviceCidrStrategy } from "./networking/service-cidr.js";
import { runtimeClassStrategy } from "./node/runtime-class.js";
import { podDisruptionBudgetStrategy } from "./policy/pod-disruption-budget.js";
import { clusterRoleStrategy } from "./rbac/cluster-role.js";
import { clusterRoleBindingStrategy } from "./rbac/cluster-role-binding.js";
import { roleStrategy } from "./rbac/role.js";
import { roleBindingStrategy } from "./rbac/role-binding.js";
import { deviceClassStrategy } from "./resource/device-class.js";
import { deviceTaintRuleStrategy } from "./resource/device-taint-rule.js";
import { resourceClaimStrategy } from "./resource/resource-claim.js";
import { resourceClaimTemplateStrategy } from "./resource/resource-claim-template.js";
import { resourceSliceStrategy } from "./resource/resource-slice.js";
import { compositePodGroupStrategy } from "./scheduling/composite-pod-group.js";
import { podGroupStrategy } from "./scheduling/pod-group.js";
import { priorityClassStrategy } from "./scheduling/priority-class.js";
import { csiDriverStrategy } from "./storage/csi-driver.js";
import { csiNodeStrategy } from "./storage/csi-node.js";
import { csiStorageCapacityStrategy } from "./storage/csi-storage-capacity.js";
import { storageClassStrategy } from "./storage/storage-class.js";
import { volumeAttachmentStrategy } from "./storage/volume-attachment.js";
import { volumeAttributesClassStrategy } from "./storage/volume-attributes-class.js";
import { storageVersionMigrationStrategy } from "./storagemigration/storage-version-migration.js";

/** Strategies of built-in kinds by plural name and group. Kinds not listed have no rules of their own. */
export const strategies: ReadonlyMap<string, KindStrategy> = new Map(
  Object.entries({
    componentstatuses: componentStatusStrategy,
    configmaps: configMapStrategy,
    endpoints: endpointsStrategy,
    events: eventStrategy,
    limitranges: limitRangeStrategy,
    namespaces: namespaceStrategy,
    nodes: nodeStrategy,
    persistentvolumeclaims: persistentVolumeClaimStrategy,
    persistentvolumes: persistentVolumeStrategy,
    pods: podStrategy,
    podtemplates: podTemplateStrategy,
    replicationcontrollers: replicationControllerStrategy,
    resourcequotas: resourceQuotaStrategy,
    secrets: secretStrategy,
    serviceaccounts: serviceAccountStrategy,
    services: serviceStrategy,
    "apiservices.apiregistration.k8s.io": apiServiceStrategy,
    "controllerrevisions.apps": controllerRevisionStrategy,
    "daemonsets.apps": daemonSetStrategy,
    "deployments.apps": deploymentStrategy,
    "replicasets.apps": replicaSetStrategy,
    "statefulsets.apps": statefulSetStrategy,
    "events.events.k8s.io": newEventStrategy,
    "horizontalpodautoscalers.autoscaling": horizontalPodAutoscalerStrategy,
    "cronjobs.batch": cronJobStrategy,
    "jobs.batch": jobStrategy,
    "certificatesigningrequests.certificates.k8s.io": certificateSigningRequestStrategy,
    "clustertrustbundles.certificates.k8s.io": clusterTrustBundleStrategy,
    "podcertificaterequests.certificates.k8s.io": podCertificateRequestStrategy,
    "ingressclasses.networking.k8s.io": ingressClassStrategy,
    "ingresses.networking.k8s.io": ingressStrategy,
    "ipaddresses.networking.k8s.io": ipAddressStrategy,
    "networkpolicies.networking.k8s.io": networkPolicyStrategy,
    "servicecidrs.networking.k8s.io": serviceCidrStrategy,
    "poddisruptionbudgets.policy": podDisruptionBudgetStrategy,
    "clusterrolebindings.rbac.authorization.k8s.io": clusterRoleBindingStrategy,
    "clusterroles.rbac.authorization.k8s.io": clusterRoleStrategy,
    "rolebindings.rbac.authorization.k8s.io": roleBindingStrategy,
    "roles.rbac.authorization.k8s.io": roleStrategy,
    "csidrivers.storage.k8s.io": csiDriverStrategy,
    "csinodes.storage.k8s.io": csiNodeStrategy,
    "csistoragecapacities.storage.k8s.io": csiStorageCapacityStrategy,
    "storageclasses.storage.k8s.io": storageClassStrategy,
    "volumeattachments.storage.k8s.io": volumeAttachmentStrategy,
    "volumeattributesclasses.storage.k8s.io": volumeAttributesClassStrategy,
    "mutatingadmissionpolicies.admissionregistration.k8s.io": mutatingAdmissionPolicyStrategy,
    "mutatingadmissionpolicybindings.admissionregistration.k8s.io":
      mutatingAdmissionPolicyBindingStrategy,
    "mutatingwebhookconfigurations.admissionregistration.k8s.io":
      mutatingWebhookConfigurationStrategy,
    "validatingadmissionpolicies.admissionregistration.k8s.io": validatingAdmissionPolicyStrategy,
    "validatingadmissionpolicybindings.admissionregistration.k8s.io":
      validatingAdmissionPolicyBindingStrategy,
    "validatingwebhookconfigurations.admissionregistration.k8s.io":
      validatingWebhookConfigurationStrategy,
    "priorityclasses.scheduling.k8s.io": priorityClassStrategy,
    "leases.coordination.k8s.io": leaseStrategy,
    "runtimeclasses.node.k8s.io": runtimeClassStrategy,
    "endpointslices.discovery.k8s.io": endpointSliceStrategy,
    "deviceclasses.resource.k8s.io": deviceClassStrategy,
    "devicetaintrules.resource.k8s.io": deviceTaintRuleStrategy,
    "resourceclaims.resource.k8s.io": resourceClaimStrategy,
    "resourceclaimtemplates.resource.k8s.io": resourceClaimTemplateStrategy,
    "resourceslices.resource.k8s.io": resourceSliceStrategy,
    "flowschemas.flowcontrol.apiserver.k8s.io": flowSchemaStrategy,
    "prioritylevelconfigurations.flowcontrol.apiserver.k8s.io": priorityLevelConfigurationStrategy,
    "storageversionmigrations.storagemigration.k8s.io": storageVersionMigrationStrategy,
    "customresourcedefinitions.apiextensions.k8s.io": customResourceDefinitionStrategy,
    "leasecandidates.coordination.k8s.io": leaseCandidateStrategy,
    "podgroups.scheduling.k8s.io": podGroupStrategy,
    "compositepodgroups.scheduling.k8s.io": compositePodGroupStrategy,
  } satisfies Readonly<Record<string, KindStrategy>>),
);
