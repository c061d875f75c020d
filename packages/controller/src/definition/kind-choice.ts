import type { KubeObject, ResourceDescriptor, Verb } from "@typekube/api";
import type { KindOf, KindReference } from "@typekube/client";
import type { FieldSelectorInput, LabelSelectorInput } from "@typekube/core";
import type { InformerIndexes } from "@typekube/informer";

/** A kind: a descriptor such as `Pod`, or the apiVersion and kind of one that discovery finds. */
export type AnyKind = KindReference | ResourceDescriptor;

/** Object type of a kind. */
export type KindObject<K> =
  K extends ResourceDescriptor<infer T> ? T : K extends KindReference ? KindOf<K> : never;

/** A kind whose cache holds less than the whole collection. */
export interface CachedKind<K extends AnyKind = AnyKind> {
  readonly kind: K;
  /** Namespaces whose objects are cached, each with its own watch. Default: all. */
  readonly namespaces?: readonly string[] | undefined;
  /** Caches only objects with these labels. Default: all. */
  readonly labelSelector?: LabelSelectorInput | undefined;
  /** Caches only objects with these fields. Default: all. */
  readonly fieldSelector?: FieldSelectorInput | undefined;
  /** `metadata` caches only the metadata of the objects. Default `full`. */
  readonly view?: "full" | "metadata" | undefined;
  /**
   * `false` caches nothing: `get` and `list` are not available, only `run.live`. Not for kinds whose changes cause runs.
   * Default true.
   */
  readonly cached?: boolean | undefined;
  /** Verbs that runs need beyond what the declaration implies, for `rbacOf`. Default: none. */
  readonly verbs?: readonly Verb[] | undefined;
  /** Index functions by name, for `run.list(kind, { index: { node: "n1" } })`. Default: none. */
  readonly indexes?: InformerIndexes<KindObject<K>> | undefined;
}

/** A kind, or a kind with a narrowed cache. */
export type KindChoice<K extends AnyKind = AnyKind> = CachedKind<K> | K;

/** The kind of a choice. */
export type ChosenKind<C> = C extends CachedKind<infer K> ? K : C extends AnyKind ? C : never;

/** Returns the choice in its long form. */
export function cachedKind<K extends AnyKind>(choice: KindChoice<K>): CachedKind<K> {
  return typeof choice.kind === "string" ? { kind: choice as K } : (choice as CachedKind<K>);
}

/** Returns what identifies a kind: `apps/v1/Deployment`. */
export function kindId({ apiVersion, kind }: KindReference): string {
  return `${apiVersion}/${kind}`;
}

/** Returns the API group of a kind; empty for the core group. */
export function groupOf(kind: AnyKind | KubeObject): string {
  const apiVersion = kind.apiVersion ?? "";
  const slash = apiVersion.indexOf("/");
  return slash < 0 ? "" : apiVersion.slice(0, slash);
}
