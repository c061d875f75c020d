import type { InformerHealth } from "@typekube/informer";
import type { KeyLike } from "../definition/object-key.js";
import type { QueueEntry } from "../queue/work-queue.js";
import type { Cause } from "../run/causes.js";
import type { ManagerEvent } from "./manager-events.js";
import type { PlannedWrite } from "./plan.js";
import type { Runnable, RunnableOptions } from "./runnable.js";

/** The open ports of a manager. */
export interface ManagerPorts {
  readonly health?: number | undefined;
  readonly metrics?: number | undefined;
}

/** Runs controllers until it is stopped. */
export interface Manager extends AsyncDisposable {
  /** Resolves when the manager was stopped and everything has ended in time; rejects with what ended it otherwise. */
  readonly done: Promise<void>;
  /** Work in progress: each run, and each controller with ready keys, as text for people. */
  readonly busy: readonly string[];
  /** The open ports, of the options `health` and `metrics`. */
  readonly ports: ManagerPorts;
  /** The webhooks at work; `undefined` without any. */
  readonly webhooks: ManagerWebhooks | undefined;
  /** The shards that this replica holds, in ascending order; empty without the option `shards`. */
  readonly shards: readonly number[];
  /** Ends everything in order; resolves, as `done` does, when it has ended. May be called from a reconciler, unawaited. */
  stop(): Promise<void>;
  /**
   * Returns a controller at work.
   *
   * @param name - its name; with a cluster, `cluster/name`.
   * @throws {KubeError} `InvalidArgument` for an unknown name.
   */
  controller(name: string): RunningController;
  /** Adds a part, which starts at once if the others have started. */
  add(runnable: Runnable, options?: RunnableOptions): void;
  /** Returns what happens from now on. Reading slowly loses the oldest events. */
  events(): AsyncIterableIterator<ManagerEvent>;
}

/** The webhooks of a manager. */
export interface ManagerWebhooks {
  /** Port that they listen on. */
  readonly port: number;
  /** Reasons why they are not ready; none while they listen with a certificate that does not end within a day. */
  problems(): string[];
}

/** A cache of a controller. */
export interface ControllerCache {
  /** `v1/Pod`. */
  readonly kind: string;
  /** Namespaces of its objects; `undefined` for all. */
  readonly namespaces: readonly string[] | undefined;
  /** Paths of the fields that the controller names; `undefined` when the cache keeps whole objects. */
  readonly fields: readonly string[] | undefined;
  /** Paths of further fields that the cache keeps, because the controller itself reads them. */
  readonly addedFields: readonly string[];
  /** Health of each watch: one, or one for each of several namespaces. None before the kind was found. */
  readonly health: readonly InformerHealth[];
}

/** A controller at work in a manager. */
export interface RunningController {
  readonly name: string;
  /** The kinds of `owns` that the controller does without because their definitions are absent: `example.com/v1/Cup`. */
  readonly inactiveKinds: readonly string[];
  /** Its caches, with the fields that they keep. */
  readonly caches: readonly ControllerCache[];
  /** The runs that are going on, with the milliseconds since their start. */
  readonly running: readonly { readonly key: string; readonly sinceMs: number }[];
  /** Runs at once; can be changed. */
  concurrency: number;
  /** Queues an object. */
  trigger(key: KeyLike, options?: { readonly priority?: number | undefined }): void;
  /** Queues every cached object. */
  triggerAll(options?: { readonly priority?: number | undefined }): void;
  /** Returns every key of the queue with its state, causes and last error. */
  snapshot(): (QueueEntry & { readonly causes: readonly Cause[]; readonly error?: Error })[];
  /**
   * Runs the reconciler with every write as a dry run, and returns the writes. Nothing is stored; no event is recorded.
   *
   * @throws what the reconciler throws.
   */
  plan(key: KeyLike): Promise<PlannedWrite[]>;
  /**
   * Removes the controller's finalizers from all of its objects, before the operator is uninstalled. Nothing else could
   * delete them afterwards.
   *
   * @returns the keys of the objects that have, or with `dryRun` had, one of them.
   */
  releaseFinalizers(options?: { readonly dryRun?: boolean | undefined }): Promise<string[]>;
  /** Returns the keys that objects refer to by a watch with `by`, and that don't exist, by kind. */
  missingReferences(): ReadonlyMap<string, readonly string[]>;
}
