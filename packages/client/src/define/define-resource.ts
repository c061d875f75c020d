import type {
  KubeObject,
  ResourceDescriptor,
  Scope,
  SubresourceDescriptor,
  Verb,
} from "@typekube/api";
import type { Scale } from "@typekube/api/autoscaling/v1";
import { formatApiVersion, KubeError } from "@typekube/core";
import { assertOptions, type OptionCheck, type OptionTable } from "@typekube/core/internal";
import { isPathName } from "../request/resource-path.js";
import { markDefined } from "./defined-resources.js";
import { pluralOf } from "./plural-of.js";

/** Names of a resource that is defined in a program instead of generated. */
export interface ResourceNames<S extends Scope = Scope> {
  /** API group, for example `example.com`. */
  readonly group: string;
  /** Version of the group, for example `v1`. */
  readonly version: string;
  /** Kind of the objects in CamelCase, for example `Widget`. */
  readonly kind: string;
  /** Default `Namespaced`. */
  readonly scope?: S | undefined;
  /** Name of the resource in paths. Default: the English plural of the kind in lower case. */
  readonly plural?: string | undefined;
  /** Default: the kind in lower case. */
  readonly singular?: string | undefined;
  /** Kind of the list. Default: the kind and `List`. */
  readonly listKind?: string | undefined;
  /** Short names for command lines. Default: none. */
  readonly shortNames?: readonly string[] | undefined;
  /** Categories, such as `all`. Default: none. */
  readonly categories?: readonly string[] | undefined;
}

/** The subresources that a custom resource can have. A type, since an interface would need an index signature. */
export type CustomSubresources<T extends KubeObject> = {
  readonly status: SubresourceDescriptor<T, "get" | "patch" | "update">;
  readonly scale: SubresourceDescriptor<Scale, "get" | "patch" | "update">;
};

/** Descriptor of a custom resource that is defined in a program. */
export type CustomDescriptor<T extends KubeObject, S extends Scope = Scope> = ResourceDescriptor<
  T,
  S,
  Verb,
  CustomSubresources<T>
>;

/** @throws {KubeError} see {@link defineResource}. */
export function defineResource<T extends KubeObject>(
  names: ResourceNames<"Cluster"> & { readonly scope: "Cluster" },
): CustomDescriptor<T, "Cluster">;
/**
 * Describes a custom resource to clients, informers and controllers by its names and the type of its objects. The
 * resource's CustomResourceDefinition is installed separately; `defineResource` of `typekube/crd` defines both at once.
 *
 * Nothing is sent. When a server has no path for a call, discovery is asked: the error says which names or scope the
 * server has instead, or that the definition is missing.
 *
 * @example
 * ```ts
 * import { defineResource, type KubeObject } from "typekube";
 *
 * interface Widget extends KubeObject {
 *   spec: { size: number };
 *   status?: { ready?: boolean };
 * }
 * const Widget = defineResource<Widget>({ group: "example.com", version: "v1", kind: "Widget" });
 * const widgets = client.resource(Widget, "default");
 * ```
 *
 * @returns a descriptor with all verbs and the subresources `status` and `scale`.
 * @throws {KubeError} `InvalidArgument` for an unknown option, for a name that no path can contain, and for a kind whose
 * plural must be given.
 */
export function defineResource<T extends KubeObject>(
  names: ResourceNames<"Namespaced">,
): CustomDescriptor<T, "Namespaced">;
export function defineResource(names: ResourceNames): CustomDescriptor<KubeObject> {
  assertOptions("defineResource()", names, resourceNames);
  const { group, version, kind, scope = "Namespaced" } = names;
  for (const [name, value] of Object.entries({ group, version, kind })) {
    if (!isPathName(value)) {
      throw new KubeError("InvalidArgument", `defineResource() needs ${name}`, {
        hint: 'for example { group: "example.com", version: "v1", kind: "Widget" }',
      });
    }
  }
  const apiVersion = formatApiVersion({ group, version });
  return markDefined({
    group,
    version,
    apiVersion,
    kind,
    listKind: names.listKind ?? `${kind}List`,
    plural: names.plural ?? pluralOf(kind),
    singular: names.singular ?? kind.toLowerCase(),
    shortNames: names.shortNames ?? [],
    categories: names.categories ?? [],
    scope,
    verbs: ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
    subresources: {
      status: { apiVersion, kind, verbs: ["get", "patch", "update"] },
      scale: { apiVersion: "autoscaling/v1", kind: "Scale", verbs: ["get", "patch", "update"] },
    },
    protobuf: false,
  });
}

const pathName: OptionCheck = {
  mustBe: "letters, digits, dots and dashes",
  isValid: isPathName,
};

const resourceNames: OptionTable<ResourceNames> = {
  group: true,
  version: true,
  kind: true,
  scope: {
    mustBe: "Cluster or Namespaced",
    isValid: (value) => value === "Cluster" || value === "Namespaced",
  },
  plural: pathName,
  singular: pathName,
  listKind: pathName,
  shortNames: true,
  categories: true,
};
