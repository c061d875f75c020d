import type { ApiObject } from "../../objects/api-object.js";
import { specOf } from "../../objects/parts.js";
import type { ServedResource } from "../../resources/served-resource.js";

/** A kind whose objects this server stores but does not act on. */
export interface IdleKind {
  /** Plural name and group, such as `flowschemas.flowcontrol.apiserver.k8s.io`. */
  readonly resource: string;
  /** Reason why its objects have no effect, to follow "this embedded API server". */
  readonly why: string;
  /** Text for the documentation that describes which objects have no effect. Default: all. */
  readonly note?: string;
  /** Returns true for objects without effect. Default: all. */
  readonly only?: (object: ApiObject) => boolean;
}

const admission = "admissionregistration.k8s.io";
const flowControl = "flowcontrol.apiserver.k8s.io";
const noPolicies = "does not evaluate admission policies";
const noFlowControl = "handles all requests at once and queues none";
const noWebhooks = "does not call admission webhooks";
const noBinding = "does not bind or provision volumes";

/**
 * Kinds that configure control plane components which this server lacks. Add-ons, such as an ingress controller or a
 * network plugin, are not listed: a plain cluster lacks them too.
 */
export const idleKinds: readonly IdleKind[] = [
  {
    resource: "horizontalpodautoscalers.autoscaling",
    why: "has no metrics and runs no autoscaler",
  },
  { resource: `flowschemas.${flowControl}`, why: noFlowControl },
  { resource: `prioritylevelconfigurations.${flowControl}`, why: noFlowControl },
  {
    resource: "apiservices.apiregistration.k8s.io",
    why: "does not forward requests to other servers",
    note: "with a Service",
    only: (object) => typeof specOf(object)["service"] === "object",
  },
  { resource: `validatingwebhookconfigurations.${admission}`, why: noWebhooks },
  { resource: `mutatingwebhookconfigurations.${admission}`, why: noWebhooks },
  { resource: `validatingadmissionpolicies.${admission}`, why: noPolicies },
  { resource: `validatingadmissionpolicybindings.${admission}`, why: noPolicies },
  { resource: `mutatingadmissionpolicies.${admission}`, why: noPolicies },
  { resource: `mutatingadmissionpolicybindings.${admission}`, why: noPolicies },
  {
    resource: "secrets",
    why: "does not fill Secrets with tokens (request one of the ServiceAccount instead)",
    note: "of type `kubernetes.io/service-account-token`",
    only: (object) => object["type"] === "kubernetes.io/service-account-token",
  },
  {
    resource: "certificatesigningrequests.certificates.k8s.io",
    why: "has no signers and issues no certificates",
  },
  {
    resource: "podcertificaterequests.certificates.k8s.io",
    why: "has no signers and issues no certificates",
  },
  { resource: "persistentvolumeclaims", why: noBinding },
  { resource: "persistentvolumes", why: noBinding },
  { resource: "volumeattachments.storage.k8s.io", why: "does not attach volumes" },
  { resource: "resourceclaims.resource.k8s.io", why: "does not allocate devices" },
  {
    resource: "servicecidrs.networking.k8s.io",
    why: "gives Services addresses of 10.0.0.0/24 only",
  },
  {
    resource: "storageversionmigrations.storagemigration.k8s.io",
    why: "has nothing to migrate",
  },
];

const byResource = new Map(idleKinds.map((one) => [one.resource, one]));
const subject = "this embedded API server";

/** Returns a warning about a new object that this server stores but does not act on. */
export function idleKindWarnings(
  { groupResource, rules, kind }: ServedResource,
  object: ApiObject,
): string[] {
  const found = rules.custom ? undefined : byResource.get(groupResource);
  return found !== undefined && found.only?.(object) !== false
    ? [`${subject} ${found.why}: the ${kind} has no effect`]
    : [];
}

/** Returns true for such a warning. Real servers have none, so comparisons exclude them. */
export function isIdleKindWarning(text: string): boolean {
  return idleKinds.some(({ why }) => text.startsWith(`${subject} ${why}: `));
}
