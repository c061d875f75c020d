import type { KubeError } from "@typekube/core";
import { shardIndexOf } from "@typekube/informer/internal";
import type { Leadership } from "../../../src/election/leadership.js";
import type { Term } from "../../../src/election/term.js";
import type { ShardWork } from "../../../src/shards/shard-work.js";
import type { SimulatedProcess } from "../../election/simulation/simulated-process.js";
import type { World } from "../../election/simulation/world.js";
import type { ShardRecords } from "./shard-records.js";

/** Keys of all objects. */
export const keys: readonly string[] = Array.from({ length: 10 }, (_, n) => `uid-${n}`);

/** A shard that a replica holds, with its runs. */
interface Held {
  readonly term: Term;
  /** Number of the period of holding, in the order of their beginnings. */
  readonly period: number;
  isOpen: boolean;
  isAborted: boolean;
  readonly running: Set<string>;
  ended: () => void;
}

/** Settings of {@link simulatedWork}. */
export interface SimulatedWorkSettings {
  readonly world: World;
  readonly process: SimulatedProcess;
  readonly random: () => number;
  readonly who: string;
  readonly count: number;
  readonly records: ShardRecords;
  /** `false` for a replica that ignores its fence. */
  readonly isCareful: boolean;
}

/** Returns the work of a replica: runs of the keys of its shards, each with some requests. */
export function simulatedWork(settings: SimulatedWorkSettings): ShardWork {
  const { process, count } = settings;
  const shardOf = shardIndexOf(count);
  const held = new Map<number, Held>();
  const busy = new Set<string>();
  const begin = (shard: number, leadership: Leadership) => {
    const one: Held = {
      term: leadership as Term,
      period: settings.records.nextPeriod(),
      isOpen: true,
      isAborted: false,
      running: new Set(),
      ended() {},
    };
    held.set(shard, one);
    for (const key of keys.filter((key) => shardOf(key) === shard)) {
      const again = () => {
        if (one.isOpen) {
          // The queue never runs a key twice at a time.
          if (!busy.has(key) && (one.term.isHeld || !settings.isCareful)) {
            busy.add(key);
            runKey(settings, one, key, () => busy.delete(key));
          }
          process.schedule(settings.random() * 1_500, again);
        }
      };
      again();
    }
  };
  return {
    begin,
    async end(shard: number, _reason: KubeError, isStopping: boolean) {
      const one = held.get(shard);
      held.delete(shard);
      if (one === undefined) {
        return;
      }
      one.isOpen = false;
      one.isAborted ||= isStopping;
      if (one.running.size > 0) {
        await new Promise<void>((resolve) => {
          one.ended = resolve;
        });
      }
    },
    released() {},
    lost(shard: number) {
      const one = held.get(shard);
      held.delete(shard);
      if (one !== undefined) {
        one.isOpen = false;
        one.isAborted = true;
      }
    },
  };
}

/** Runs a key once: a few requests, then the end; an abort shows between two of them. */
function runKey(settings: SimulatedWorkSettings, one: Held, key: string, done: () => void): void {
  const { world, process, random, who, records, isCareful } = settings;
  const { term, period } = one;
  const run = records.began({ at: world.now, who, key, period, isValid: () => isGoingOn() });
  const isGoingOn = () => !one.isAborted && !process.isCrashed && term.ageMs < renewDeadlineMs;
  one.running.add(key);
  const { beforeAttempt, beforeSend } = term.scope();
  const request = { method: "PUT", path: "/" } as const;
  let left = 1 + Math.floor(random() * 3);
  const end = () => {
    records.ended(run);
    one.running.delete(key);
    done();
    if (one.running.size === 0) {
      one.ended();
    }
  };
  const step = () => {
    if (left === 0 || (isCareful && one.isAborted)) {
      end();
      return;
    }
    left -= 1;
    try {
      if (isCareful) {
        beforeAttempt?.(request);
      }
    } catch {
      end();
      return;
    }
    // Most requests are sent at once, some wait for a socket.
    process.schedule(random() < 0.8 ? 0 : random() * 4_000, () => {
      try {
        if (isCareful) {
          beforeSend?.(request);
        }
        records.sent({ at: world.now, who, key, period, ageMs: term.ageMs });
      } catch {
        // Refused: nothing was sent.
      }
      process.schedule(random() * 400, step);
    });
  };
  step();
}

/** Renew deadline of the simulated replicas, in milliseconds: the standard one. */
export const renewDeadlineMs = 10_000;
