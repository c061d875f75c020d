import type { Verb } from "@typekube/api";
import type { FieldSelectorInput, LabelSelectorInput } from "@typekube/core";
import type { InformerIndexes, Unchanged } from "@typekube/informer";
import { type AnyKind, isPlainKind } from "./any-kind.js";
import { isKeptKind, type KeptKind, type KindObject } from "./keep-fields.js";

/** A kind as a controller names it: as it is, or with some fields. */
export type NamedKind = AnyKind | KeptKind;

/** A kind whose cache holds less than the whole collection. */
export interface CachedKind<K extends NamedKind = NamedKind> {
  readonly kind: K;
  /** Namespaces whose objects are cached, each with its own watch. Default: all. */
  readonly namespaces?: readonly string[] | undefined;
  /** Caches only objects with these labels. Default: all. */
  readonly labelSelector?: LabelSelectorInput | undefined;
  /** Caches only objects with these fields. Default: all. */
  readonly fieldSelector?: FieldSelectorInput | undefined;
  /** `metadata` caches only the metadata of the objects. Not for kinds of {@link keepFields}. Default `full`. */
  readonly view?: "full" | "metadata" | undefined;
  /**
   * For kinds of {@link keepFields}: whether an update counts in which all kept fields are equal, those that the
   * controller adds included. `skip` leaves it out, `deliver` causes a run as any other update does. Default `skip`.
   */
  readonly unchanged?: Unchanged | undefined;
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
export type KindChoice<K extends NamedKind = NamedKind> = CachedKind<K> | K;

/** The kind of a choice. */
export type ChosenKind<C> = C extends KeptKind
  ? C
  : C extends CachedKind<infer K>
    ? K
    : C extends AnyKind
      ? C
      : never;

/** A kind as a controller declares it, in its long form. */
export interface DeclaredKind extends CachedKind<AnyKind> {
  /** Paths of the fields that the cache keeps. Default: whole objects. */
  readonly fields?: readonly string[] | undefined;
  /** Paths of the fields that the cache keeps beside them, because the controller reads them. Default: none. */
  readonly addedFields?: readonly string[] | undefined;
}

/**
 * Returns the choice in its long form.
 *
 * @param added - paths of the fields that the controller itself reads. A cache of whole objects has them anyway.
 */
export function declaredKind(choice: KindChoice, added: readonly string[] = []): DeclaredKind {
  const long: CachedKind =
    isKeptKind(choice) || isPlainKind(choice) ? { kind: choice } : (choice as CachedKind);
  const { kind, ...narrowing } = long;
  return isKeptKind(kind)
    ? { ...narrowing, kind: kind.kind, fields: kind.fields, addedFields: [...new Set(added)] }
    : { ...narrowing, kind };
}
