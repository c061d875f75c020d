import { createHash } from "node:crypto";
import type { KubeObject } from "@typekube/api";
import { KubeError, parseApiVersion } from "@typekube/core";

// Names and forms of KEP-3659 (ApplySet), so that other tools know what belongs together.

/** On each member: the ID of the set that it belongs to. */
export const partOfLabel = "applyset.kubernetes.io/part-of";
/** On the parent: the ID of its set. */
export const idLabel = "applyset.kubernetes.io/id";
const toolingAnnotation = "applyset.kubernetes.io/tooling";
const kindsAnnotation = "applyset.kubernetes.io/contains-group-kinds";
const namespacesAnnotation = "applyset.kubernetes.io/additional-namespaces";
const tool = "typekube";
const toolVersion = "v1";

/** The set that manifests belong to: a ConfigMap that keeps its inventory. */
export interface ApplySetReference {
  /** The name of the ConfigMap. */
  readonly name: string;
  /** Its namespace, which must be there. Default: the client's. */
  readonly namespace?: string | undefined;
}

/** What kinds a set has members of, as `Kind.group`, and in which namespaces. */
export interface Inventory {
  readonly groupKinds: ReadonlySet<string>;
  readonly namespaces: ReadonlySet<string>;
}

/** The ID of a set: a hash of what its parent is. */
export function applySetId(name: string, namespace: string): string {
  const parent = `${name}.${namespace}.ConfigMap.`;
  return `applyset-${createHash("sha256").update(parent).digest("base64url")}-v1`;
}

/** A kind as inventories name it; those of the core group stand alone. */
export function groupKindOf({ apiVersion = "", kind = "" }: KubeObject): string {
  const { group } = parseApiVersion(apiVersion);
  return group === "" ? kind : `${kind}.${group}`;
}

/**
 * The inventory in a parent.
 *
 * @throws {KubeError} `InvalidArgument` for the parent of another tool's set, or of one with another ID.
 */
export function inventoryOf(parent: KubeObject | undefined, id: string): Inventory {
  const { labels = {}, annotations = {}, name } = parent?.metadata ?? {};
  const tooling = annotations[toolingAnnotation];
  if (tooling !== undefined && tooling.split("/")[0] !== tool) {
    throw new KubeError("InvalidArgument", `the ApplySet "${name}" belongs to ${tooling}`, {
      hint: "choose another name for this one",
    });
  }
  if ((labels[idLabel] ?? id) !== id) {
    throw new KubeError("InvalidArgument", `ConfigMap "${name}" is the parent of another ApplySet`);
  }
  const listed = (annotation: string) =>
    new Set((annotations[annotation] ?? "").split(",").filter((one) => one !== ""));
  return { groupKinds: listed(kindsAnnotation), namespaces: listed(namespacesAnnotation) };
}

/** The parent of a set as it is applied. */
export function parentOf(
  { name, namespace }: Required<ApplySetReference>,
  { groupKinds, namespaces }: Inventory,
): KubeObject {
  const others = [...namespaces].filter((one) => one !== namespace);
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: {
      name,
      namespace,
      labels: { [idLabel]: applySetId(name, namespace ?? "") },
      annotations: {
        [toolingAnnotation]: `${tool}/${toolVersion}`,
        [kindsAnnotation]: [...groupKinds].sort().join(","),
        [namespacesAnnotation]: others.sort().join(","),
      },
    },
  };
}

/** The manifest as a member of a set. */
export function asMember<T extends KubeObject>(manifest: T, id: string): T {
  const labels = { ...manifest.metadata?.labels, [partOfLabel]: id };
  return { ...manifest, metadata: { ...manifest.metadata, labels } };
}

/** @throws {KubeError} `Conflict` for an object that belongs to another set: one object, one set. */
export function assertNotOfAnother(live: KubeObject | undefined, id: string): void {
  const owner = live?.metadata?.labels?.[partOfLabel];
  if (owner !== undefined && owner !== id) {
    throw new KubeError("Conflict", `it belongs to another ApplySet (${owner})`, {
      hint: `remove its label ${partOfLabel} to hand it over`,
    });
  }
}
