import type { KubeError } from "@typekube/core";
import type { Shard } from "@typekube/informer";
import { shardIndexOf } from "@typekube/informer/internal";
import type { Leadership } from "../election/leadership.js";
import type { Fencing } from "../loop/running-run.js";
import type { HeldShards } from "./shard-gate.js";
import type { ShardField, ShardLayout } from "./shard-layout.js";
import type { ShardWork } from "./shard-work.js";

/** A part of a replica whose work is divided by shards: a controller. */
export interface ShardedPart {
  /** Begins to reconcile the objects of a shard that are cached already. */
  begin(shard: number): void;
  /** Caches these shards from now on. */
  follow(shards: Shard): void;
  /** Aborts the runs of a shard. */
  abort(shard: number, reason: KubeError): void;
  /** Resolves when the runs of a shard have ended. */
  drained(shard: number): Promise<void>;
}

/** The shards that a replica holds, and the controllers that work on them. */
export class ShardedWork implements ShardWork, HeldShards {
  readonly by: ShardField;
  readonly shardOf: (value: string) => number;
  readonly #count: number;
  readonly #held = new Map<number, { readonly leadership: Leadership; readonly scope: Fencing }>();
  readonly #parts = new Set<ShardedPart>();
  #isStopping = false;

  constructor({ count, by }: ShardLayout) {
    this.by = by;
    this.#count = count;
    this.shardOf = shardIndexOf(count);
  }

  /** The held shards, as informers select them. */
  get shards(): Shard {
    const index = [...this.#held.keys()].sort((a, b) => a - b);
    return { index, count: this.#count, by: this.by };
  }

  add(part: ShardedPart): void {
    this.#parts.add(part);
  }

  fenceOf(shard: number): Fencing | undefined {
    const held = this.#held.get(shard);
    return held?.leadership.fence.isHeld === true ? held.scope : undefined;
  }

  begin(shard: number, leadership: Leadership): void {
    this.#held.set(shard, { leadership, scope: leadership.fence.scope() });
    for (const part of this.#parts) {
      part.begin(shard);
    }
    this.#follow();
  }

  async end(shard: number, reason: KubeError, isStopping: boolean): Promise<void> {
    this.#isStopping = isStopping;
    this.#held.delete(shard);
    const ended = [...this.#parts].map((part) => {
      if (isStopping) {
        part.abort(shard, reason);
      }
      return part.drained(shard);
    });
    await Promise.all(ended);
  }

  released(): void {
    if (!this.#isStopping) {
      this.#follow();
    }
  }

  lost(shard: number, error: KubeError): void {
    this.#held.delete(shard);
    for (const part of this.#parts) {
      part.abort(shard, error);
      void part.drained(shard);
    }
    this.#follow();
  }

  #follow(): void {
    for (const part of this.#parts) {
      part.follow(this.shards);
    }
  }
}
