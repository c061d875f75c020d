import type { ObjectMetadata } from "../../objects/api-object.js";
import type { JsonObject } from "../../objects/json-value.js";
import { mapOf, objectsOf } from "../../objects/parts.js";

/** A pod or pod template, as seen by the checks. */
export interface PodView {
  readonly metadata: ObjectMetadata;
  readonly spec: JsonObject;
  /** Init, regular and ephemeral containers, in the order in which they are checked. */
  readonly containers: readonly JsonObject[];
}

/** A violation of one check. */
export interface Violation {
  /** Short form, used in messages about several pods. */
  readonly reason: string;
  /** The offending values and where they are set. */
  readonly detail: string;
}

/** A check of the Pod Security Standards. */
export interface PodCheck {
  /** Checks of one level run in the order of their IDs. */
  readonly id: string;
  readonly level: "baseline" | "restricted";
  /** Variants of the check. The newest one whose `since` does not exceed the policy's version applies. */
  readonly versions: readonly {
    readonly since: number;
    readonly check: (pod: PodView) => Violation | undefined;
  }[];
  /** ID of the baseline check that this check replaces. */
  readonly overrides?: string;
}

/** Returns the view of a pod that the checks use. */
export function podView(metadata: ObjectMetadata, spec: JsonObject): PodView {
  const lists = ["initContainers", "containers", "ephemeralContainers"];
  return { metadata, spec, containers: lists.flatMap((list) => objectsOf(spec[list])) };
}

/** Returns the security context of a pod spec or container. */
export function securityOf(holder: JsonObject): JsonObject {
  return mapOf(holder["securityContext"]);
}

/** Returns true for pods in their own user namespace, where root is not root on the host. */
export function hasUserNamespace({ spec }: PodView): boolean {
  return spec["hostUsers"] === false;
}

/** Returns true for Windows pods. */
export function isWindows({ spec }: PodView): boolean {
  return mapOf(spec["os"])["name"] === "windows";
}

/** Formats texts as `"a", "b"`. */
export function quoted(texts: Iterable<string>): string {
  return [...texts].map((text) => `"${text}"`).join(", ");
}

/** Sorts texts and removes duplicates. */
export function sorted(texts: Iterable<string>): string[] {
  return [...new Set(texts)].sort();
}

/** Formats containers as `container "a"` or `containers "a", "b"`. */
export function namedContainers(containers: readonly JsonObject[]): string {
  const names = containers.map(({ name }) => String(name ?? ""));
  return `${plural("container", names.length)} ${quoted(names)}`;
}

/** Formats the objects that set a field as `pod`, `container "a"`, or both joined by `and`. */
export function setters(isPod: boolean, containers: readonly JsonObject[]): string {
  return [
    ...(isPod ? ["pod"] : []),
    ...(containers.length > 0 ? [namedContainers(containers)] : []),
  ].join(" and ");
}

/** Appends an `s` to a word unless the count is 1. */
export function plural(word: string, count: number): string {
  return count === 1 ? word : `${word}s`;
}
