import type { KubeObject } from "@typekube/api";
import { KubeError } from "@typekube/core";
import { assertOptions } from "@typekube/core/internal";
import { addedToOwn, addedToOwned, addedToWatched } from "./added-fields.js";
import { groupOf } from "./any-kind.js";
import { assertControllerKinds } from "./assert-kinds.js";
import type { AnyRun, Controller, ControllerSettings, OwnedCache, Watch } from "./controller.js";
import {
  type ControlledObject,
  type ControllerOptions,
  controllerOptions,
  type Finalizer,
} from "./controller-options.js";
import { declaredKind, type KindChoice, type NamedKind } from "./kind-choice.js";
import { isPaused } from "./paused.js";

/** Milliseconds in which the caches must be complete. (controller-runtime's CacheSyncTimeout) */
const defaultSyncTimeoutMs = 120_000;
/** First and longest delay of retries in milliseconds. (client-go's DefaultControllerRateLimiter) */
const defaultBaseMs = 5;
const defaultMaxMs = 1_000_000;
const defaultJitter = 0.2;

/** Options with a `reconcile`. */
type Reconciling<O extends { readonly reconcile?: unknown }> = Omit<O, "reconcileKey"> &
  Required<Pick<O, "reconcile">> & { readonly reconcileKey?: never };

/** Options with a `reconcileKey`. */
type ReconcilingKeys<O extends { readonly reconcileKey?: unknown }> = Omit<O, "reconcile"> &
  Required<Pick<O, "reconcileKey">> & { readonly reconcile?: never };

/**
 * Defines a controller: how the objects of a kind are made true. It is data until `startManager` runs it.
 *
 * @param kind - the kind, with a narrowed cache if desired.
 *
 * @example
 * ```ts
 * const shops = defineController(Shop, {
 *   owns: [Deployment],
 *   async reconcile(shop, run) {
 *     const web = await run.apply(Deployment, deploymentOf(shop));
 *     return { status: { ready: web.status?.readyReplicas ?? 0 } };
 *   },
 * });
 * ```
 *
 * @throws {KubeError} `InvalidArgument` for an unknown or invalid option.
 */
export function defineController<
  const K extends KindChoice,
  const O extends readonly KindChoice[] = readonly [],
  const W extends readonly KindChoice[] = readonly [],
  const R extends readonly KindChoice[] = readonly [],
  const Reason extends string = string,
>(
  kind: K,
  options: Reconciling<ControllerOptions<K, O, W, R, Reason>>,
): Controller<ControlledObject<K>> {
  return controllerOf("defineController()", kind, options as unknown as AnyOptions);
}

/**
 * Defines a controller whose reconciler gets a key instead of an object, also for objects that don't exist: for
 * controllers that aggregate. Otherwise like {@link defineController}.
 */
export function defineKeyController<
  const K extends KindChoice,
  const O extends readonly KindChoice[] = readonly [],
  const W extends readonly KindChoice[] = readonly [],
  const R extends readonly KindChoice[] = readonly [],
  const Reason extends string = string,
>(
  kind: K,
  options: ReconcilingKeys<ControllerOptions<K, O, W, R, Reason>>,
): Controller<ControlledObject<K>> {
  return controllerOf("defineKeyController()", kind, options as unknown as AnyOptions);
}

type AnyOptions = ControllerOptions<
  NamedKind,
  readonly KindChoice[],
  readonly KindChoice[],
  readonly KindChoice[],
  string
>;

function controllerOf<T extends KubeObject>(
  call: string,
  choice: KindChoice,
  options: AnyOptions,
): Controller<T> {
  assertControllerKinds(call, choice, options);
  assertOptions(call, options, controllerOptions);
  const kind = declaredKind(choice);
  const name = options.name ?? kind.kind.kind.toLowerCase();
  if (!/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(name)) {
    throw new KubeError("InvalidArgument", `the controller's name "${name}" is not a DNS label`, {
      hint: "lower-case letters, digits and dashes: it is part of field managers and labels",
    });
  }
  if ((options.reconcile ?? options.reconcileKey) === undefined) {
    throw new KubeError("InvalidArgument", `the controller ${name} has no reconcile function`);
  }
  return {
    name,
    kind: declaredKind(choice, addedToOwn(options)),
    owns: (options.owns ?? []).map(ownedCache),
    watches: (options.watches ?? []).map((watch) => watchOf(name, watch as never)),
    reads: (options.reads ?? []).map((one) => declaredKind(one)),
    settings: settingsOf(name, groupOf(kind.kind), options),
  };
}

function ownedCache(choice: KindChoice): OwnedCache {
  return { anyOwner: false, ...declaredKind(choice, addedToOwned()) };
}

function watchOf(
  controller: string,
  { kind, by, map, when }: Omit<Watch, "kind"> & { readonly kind: KindChoice },
): Watch {
  if ((by === undefined) === (map === undefined)) {
    throw new KubeError(
      "InvalidArgument",
      `a watch of the controller ${controller} needs either by or map`,
      { hint: "by: (object) => names of what it refers to; map: (changed) => keys to reconcile" },
    );
  }
  return { kind: declaredKind(kind, addedToWatched(when)), by, map, when };
}

function settingsOf(name: string, group: string, options: AnyOptions): ControllerSettings {
  const { retry = {} } = options;
  return {
    sources: options.sources ?? [],
    when: options.when,
    concurrency: options.concurrency ?? 1,
    timeoutMs: options.timeoutMs ?? Number.POSITIVE_INFINITY,
    abandonAfterMs: options.abandonAfterMs ?? Number.POSITIVE_INFINITY,
    retry: {
      baseMs: retry.baseMs ?? defaultBaseMs,
      maxMs: retry.maxMs ?? defaultMaxMs,
      jitter: retry.jitter ?? defaultJitter,
      maxAttempts: retry.maxAttempts ?? Number.POSITIVE_INFINITY,
    },
    queue: options.queue ?? {},
    resyncMs: options.resyncMs ?? 0,
    debounceMs: options.debounceMs ?? 0,
    consistency: options.consistency ?? "overlay",
    ownEvents: options.ownEvents ?? "skip",
    prune: options.prune ?? true,
    pauseWhen: options.pauseWhen ?? isPaused,
    pauseDeletion: options.pauseDeletion ?? false,
    onLeave: options.onLeave ?? "run",
    onUnavailable: options.onUnavailable ?? "fail",
    syncTimeoutMs: options.syncTimeoutMs ?? defaultSyncTimeoutMs,
    failureEvents: options.failureEvents ?? true,
    reconcile: options.reconcile as ControllerSettings["reconcile"],
    reconcileKey: options.reconcileKey as ControllerSettings["reconcileKey"],
    finalizers: finalizersOf(name, group, options),
    onGiveUp: options.onGiveUp as ControllerSettings["onGiveUp"],
  };
}

function finalizersOf(
  name: string,
  group: string,
  { finalize, finalizer, finalizers = [] }: AnyOptions,
): Finalizer<KubeObject, AnyRun>[] {
  if (finalize !== undefined && finalizers.length > 0) {
    throw new KubeError("InvalidArgument", `the controller ${name} has finalize and finalizers`, {
      hint: "move finalize into the list, under its name",
    });
  }
  const all = [
    ...(finalize === undefined
      ? []
      : [{ name: finalizer ?? `${group || "typekube.dev"}/${name}`, finalize }]),
    ...finalizers,
  ] as Finalizer<KubeObject, AnyRun>[];
  for (const { name: own } of all) {
    if (typeof own !== "string" || !/^[^/\s]+\/[^/\s]+$/.test(own)) {
      throw new KubeError("InvalidArgument", `the finalizer "${own}" has no domain`, {
        hint: "a qualified name, such as example.com/shop",
      });
    }
  }
  return all;
}
