import type { FieldPathOf, Projected } from "@typekube/client";
import { fieldsCheck } from "@typekube/client/internal";
import { KubeError } from "@typekube/core";
import { type Projection, projectionOf } from "@typekube/core/internal";
import { type AnyKind, isPlainKind, type PlainObject } from "./any-kind.js";

/** Projections of kinds that this copy of the package made. */
const projections = new WeakMap<KeptKind, Projection>();

/** Tells kinds that {@link keepFields} returned from other objects, in all copies of this package. */
const mark: unique symbol = Symbol.for("typekube.keptFields") as never;

/**
 * A kind of whose objects the caches of a controller keep some fields only: what {@link keepFields} returns. It stands
 * where a controller names kinds, and in the calls of a run. Clients don't take it, as they have the option `fields`.
 */
export interface KeptKind<K extends AnyKind = AnyKind, P extends string = string> {
  /** The kind. */
  readonly kind: K;
  /** The paths of the fields. */
  readonly fields: readonly P[];
  readonly [mark]: true;
}

/**
 * Returns a kind of whose objects the caches of a controller keep some fields only: a fraction of the memory and of the
 * decoding. What identifies an object always comes, and controllers add what they read themselves, such as the
 * finalizers of their own objects and the owner references of those that they own.
 *
 * Declare the result in place of the kind, alone or narrowed (`{ kind: pods, namespaces }`), and read with it:
 * `run.get(pods, name)`. Such an object cannot be written as a whole; `run.apply`, `run.patch` and `run.delete` work, and
 * `run.createOrUpdate` and `run.live` read the whole object. An update of other fields causes no run; see `unchanged`.
 *
 * @param kind - a descriptor such as `Pod`, or the apiVersion and kind of one that discovery finds.
 * @param fields - paths of names with dots between them, such as `spec.containers.image`; see `fields` of reads.
 *
 * @example
 * ```ts
 * const pods = keepFields(Pod, ["metadata.labels", "spec.nodeName", "status.phase"]);
 * const nodes = defineController(Node, {
 *   watches: [{ kind: pods, map: ({ spec }) => (spec?.nodeName ? [spec.nodeName] : []) }],
 *   reconcile(node, run) {
 *     const running = run.list(pods, { namespace: "*" }).filter(({ status }) => status?.phase === "Running");
 *   },
 * });
 * ```
 *
 * @throws {KubeError} `InvalidArgument` for what is not a kind or not a path. A path that leads to no field of a built-in
 * kind fails the start of the controller.
 */
export function keepFields<const K extends AnyKind, const P extends string>(
  kind: K,
  fields: readonly FieldPathOf<PlainObject<K>, P>[],
  // Without NoInfer a declaration, as the context, would widen the paths to `string`.
): KeptKind<K, NoInfer<P>> {
  if (!isPlainKind(kind)) {
    throw new KubeError("InvalidArgument", "keepFields(): not a kind", {
      hint: 'a descriptor such as Pod, or { apiVersion: "example.com/v1", kind: "Shop" }',
    });
  }
  if (!fieldsCheck.isValid(fields)) {
    throw new KubeError("InvalidArgument", `keepFields(): fields must be ${fieldsCheck.mustBe}`);
  }
  const managed = fields.find((path: string) => path.startsWith("metadata.managedFields"));
  if (managed !== undefined) {
    throw new KubeError("InvalidArgument", `keepFields(): caches never have ${managed}`, {
      hint: "read it with run.live",
    });
  }
  const paths = Object.freeze([...fields]) as unknown as readonly P[];
  const kept: KeptKind<K, P> = Object.freeze({ kind, fields: paths, [mark]: true as const });
  projections.set(kept, projectionOf(paths));
  return kept;
}

/** Returns whether a value is what {@link keepFields} returned. */
export function isKeptKind(value: unknown): value is KeptKind {
  return typeof value === "object" && value !== null && mark in value;
}

/** Returns the projection of the fields of a kind. */
export function keptProjection(kind: KeptKind): Projection {
  return projections.get(kind) ?? projectionOf(kind.fields);
}

/** Returns the kind itself of one with some fields. */
export function plainKind(kind: AnyKind | KeptKind): AnyKind {
  return isKeptKind(kind) ? kind.kind : kind;
}

/** Object type of a kind, or of a kind with some fields. */
export type KindObject<K> =
  K extends KeptKind<infer Whole, infer P> ? Projected<PlainObject<Whole>, P> : PlainObject<K>;

/** Type of the whole objects of a kind. */
export type WholeObject<K> = K extends KeptKind<infer Whole> ? PlainObject<Whole> : PlainObject<K>;
