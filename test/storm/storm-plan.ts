import type { Random } from "@typekube/core/internal";
import { type Fault, type FaultKind, type FollowerName, followerNames } from "./faults/fault.js";
import { randomFrom } from "./random.js";

/** One thing that happens in a storm. Plain data: a plan can be printed and read back. */
export type StormStep =
  /** An object is created or changed (`put`), removed, or removed and made anew (`replace`). */
  | { readonly do: "write"; readonly verb: "delete" | "put" | "replace"; readonly object: number }
  /** Versions go on without the collection that is watched. */
  | { readonly do: "noise" }
  /** A fault for one of the informers; it strikes with the next bytes or the next request that it fits. */
  | { readonly do: "strike"; readonly on: FollowerName; readonly fault: Fault }
  /** A fault of everybody. */
  | { readonly do: "disaster"; readonly disaster: Disaster }
  | { readonly do: "pass"; readonly ms: number }
  /**
   * Everything heals; then the caches and what handlers rebuilt must equal the server. With `rests`, versions then go on without the
   * collection until bookmarks have told so.
   */
  | { readonly do: "quiet"; readonly rests?: boolean };

/** A fault that the server or the machine has, not one connection. */
export type Disaster =
  | { readonly kind: "compaction" }
  /** The server dies and refuses so many requests until it is back. */
  | { readonly kind: "crash"; readonly refused: number }
  | { readonly kind: "clock-jump"; readonly ms: number }
  /** So many handshakes meet a certificate that nobody trusts, then a new good one. */
  | { readonly kind: "certificate-swap"; readonly refused: number };

/** A storm as data. */
export interface StormPlan {
  readonly seed: number;
  /** How many objects there are at the start. */
  readonly objects: number;
  readonly steps: readonly StormStep[];
}

/** What a plan is made from. */
export interface StormPlanOptions {
  readonly seed: number;
  /** How many faults strike at least. */
  readonly faults: number;
  /** Default 1,000. */
  readonly objects?: number;
  /** Kinds to leave out: what is known not to work. */
  readonly without?: ReadonlySet<FaultKind>;
}

/** How often each kind is drawn; disasters are dear on a real server. */
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

/** Faults between two quiet points, at most; few are as likely as many, so that some intervals pass without a new list. */
const mostFaultsBetweenQuiets = 100;

/** Share of the writes that are of the object that was written before: what a stale server tells may be of its life before. */
const sameObjectShare = 0.3;

/** Share of the quiet points that wait for bookmarks: some time, where time is real. */
const restingShare = 0.2;

/** The plan that follows from a seed. */
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
      // From a second to a day, either way.
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

/** Each power of ten is as likely as the others: within the first frame, within the first events, deep in a list. */
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

/** A whole number from 1. */
function upTo(random: Random, most: number): number {
  return 1 + Math.floor(random() * most);
}
