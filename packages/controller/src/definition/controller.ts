import type { KubeObject, Live } from "@typekube/api";
import { object } from "@typekube/core/internal";
import type { Run } from "../run/run.js";
import type { Finalizer, KeySource, Keys, QueuePolicy, RetryPolicy } from "./controller-options.js";
import type { DeclaredKind, NamedKind } from "./kind-choice.js";
import type { KeyLike } from "./object-key.js";
import type { ChangeFilter } from "./predicates.js";

/**
 * A controller as data: what it watches, and the functions that reconcile. `startManager` runs it, `rbacOf` derives the
 * rights that it needs, tests call its functions.
 */
export interface Controller<T extends KubeObject = KubeObject> {
  readonly name: string;
  readonly kind: DeclaredKind;
  readonly owns: readonly OwnedCache[];
  readonly watches: readonly Watch[];
  readonly reads: readonly DeclaredKind[];
  readonly settings: ControllerSettings;
  /** Binds the object type; never present at run time. */
  readonly [objectOf]?: T;
}

declare const objectOf: unique symbol;

/** Returns whether a value is what `defineController` and `defineKeyController` return, of any copy of this package. */
export function isController(value: unknown): value is Controller {
  const { name, owns, watches, settings } = (value ?? {}) as Readonly<Record<string, unknown>>;
  return (
    typeof name === "string" &&
    Array.isArray(owns) &&
    Array.isArray(watches) &&
    object.isValid(settings)
  );
}

/** A kind whose objects the controller owns. */
export interface OwnedCache extends DeclaredKind {
  readonly anyOwner: boolean;
}

/** Another kind whose changes cause runs. */
export interface Watch {
  readonly kind: DeclaredKind;
  readonly by: ((object: Live<KubeObject>) => Iterable<KeyLike>) | undefined;
  readonly map: ((object: Live<KubeObject>) => Keys) | undefined;
  readonly when: ChangeFilter | undefined;
}

/** The run of any controller. */
export type AnyRun = Run<KubeObject, NamedKind, string>;

/** The options of a controller, with defaults filled in. */
export interface ControllerSettings {
  readonly sources: readonly KeySource[];
  readonly when: ChangeFilter | undefined;
  readonly concurrency: number;
  readonly timeoutMs: number;
  readonly abandonAfterMs: number;
  readonly retry: Required<{ readonly [N in keyof RetryPolicy]: number }>;
  readonly queue: QueuePolicy;
  readonly resyncMs: number;
  readonly debounceMs: number;
  readonly consistency: "overlay" | "wait";
  readonly ownEvents: "run" | "skip";
  readonly prune: boolean;
  readonly pauseWhen: (object: Live<KubeObject>) => boolean;
  readonly pauseDeletion: boolean;
  readonly onLeave: "ignore" | "run";
  readonly onUnavailable: "fail" | "wait";
  readonly syncTimeoutMs: number;
  readonly failureEvents: boolean;
  readonly reconcile: ((object: Live<KubeObject>, run: AnyRun) => unknown) | undefined;
  readonly reconcileKey: ((key: string, run: AnyRun) => unknown) | undefined;
  readonly finalizers: readonly Finalizer<KubeObject, AnyRun>[];
  readonly onGiveUp: ((object: Live<KubeObject> | undefined, error: unknown) => void) | undefined;
}
