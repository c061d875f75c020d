import type { KubeObject, Scope, SubresourceDescriptor } from "@typekube/api";
import type { Scale } from "@typekube/api/autoscaling/v1";
import type { ConvertersOf } from "./converters.js";
import { createResource } from "./create-resource.js";
import type { CustomObject } from "./custom-object.js";
import type { CustomResource } from "./custom-resource.js";
import type {
  AnyDefinitionOptions,
  OtherVersion,
  ScalePathOptions,
  SharedOptions,
  VersionOptions,
  VersionParts,
} from "./definition-options.js";

/** Options of `defineResource` with zod schemas. */
export interface DefineOptions<
  Group extends string,
  Version extends string,
  Kind extends string,
  Spec,
  Status,
  ScalePaths,
  S extends Scope,
  SelectablePath extends string = string,
  Versions extends readonly OtherVersion[] = readonly OtherVersion[],
> extends Omit<SharedOptions<S>, "versions">,
    VersionOptions<Spec, Status> {
  readonly group: Group;
  readonly version: Version;
  readonly kind: Kind;
  readonly scope?: S | undefined;
  /** Other versions, served too unless they say otherwise. Default: none. */
  readonly versions?: Versions | undefined;
  /**
   * Converts objects between the other versions and this one; `conversion()` of `typekube/controller` makes a webhook of the
   * functions. Nothing may be lost: keep what a version lacks in an annotation. Default: none.
   */
  readonly convert?:
    | ConvertersOf<
        Group,
        Kind,
        CustomObject<`${Group}/${Version}`, Kind, NoInfer<Spec>, NoInfer<Status>>,
        Versions
      >
    | undefined;
  /** Paths of fields for field selectors, at most 8: `.spec.color`. Default: name and namespace only. */
  readonly selectable?: readonly SelectablePath[] | undefined;
  /** Paths for the subresource `scale`, or true for the usual ones. Default: no subresource `scale`. */
  readonly scale?: (ScalePaths & (ScalePathOptions | true)) | undefined;
  /** Use the type parameter for a raw schema: `defineResource<Widget>({ ..., schema })`. */
  readonly schema?: undefined;
}

/** Options of `defineResource` with a raw schema. */
export interface RawDefineOptions<S extends Scope> extends SharedOptions<S>, VersionParts {
  /** JSON schema (OpenAPI v3) of the whole object: `{ type: "object", properties: { spec: { ... } } }`. */
  readonly schema: object;
  /** Paths for the subresource `scale`, or true for the usual ones. Default: no subresource `scale`. */
  readonly scale?: ScalePathOptions | true | undefined;
}

/** The subresources of a definition: `status` if there is a schema of it, `scale` if there are paths. */
export type SubresourcesOf<T extends KubeObject, Status, ScalePaths> = ([Status] extends [never]
  ? Record<never, never>
  : { readonly status: SubresourceDescriptor<T, "get" | "patch" | "update"> }) &
  ([ScalePaths] extends [never]
    ? Record<never, never>
    : { readonly scale: SubresourceDescriptor<Scale, "get" | "patch" | "update"> });

/**
 * Defines a custom resource of the type `T` by a raw JSON schema. `T` should say what the schema says; nothing compares
 * them.
 *
 * @throws {KubeError} as with zod schemas.
 */
export function defineResource<T extends KubeObject>(
  options: RawDefineOptions<"Cluster"> & { readonly scope: "Cluster" },
): CustomResource<T, "Cluster", RawSubresources<T>>;
export function defineResource<T extends KubeObject>(
  options: RawDefineOptions<"Namespaced">,
): CustomResource<T, "Namespaced", RawSubresources<T>>;
/**
 * Defines a custom resource once: the returned value is the descriptor for clients, informers and controllers, carries
 * the type of the objects (`ObjectOf<typeof Widget>`), returns the CustomResourceDefinition (`crd()`) and checks objects
 * as a server does (`check()`).
 *
 * The definition passes the checks of a server at once: names, schemas, defaults, patterns, rules and their costs,
 * columns, scale, selectable fields, versions. Nothing is sent.
 *
 * @example
 * ```ts
 * import { defineResource, install, type ObjectOf } from "typekube/crd";
 * import * as z from "zod";
 *
 * const Widget = defineResource({
 *   group: "example.com",
 *   version: "v1",
 *   kind: "Widget",
 *   spec: z.object({ size: z.int().min(1), color: z.enum(["red", "blue"]).default("red") }),
 *   status: z.object({ ready: z.boolean().optional() }),
 * });
 * type Widget = ObjectOf<typeof Widget>;
 * await install(client, [Widget]);
 * await client.resource(Widget, "default").create({ metadata: { name: "a" }, spec: { size: 3 } });
 * ```
 *
 * @throws {KubeError} `InvalidArgument` that lists all problems with their paths and ways out.
 */
export function defineResource<
  const Group extends string,
  const Version extends string,
  const Kind extends string,
  Spec = never,
  Status = never,
  ScalePaths = never,
  S extends Scope = "Namespaced",
  const SelectablePath extends string = never,
  const Versions extends readonly OtherVersion[] = readonly [],
>(
  options: DefineOptions<
    Group,
    Version,
    Kind,
    Spec,
    Status,
    ScalePaths,
    S,
    SelectablePath,
    Versions
  >,
): CustomResource<
  CustomObject<`${Group}/${Version}`, Kind, Spec, Status, SelectablePath>,
  S,
  SubresourcesOf<
    CustomObject<`${Group}/${Version}`, Kind, Spec, Status, SelectablePath>,
    Status,
    ScalePaths
  >
>;
export function defineResource(options: object): object {
  return createResource(options as AnyDefinitionOptions);
}

/** The subresources of a resource with a raw schema, which the compiler does not read. */
export type RawSubresources<T extends KubeObject> = {
  readonly status: SubresourceDescriptor<T, "get" | "patch" | "update">;
  readonly scale: SubresourceDescriptor<Scale, "get" | "patch" | "update">;
};
