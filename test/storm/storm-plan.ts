import type { Random } from "@typekube/core/internal";
import { randomFrom } from "@typekube/test-support/mixed-random";
import { type Fault, type FaultKind, type FollowerName, followerNames } from "./faults/fault.js";

/** One step of a storm. Plain data: a plan can be printed and read back. */
export type StormStep =
  /** Creates or changes an object (`put`), deletes it, or deletes and recreates it (`replace`). */
  | { readonly do: "write"; readonly verb: "delete" | "put" | "replace"; readonly object: number }
  /** Advances the resourceVersion outside the watched collection. */
  | { readonly do: "noise" }
  /** Adds a fault for one of the informers; it strikes the next bytes or the next request that it fits. */
  | { readonly do: "strike"; readonly on: FollowerName; readonly fault: Fault }
  /** Strikes all informers. */
  | { readonly do: "disaster"; readonly disaster: Disaster }
  | { readonly do: "pass"; readonly ms: number }
  /**
   * Removes all faults; then the caches and the rebuilt states must equal the server. With `rests`, the resourceVersion
   * then advances outside the collection until bookmarks report it.
   */
  | { readonly do: "quiet"; readonly rests?: boolean };

/** A fault of the server or the machine, not of one connection. */
export type Disaster =
  | { readonly kind: "compaction" }
  /** Kills the server, which refuses this number of requests until it is back. */
  | { readonly kind: "crash"; readonly refused: number }
  | { readonly kind: "clock-jump"; readonly ms: number }
  /** Makes this number of handshakes fail with an untrusted certificate, until the new one is trusted. */
  | { readonly kind: "certificate-swap"; readonly refused: number };

/** A storm as data. */
export interface StormPlan {
  readonly seed: number;
  /** Number of objects at the start. */
  readonly objects: number;
  readonly steps: readonly StormStep[];
}

/** Options of a plan. */
export interface StormPlanOptions {
  readonly seed: number;
  /** Minimum number of faults. */
  readonly faults: number;
  /** Number of objects at the start. Default 1,000. */
  readonly objects?: number;
  /** Kinds to leave out because of known problems. */
  readonly without?: ReadonlySet<FaultKind>;
}

/** Relative frequency of each kind; disasters are expensive on a real server. */
const weights: Readonly<Record<FaultKind, number>> = {
  "reset-before-headers": 6,
  "reset-during-headers": 6,
  "body-cut": 10,
  "body-end": 6,
  "half-open-headers": 3,
  "half-open-body": 5,
  "slow-drip": 4,
  "410-at-watch": 4,
  "410-event": 4,
  "410-at-continue": 3,
  "429": 5,
  "429-retry-after": 5,
  "500": 5,
  "503": 5,
  "duplicate-events": 5,
  "reordered-events": 5,
  compaction: 1,
  crash: 1,
  "clock-jump": 2,
  "certificate-swap": 1,
};

/**
 * Maximum number of faults between two quiet points. Small numbers are as likely as large ones, so that some intervals
 * pass without a relist.
 */
const mostFaultsBetweenQuiets = 100;

/**
 * Share of the writes that go to the same object as the previous one, so that a stale server repeats events from before
 * its deletion.
 */
const sameObjectShare = 0.3;

/** Share of the quiet points that wait for bookmarks, which takes a while on a real clock. */
const restingShare = 0.2;

/** Returns the plan of a seed. */
export function stormPlan({
  seed,
  faults,
  objects = 1_000,
  without = new Set(),
}: StormPlanOptions): StormPlan {
  const random = randomFrom(seed);
  const kinds = (Object.keys(weights) as FaultKind[]).filter((kind) => !without.has(kind));
  const lots = kinds.flatMap((kind) => Array.from({ length: weights[kind] }, () => kind));
  const steps: StormStep[] = [];
  let untilQuiet = 1;
  for (let planned = 1; planned <= faults; planned++) {
    steps.push(...writes(random, objects), ...faultSteps(random, pick(random, lots)));
    steps.push(...writes(random, objects), ...passing(random));
    if (--untilQuiet === 0 || planned === faults) {
      steps.push(random() < restingShare ? { do: "quiet", rests: true } : { do: "quiet" });
      untilQuiet = Math.ceil(mostFaultsBetweenQuiets ** random());
    }
  }
  return { seed, objects, steps };
}

function faultSteps(random: Random, kind: FaultKind): StormStep[] {
  switch (kind) {
    case "compaction":
      return [{ do: "noise" }, { do: "disaster", disaster: { kind } }];
    case "crash":
    case "certificate-swap":
      return [{ do: "disaster", disaster: { kind, refused: upTo(random, 3) } }];
    case "clock-jump": {
      // From a second to about a day, in both directions.
      const ms = Math.floor(10 ** (3 + random() * 5)) * (random() < 0.5 ? -1 : 1);
      return [{ do: "disaster", disaster: { kind, ms } }];
    }
    default: {
      // Only lists have pages, and only the second informer always lists.
      const on = kind === "410-at-continue" ? "listing" : pick(random, followerNames);
      return [{ do: "strike", on, fault: { kind, bytes: bytesOf(random, kind) } }];
    }
  }
}

/**
 * Returns a number of bytes in which each power of ten is equally likely: within the first frame, within the first
 * events, deep in a list.
 */
function bytesOf(random: Random, kind: FaultKind): number {
  return kind === "slow-drip" ? upTo(random, 16) : Math.floor(10 ** (random() * 5)) - 1;
}

function writes(random: Random, objects: number): StormStep[] {
  let object = Math.floor(random() * objects);
  return Array.from({ length: Math.floor(random() * 4) }, () => {
    const lot = random();
    const verb = lot < 0.7 ? "put" : lot < 0.9 ? "delete" : "replace";
    if (random() >= sameObjectShare) {
      object = Math.floor(random() * objects);
    }
    return { do: "write", verb, object };
  });
}

function passing(random: Random): StormStep[] {
  const lot = random();
  return lot < 0.4
    ? []
    : [{ do: "pass", ms: lot < 0.6 ? 0 : Math.floor(10 ** (1 + random() * 3.8)) }];
}

function pick<T>(random: Random, values: readonly T[]): T {
  return values[Math.floor(random() * values.length)] as T;
}

/** Returns a whole number from 1 to `most`. */
function upTo(random: Random, most: number): number {
  return 1 + Math.floor(random() * most);
}
