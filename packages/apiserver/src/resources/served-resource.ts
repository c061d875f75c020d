import type { ResourceDescriptor } from "@typekube/api";
import type { DefinedVersion } from "./definition.js";
import type { KindStrategy } from "./kind-strategy.js";
import { builtInRules, customRules, type ResourceRules } from "./resource-rules.js";

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
  /** Group and kind in error messages: those of the storage. */
  readonly storedKind: { readonly group: string; readonly kind: string };
  readonly hasStatus: boolean;
  readonly rules: ResourceRules;
  /** Rules and steps for objects of this kind only. */
  readonly strategy: KindStrategy;
  /** The version of its definition; absent for built-in kinds and for kinds served without a definition. */
  readonly defined?: DefinedVersion | undefined;
}

/** Returns whether a resource only supports operations by POST, without stored objects. */
export function isVirtual({ resource }: { readonly resource: ServedResource }): boolean {
  return resource.descriptor.verbs.every((verb) => verb === "create");
}

/** Returns plural name and group, such as `deployments.apps`; only the name in the core group. */
export function groupResourceOf({ group, plural }: ResourceDescriptor): string {
  return group === "" ? plural : `${plural}.${group}`;
}

/** Returns a served resource for a descriptor, with the strategy of its kind. */
export function servedResource(
  descriptor: ResourceDescriptor,
  custom: boolean,
  strategy: KindStrategy = {},
): ServedResource {
  const { group, version, plural, kind } = descriptor;
  const groupResource = groupResourceOf(descriptor);
  const { storage = groupResource } = strategy;
  const [, ...storedGroup] = storage.split(".");
  return {
    descriptor,
    group,
    version,
    plural,
    kind,
    namespaced: descriptor.scope === "Namespaced",
    groupResource,
    storage,
    storedKind: { group: storedGroup.join("."), kind },
    hasStatus: Object.hasOwn(descriptor.subresources, "status"),
    rules: { ...(custom ? customRules : builtInRules), ...strategy.rules },
    strategy,
  };
}
