import type { Write } from "../../context/write.js";
import { forbidden, invalid } from "../../errors/status-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { type JsonObject, jsonEqual } from "../../objects/json-value.js";
import { objectsOf, specOf } from "../../objects/parts.js";
import { minorOf } from "../../resources/feature-gates.js";
import type { ServedResource } from "../../resources/served-resource.js";
import { detailed, evaluatePod } from "./evaluate-pod.js";
import { existingPodWarnings } from "./existing-pods.js";
import { podView } from "./pod-check.js";
import { templateOf } from "./pod-specs.js";
import { type LevelVersion, readPolicy, showLevel } from "./policy.js";

/** Minor release since which Pod Security labels are enforced by default. */
const firstMinor = 23;

/** Subresources through which a pod's spec can change. */
const podSubresources = ["", "ephemeralcontainers", "resize"];

/**
 * Enforces the Pod Security labels of a namespace on pods, and warns of workloads whose pods would violate them, like
 * the admission plugin PodSecurity. Audit levels have no effect: there is no audit log.
 *
 * @throws {StatusError} 403 for a pod that violates the enforced level.
 */
export function admitPodSecurity(
  { server, request, warnings }: Write,
  object: ApiObject,
  before: ApiObject | undefined,
): void {
  const { resource, subresource, namespace } = request;
  const { storage } = resource;
  const ownMinor = minorOf(server.version);
  if (resource.rules.custom || ownMinor < firstMinor) {
    return;
  }
  if (storage === "namespaces" && subresource === "") {
    assertValidLabels(resource, object, before);
    warnings.push(...existingPodWarnings(server, object, before));
    return;
  }
  const isPod = storage === "pods";
  if (isPod ? !podSubresources.includes(subresource) : subresource !== "") {
    return;
  }
  const labels = server.store.collection("namespaces").get(namespace)?.metadata.labels;
  const { policy } = readPolicy(labels);
  if (policy.warn.level === "privileged" && (!isPod || policy.enforce.level === "privileged")) {
    return;
  }
  const pod = isPod ? podView(object.metadata, specOf(object)) : templateOf(storage, object);
  if (pod === undefined || (isPod && before !== undefined && !changesImages(object, before))) {
    return;
  }
  const violations = (policyLevel: LevelVersion) => {
    const found = evaluatePod(pod, policyLevel, ownMinor);
    return found.length === 0
      ? undefined
      : `violate PodSecurity ${JSON.stringify(showLevel(policyLevel))}: ${detailed(found)}`;
  };
  const enforced = isPod ? violations(policy.enforce) : undefined;
  if (enforced !== undefined) {
    const why = enforced.replace("violate", "violates");
    throw forbidden(resource, object.metadata.name ?? "", why);
  }
  const warned = violations(policy.warn);
  if (warned !== undefined) {
    warnings.push(`would ${warned}`);
  }
}

/**
 * Returns whether an update adds or removes containers or changes images; other updates are not checked.
 * (`isSignificantPodUpdate`)
 */
function changesImages(pod: ApiObject, before: ApiObject): boolean {
  const lists = ["containers", "initContainers"].some((list) => {
    const [now, then] = [objectsOf(specOf(pod)[list]), objectsOf(specOf(before)[list])];
    return (
      now.length !== then.length || now.some((one, at) => one["image"] !== then[at]?.["image"])
    );
  });
  const ephemeral = (object: ApiObject): JsonObject[] =>
    objectsOf(specOf(object)["ephemeralContainers"]);
  const known = new Map(ephemeral(before).map(({ name, image }) => [name, image]));
  return (
    lists || ephemeral(pod).some(({ name, image }) => !known.has(name) || known.get(name) !== image)
  );
}

/** @throws {StatusError} 422 for invalid Pod Security labels, unless the old namespace had the same ones. */
function assertValidLabels(
  resource: ServedResource,
  { metadata }: ApiObject,
  old: ApiObject | undefined,
): void {
  const { causes } = readPolicy(metadata.labels);
  if (causes.length > 0 && !jsonEqual(causes, readPolicy(old?.metadata.labels).causes)) {
    throw invalid(resource, metadata.name ?? "", causes);
  }
}
