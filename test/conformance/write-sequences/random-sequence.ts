import { kindsOfSequences, type SequenceKind } from "./kinds-of-sequences.js";
import type { Step, StepKind } from "./step.js";

/** A repeatable generator of numbers in [0, 1). */
export type Random = () => number;

/** Returns the same numbers for the same seed (mulberry32). */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

function pick<T>(random: Random, items: readonly T[]): T {
  return items[Math.floor(random() * items.length)] as T;
}

const managers = ["?fieldManager=one", "?fieldManager=two"] as const;
const labels = [
  { labels: { tier: "a" } },
  { labels: { tier: "b" }, annotations: { note: "x" } },
  { annotations: { note: null } },
  { finalizers: ["example.com/hold"] },
  { finalizers: null },
];

/** Returns a sequence of writes to one object, the same for the same seed. */
export function randomSequence(seed: number): Step[] {
  const random = seeded(seed);
  const kind = pick(random, kindsOfSequences);
  const name = `s${seed}`;
  const first = random() < 0.3 ? "apply" : "create";
  const steps = [stepOf(first, kind, name, random)];
  const count = 3 + Math.floor(random() * 6);
  for (let at = 0; at < count; at++) {
    steps.push(stepOf(pick(random, kind.steps), kind, name, random));
  }
  return [...steps, { kind: "get", collection: kind.collection, name }];
}

function stepOf(step: StepKind, kind: SequenceKind, name: string, random: Random): Step {
  const { collection, apiVersion, kindName } = kind;
  const manager = pick(random, managers);
  const head = { apiVersion, kind: kindName };
  const target = { kind: step, collection, name };
  const change = pick(random, kind.changes);
  const metadata = random() < 0.4 ? pick(random, labels) : undefined;
  switch (step) {
    case "create":
      return { ...target, query: manager, body: { ...head, metadata: { name }, ...kind.object } };
    case "put":
      return {
        ...target,
        query: manager,
        versioned: random() < 0.3,
        body: { ...head, metadata: { name }, ...merged(kind.object, change) },
      };
    case "apply": {
      const force = random() < 0.5 ? "&force=true" : "";
      const whole = random() < 0.6 ? merged(kind.object, change) : change;
      const own = metadata?.labels === undefined ? {} : { labels: metadata.labels };
      return {
        ...target,
        query: `${manager}${force}`,
        body: { ...head, metadata: { name, ...own }, ...whole },
      };
    }
    case "mergePatch":
    case "strategicPatch":
      return { ...target, query: manager, body: { ...(metadata && { metadata }), ...change } };
    case "jsonPatch":
      return { ...target, query: manager, body: pick(random, kind.operations) };
    case "status":
      return { ...target, query: manager, body: { status: pick(random, kind.statuses) } };
    case "scale":
      return { ...target, query: manager, body: { spec: { replicas: Math.floor(random() * 4) } } };
    case "delete":
    case "get":
      return target;
    default:
      return step satisfies never;
  }
}

type Json = Readonly<Record<string, unknown>>;

function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Merges a change into an object; null removes. */
function merged(base: Json, change: Json): Json {
  const all: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(change)) {
    const before = all[key];
    if (value === null) {
      delete all[key];
    } else {
      all[key] = isJson(value) && isJson(before) ? merged(before, value) : value;
    }
  }
  return all;
}
