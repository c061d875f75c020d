import type { KubeObject, Live } from "@typekube/api";
import { objectKey } from "@typekube/informer";
import { nameOfKey } from "../definition/object-key.js";
import type { RunGate } from "../loop/run-gate.js";
import type { Fencing } from "../loop/running-run.js";
import type { ShardField } from "./shard-layout.js";

/** The shards that this replica holds. */
export interface HeldShards {
  readonly by: ShardField;
  /** Returns the shard of a uid or a namespace. */
  shardOf(value: string): number;
  /** Returns the fence of a shard; `undefined` for one that is not held, or not any more. */
  fenceOf(shard: number): Fencing | undefined;
}

/** Lets the keys of one controller run whose shard this replica holds, and knows when the runs of a shard have ended. */
export class ShardGate implements RunGate {
  readonly #held: HeldShards;
  readonly #cached: (key: string) => Live<KubeObject> | undefined;
  /** Shards of the keys that run. */
  readonly #running = new Map<string, number>();
  /** Shards of deleted objects whose keys wait for a last run. */
  readonly #gone = new Map<string, number>();
  #waits: { readonly shard: number; readonly resolve: () => void }[] = [];

  /** @param cached - returns the cached object of a key. */
  constructor(held: HeldShards, cached: (key: string) => Live<KubeObject> | undefined) {
    this.#held = held;
    this.#cached = cached;
  }

  /** Returns the shard of an object. */
  shardOf({ metadata }: Live<KubeObject>): number {
    const { by } = this.#held;
    return this.#held.shardOf((by === "uid" ? metadata.uid : metadata.namespace) ?? "");
  }

  /** Returns whether the run of a key, which goes on, belongs to a shard. */
  isRunningIn(key: string, shard: number): boolean {
    return this.#running.get(key) === shard;
  }

  isOurs(key: string): boolean {
    return this.#fenceOf(this.#shardOfKey(key)) !== undefined;
  }

  enter(key: string): Fencing | undefined {
    const shard = this.#shardOfKey(key);
    const fence = this.#fenceOf(shard);
    if (shard !== undefined && fence !== undefined) {
      this.#running.set(key, shard);
    }
    return fence;
  }

  leave(key: string, isSettled: boolean): void {
    const shard = this.#running.get(key);
    this.#running.delete(key);
    if (isSettled) {
      this.#gone.delete(key);
    }
    if (shard !== undefined && this.#waits.length > 0 && !this.#isBusy(shard)) {
      const ended = this.#waits.filter((wait) => wait.shard === shard);
      this.#waits = this.#waits.filter((wait) => wait.shard !== shard);
      for (const { resolve } of ended) {
        resolve();
      }
    }
  }

  forget(key: string): void {
    this.#gone.delete(key);
  }

  /** Remembers the shard of a deleted object, for its last run. */
  gone(object: Live<KubeObject>): void {
    this.#gone.set(objectKey(object), this.shardOf(object));
  }

  /** Drops what is known of the keys of a shard, and resolves when their runs have ended. */
  drained(shard: number): Promise<void> {
    for (const [key, of] of this.#gone) {
      if (of === shard) {
        this.#gone.delete(key);
      }
    }
    return this.#isBusy(shard)
      ? new Promise((resolve) => this.#waits.push({ shard, resolve }))
      : Promise.resolve();
  }

  #isBusy(shard: number): boolean {
    return [...this.#running.values()].includes(shard);
  }

  /** Returns the shard of a key. By uid, that of a key without a cached object is unknown; another replica has it. */
  #shardOfKey(key: string): number | undefined {
    if (this.#held.by === "namespace") {
      return this.#held.shardOf(nameOfKey(key).namespace ?? "");
    }
    const object = this.#cached(key);
    return object === undefined ? this.#gone.get(key) : this.shardOf(object);
  }

  #fenceOf(shard: number | undefined): Fencing | undefined {
    return shard === undefined ? undefined : this.#held.fenceOf(shard);
  }
}
