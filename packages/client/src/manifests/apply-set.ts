import { createHash } from "node:crypto";
import type { KubeObject } from "@typekube/api";
import { KubeError, parseApiVersion } from "@typekube/core";
import type { ApplySetReference } from "../options/apply-set-options.js";

// Names and formats of KEP-3659 (ApplySet), so that other tools recognize the set.

/** Label of each member: the ID of its set. */
export const partOfLabel = "applyset.kubernetes.io/part-of";
/** Label of the parent: the ID of its set. */
export const idLabel = "applyset.kubernetes.io/id";
const toolingAnnotation = "applyset.kubernetes.io/tooling";
const kindsAnnotation = "applyset.kubernetes.io/contains-group-kinds";
const namespacesAnnotation = "applyset.kubernetes.io/additional-namespaces";
const tool = "typekube";
const toolVersion = "v1";

/** The kinds of a set's members, as `Kind.group`, and the members' namespaces. */
export interface Inventory {
  readonly groupKinds: ReadonlySet<string>;
  readonly namespaces: ReadonlySet<string>;
}

/** Returns the ID of a set: a hash of its parent's name, namespace and kind. */
export function applySetId(name: string, namespace: string): string {
  const parent = `${name}.${namespace}.ConfigMap.`;
  return `applyset-${createHash("sha256").update(parent).digest("base64url")}-v1`;
}

/** Returns a kind in the notation of inventories; kinds of the core group have no suffix. */
export function groupKindOf({ apiVersion = "", kind = "" }: KubeObject): string {
  const { group } = parseApiVersion(apiVersion);
  return group === "" ? kind : `${kind}.${group}`;
}

/**
 * Reads the inventory from a parent.
 *
 * @throws {KubeError} `InvalidArgument` for the parent of another tool's set, or of a set with another ID.
 */
export function inventoryOf(parent: KubeObject | undefined, id: string): Inventory {
  const { labels = {}, annotations = {}, name } = parent?.metadata ?? {};
  const tooling = annotations[toolingAnnotation];
  if (tooling !== undefined && tooling.split("/")[0] !== tool) {
    throw new KubeError("InvalidArgument", `the ApplySet "${name}" belongs to ${tooling}`, {
      hint: "choose another name for this ApplySet",
    });
  }
  if ((labels[idLabel] ?? id) !== id) {
    throw new KubeError("InvalidArgument", `ConfigMap "${name}" is the parent of another ApplySet`);
  }
  const listed = (annotation: string) =>
    new Set((annotations[annotation] ?? "").split(",").filter((one) => one !== ""));
  return { groupKinds: listed(kindsAnnotation), namespaces: listed(namespacesAnnotation) };
}

/** Builds the parent of a set, as applied. */
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

/** Returns the manifest with the label of the set. */
export function asMember<T extends KubeObject>(manifest: T, id: string): T {
  const labels = { ...manifest.metadata?.labels, [partOfLabel]: id };
  return { ...manifest, metadata: { ...manifest.metadata, labels } };
}

/** @throws {KubeError} `Conflict` for an object that belongs to another set: an object can be in one set only. */
export function assertNotOfAnother(live: KubeObject | undefined, id: string): void {
  const owner = live?.metadata?.labels?.[partOfLabel];
  if (owner !== undefined && owner !== id) {
    throw new KubeError("Conflict", `the object belongs to another ApplySet (${owner})`, {
      hint: `remove the label ${partOfLabel} from the object to move it to this ApplySet`,
    });
  }
}
