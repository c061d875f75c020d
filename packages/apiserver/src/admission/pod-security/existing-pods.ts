import type { ServerContext } from "../../context/server-context.js";
import type { ApiObject } from "../../objects/api-object.js";
import { objectsOf, specOf } from "../../objects/parts.js";
import { minorOf } from "../../resources/feature-gates.js";
import { evaluatePod } from "./evaluate-pod.js";
import { podView } from "./pod-check.js";
import { isSameLevel, isStricter, readPolicy, showLevel } from "./policy.js";

/** Maximum number of existing pods checked against a new level of their namespace (`defaultNamespaceMaxPodsToCheck`). */
const maxCheckedPods = 3_000;

/** Warns of existing pods that violate the new enforced level of their namespace. */
export function existingPodWarnings(
  { store, version }: ServerContext,
  { metadata }: ApiObject,
  before: ApiObject | undefined,
): string[] {
  const { enforce } = readPolicy(metadata.labels).policy;
  const old = readPolicy(before?.metadata.labels).policy.enforce;
  if (
    before === undefined ||
    enforce.level === "privileged" ||
    isSameLevel(enforce, old) ||
    (enforce.minor === old.minor && !isStricter(enforce.level, old.level))
  ) {
    return [];
  }
  const { name = "" } = metadata;
  const pods = byController(
    store
      .collection("pods")
      .entries(`${name}/`)
      .map(([, pod]) => pod),
  );
  const namesOf = new Map<string, string[]>();
  for (const pod of pods.slice(0, maxCheckedPods)) {
    const view = podView(pod.metadata, specOf(pod));
    const found = evaluatePod(view, enforce, minorOf(version));
    if (found.length > 0) {
      const reasons = found.map(({ reason }) => reason).join(", ");
      namesOf.set(reasons, [...(namesOf.get(reasons) ?? []), pod.metadata.name ?? ""]);
    }
  }
  const lines = [...namesOf].map(([reasons, names]) => `${showNames(names)}: ${reasons}`).sort();
  return [
    ...(pods.length > maxCheckedPods
      ? [
          `new PodSecurity enforce level only checked against the first ${maxCheckedPods} of ${pods.length} existing pods`,
        ]
      : []),
    ...(lines.length > 0
      ? [
          `existing pods in namespace "${name}" violate the new PodSecurity enforce level "${showLevel(enforce)}"`,
        ]
      : []),
    ...lines,
  ];
}

/** Sorts the first pod of each controller and pods without a controller before all others. */
function byController(pods: readonly ApiObject[]): ApiObject[] {
  const seen = new Set<string>();
  const first: ApiObject[] = [];
  const others: ApiObject[] = [];
  for (const pod of pods) {
    const owner = objectsOf(pod.metadata.ownerReferences).find(
      ({ controller }) => controller === true,
    );
    const isSeen = owner !== undefined && seen.has(String(owner["uid"]));
    (isSeen ? others : first).push(pod);
    if (owner !== undefined) {
      seen.add(String(owner["uid"]));
    }
  }
  return [...first, ...others];
}

function showNames(names: readonly string[]): string {
  const [first = ""] = [...names].sort();
  const others = names.length - 1;
  return others === 0 ? first : `${first} (and ${others} other ${others === 1 ? "pod" : "pods"})`;
}
