import type { ResourceDescriptor } from "@typekube/api";
import type { DefinedVersion } from "./definition.js";
import type { TableColumn } from "./table-column.js";

/** A served resource: its descriptor, and how the server handles it. */
export interface ServedResource {
  readonly descriptor: ResourceDescriptor;
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /** Plural name and group, such as `deployments.apps`; only the name in the core group. Keys of rules. */
  readonly groupResource: string;
  /** Storage name of its objects. All versions of a resource share one, and so do both groups of Events. */
  readonly storage: string;
  readonly hasStatus: boolean;
  readonly rules: ResourceRules;
  /** The version of its definition; absent for built-in kinds and for kinds served without a definition. */
  readonly defined?: DefinedVersion | undefined;
  /** Columns of tables; absent for the server's default. */
  readonly columns?: readonly TableColumn[] | undefined;
}

/** Behaviour of real servers that differs between kinds. */
export interface ResourceRules {
  /** `true` for kinds that are not part of Kubernetes. */
  readonly custom: boolean;
  /** `true` when `metadata.generation` counts changes of the desired state. */
  readonly generation: boolean;
  /** `true` when changed annotations also increase the generation. */
  readonly generationOnAnnotations: boolean;
  /** `true` when PUT of a missing object creates it. */
  readonly createOnUpdate: boolean;
  /** `true` when PUT without a resourceVersion overwrites. */
  readonly unconditionalUpdate: boolean;
  /** `true` when a delete returns the object instead of a Status. */
  readonly returnDeleted: boolean;
  /** `true` when the status given on create is kept. */
  readonly statusOnCreate: boolean;
  /** Metadata that a write through `status` may change. */
  readonly statusMetadata: "all" | "none" | "withoutLabels" | "withoutOwners";
  /** Validation rule for names. */
  readonly names: "address" | "label" | "path" | "service" | "subdomain";
}

const lists = {
  generation: new Set([
    "pods",
    "replicationcontrollers",
    "podtemplates",
    "daemonsets.apps",
    "deployments.apps",
    "replicasets.apps",
    "statefulsets.apps",
    "horizontalpodautoscalers.autoscaling",
    "cronjobs.batch",
    "jobs.batch",
    "poddisruptionbudgets.policy",
    "ingresses.networking.k8s.io",
    "ingressclasses.networking.k8s.io",
    "networkpolicies.networking.k8s.io",
    "endpointslices.discovery.k8s.io",
    "flowschemas.flowcontrol.apiserver.k8s.io",
    "prioritylevelconfigurations.flowcontrol.apiserver.k8s.io",
    "customresourcedefinitions.apiextensions.k8s.io",
    "mutatingwebhookconfigurations.admissionregistration.k8s.io",
    "validatingwebhookconfigurations.admissionregistration.k8s.io",
    "validatingadmissionpolicies.admissionregistration.k8s.io",
    "validatingadmissionpolicybindings.admissionregistration.k8s.io",
    "mutatingadmissionpolicies.admissionregistration.k8s.io",
    "mutatingadmissionpolicybindings.admissionregistration.k8s.io",
    "priorityclasses.scheduling.k8s.io",
    "deviceclasses.resource.k8s.io",
    "resourceslices.resource.k8s.io",
  ]),
  createOnUpdate: new Set([
    "endpoints",
    "events",
    "limitranges",
    "services",
    "events.events.k8s.io",
    "leases.coordination.k8s.io",
    "clusterroles.rbac.authorization.k8s.io",
    "clusterrolebindings.rbac.authorization.k8s.io",
    "roles.rbac.authorization.k8s.io",
    "rolebindings.rbac.authorization.k8s.io",
  ]),
  conditionalUpdate: new Set([
    "leases.coordination.k8s.io",
    "poddisruptionbudgets.policy",
    "csinodes.storage.k8s.io",
    "csidrivers.storage.k8s.io",
    "runtimeclasses.node.k8s.io",
    "flowschemas.flowcontrol.apiserver.k8s.io",
    "prioritylevelconfigurations.flowcontrol.apiserver.k8s.io",
    "customresourcedefinitions.apiextensions.k8s.io",
    "mutatingwebhookconfigurations.admissionregistration.k8s.io",
    "validatingwebhookconfigurations.admissionregistration.k8s.io",
    "validatingadmissionpolicies.admissionregistration.k8s.io",
    "validatingadmissionpolicybindings.admissionregistration.k8s.io",
  ]),
  returnDeleted: new Set([
    "pods",
    "podtemplates",
    "persistentvolumes",
    "persistentvolumeclaims",
    "resourcequotas",
    "serviceaccounts",
    "services",
    "deviceclasses.resource.k8s.io",
    "resourceclaims.resource.k8s.io",
    "resourceclaimtemplates.resource.k8s.io",
    "resourceslices.resource.k8s.io",
    "csidrivers.storage.k8s.io",
    "csinodes.storage.k8s.io",
    "storageclasses.storage.k8s.io",
    "volumeattachments.storage.k8s.io",
    "volumeattributesclasses.storage.k8s.io",
  ]),
  statusOnCreate: new Set(["nodes", "apiservices.apiregistration.k8s.io"]),
};

const statusMetadata: Readonly<Record<string, ResourceRules["statusMetadata"]>> = {
  "apiservices.apiregistration.k8s.io": "none",
  "deployments.apps": "withoutLabels",
  "flowschemas.flowcontrol.apiserver.k8s.io": "none",
  pods: "withoutOwners",
  "prioritylevelconfigurations.flowcontrol.apiserver.k8s.io": "none",
  "resourceclaims.resource.k8s.io": "none",
  "servicecidrs.networking.k8s.io": "none",
  "validatingadmissionpolicies.admissionregistration.k8s.io": "none",
  "volumeattachments.storage.k8s.io": "none",
};

/** Returns whether a resource only supports operations by POST, without stored objects. */
export function isVirtual({ resource }: { readonly resource: ServedResource }): boolean {
  return resource.descriptor.verbs.every((verb) => verb === "create");
}

/** Returns a served resource for a descriptor, with the rules of its kind. */
export function servedResource(descriptor: ResourceDescriptor, custom: boolean): ServedResource {
  const { group, version, plural, kind } = descriptor;
  const groupResource = group === "" ? plural : `${plural}.${group}`;
  return {
    descriptor,
    group,
    version,
    plural,
    kind,
    namespaced: descriptor.scope === "Namespaced",
    groupResource,
    storage: groupResource === "events.events.k8s.io" ? "events" : groupResource,
    hasStatus: Object.hasOwn(descriptor.subresources, "status"),
    rules: {
      custom,
      generation: custom || lists.generation.has(groupResource),
      generationOnAnnotations: groupResource === "deployments.apps",
      createOnUpdate: lists.createOnUpdate.has(groupResource),
      unconditionalUpdate: !custom && !lists.conditionalUpdate.has(groupResource),
      returnDeleted: lists.returnDeleted.has(groupResource),
      statusOnCreate: lists.statusOnCreate.has(groupResource),
      statusMetadata: custom ? "none" : (statusMetadata[groupResource] ?? "all"),
      names: namesOf(groupResource, group),
    },
  };
}

function namesOf(groupResource: string, group: string): ResourceRules["names"] {
  if (groupResource === "namespaces" || groupResource === "statefulsets.apps") {
    return "label";
  }
  if (groupResource === "ipaddresses.networking.k8s.io") {
    return "address";
  }
  if (groupResource === "services") {
    return "service";
  }
  // Names in the core group's Events are validated less strictly than those of events.k8s.io.
  const isOldEvent = groupResource === "events";
  return isOldEvent || group === "rbac.authorization.k8s.io" ? "path" : "subdomain";
}
