import { mapOf, objectsOf } from "../../kinds/parts.js";
import type { JsonObject } from "../../store/json-value.js";
import type { ObjectMetadata } from "../../store/stored-object.js";

/** A pod, or the template of one. */
export interface PodView {
  readonly metadata: ObjectMetadata;
  readonly spec: JsonObject;
  /** Containers of all three kinds, in the order in which they are checked. */
  readonly containers: readonly JsonObject[];
}

/** What a check has against a pod. */
export interface Violation {
  /** The short form, as messages about several pods have it. */
  readonly reason: string;
  /** The values and places. */
  readonly detail: string;
}

/** A check of the Pod Security Standards. */
export interface PodCheck {
  /** Checks of one level are made in the order of their IDs. */
  readonly id: string;
  readonly level: "baseline" | "restricted";
  /** The check of the newest version that is not above the policy's counts. */
  readonly versions: readonly {
    readonly since: number;
    readonly check: (pod: PodView) => Violation | undefined;
  }[];
  /** The baseline check that this one takes the place of. */
  readonly overrides?: string;
}

/** A pod as the checks see it. */
export function podView(metadata: ObjectMetadata, spec: JsonObject): PodView {
  const lists = ["initContainers", "containers", "ephemeralContainers"];
  return { metadata, spec, containers: lists.flatMap((list) => objectsOf(spec[list])) };
}

/** The security context of a pod's spec or of a container. */
export function securityOf(holder: JsonObject): JsonObject {
  return mapOf(holder["securityContext"]);
}

/** True for pods in a user namespace of their own: root in them is no root outside. */
export function hasUserNamespace({ spec }: PodView): boolean {
  return spec["hostUsers"] === false;
}

/** True for pods of Windows. */
export function isWindows({ spec }: PodView): boolean {
  return mapOf(spec["os"])["name"] === "windows";
}

/** `"a", "b"`. */
export function quoted(texts: Iterable<string>): string {
  return [...texts].map((text) => `"${text}"`).join(", ");
}

/** The texts in byte order, each once. */
export function sorted(texts: Iterable<string>): string[] {
  return [...new Set(texts)].sort();
}

/** `container "a"` or `containers "a", "b"`. */
export function namedContainers(containers: readonly JsonObject[]): string {
  const names = containers.map(({ name }) => String(name ?? ""));
  return `${plural("container", names.length)} ${quoted(names)}`;
}

/** `pod`, `container "a"`, or both joined by `and`. */
export function setters(isPod: boolean, containers: readonly JsonObject[]): string {
  return [
    ...(isPod ? ["pod"] : []),
    ...(containers.length > 0 ? [namedContainers(containers)] : []),
  ].join(" and ");
}

/** A word with an `s` unless there is one of it. */
export function plural(word: string, count: number): string {
  return count === 1 ? word : `${word}s`;
}
