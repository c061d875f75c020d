import type { Goal } from "./goal.js";

/** Reason why goals are out of reach. */
interface Bound {
  readonly task: RegExp;
  readonly program?: RegExp;
  readonly baseline?: RegExp;
  readonly metric?: Goal["metric"];
  /** Reason as it appears after a colon, without a full stop. */
  readonly why: string;
}

/** Reasons found in profiles of missed goals; the first match applies. */
const bounds: readonly Bound[] = [
  {
    task: /-50k$/,
    metric: "blockMs",
    why: "the stop is one collection of V8's young generation, 42 of 44 ms in a trace: a list keeps what it makes, so nearly all of it is copied. Turns are shorter than that, and `--max-semi-space-size=16` halves it",
  },
  {
    task: /^list-10k$/,
    program: /^TypeKube JSON, lean/,
    why: "a third of a first list is collections of what survives; reading objects by what others looked like is another, at first not compiled; strings are a tenth",
  },
  {
    task: /^list-10k$/,
    program: /^TypeKube JSON$/,
    why: "two fifths of a first list are collections of what survives, as it comes in pieces; reading objects by what others looked like is a quarter, at first not compiled",
  },
  {
    task: /^list-10k$/,
    program: /protobuf/,
    why: "a third of a first list is compiling on the way and collections of what survives; the same list in a program that runs for long is the row of the fifth",
  },
  {
    task: /^list-10k$/,
    program: /CBOR/,
    why: "a quarter of a first list is collections of what survives; reading maps and finding the shape that their keys make, which servers shuffle, is another quarter",
  },
  {
    task: /^list-10k-warm/,
    why: "what is left of it are property stores, the table of common strings and collections; code generated for each type was tried: 8 % less decoding, and a first list for 22 % more",
  },
  {
    task: /^watch-events/,
    program: /JSON/,
    why: "decoding is most of an event: reading it by what others of its kind looked like, and the fields of managers, whose keys are others in each object, by far the most of that",
  },
  {
    task: /^watch-events/,
    program: /protobuf/,
    why: "decoding is three fifths of an event, a third of that strings, the rest spread over the loop over the table and small messages; receiving and collections follow. Code generated for each type was tried: 8 % less decoding",
  },
  {
    task: /^informer-events/,
    why: "most of an event is decoding it, as for watches",
  },
  {
    task: /^get-/,
    baseline: /^client-go$/,
    why: "a fifth of a call is writing its request to TLS and a twelfth reading the text of managedFields, which client-go keeps as bytes; undici, its streams and promises are most of the rest",
  },
  {
    task: /^get-/,
    why: "writing to TLS and `JSON.parse` are nearly half of a call for both; deadlines, attempts, credentials and negotiation add 10 to 20 us to 250, about what the difference of two equal programs is here",
  },
  {
    task: /^informer-sync-50k/,
    metric: "maxRssMb",
    why: "half of it are objects and a fifth is Node itself; most of the rest is V8's young generation, which grows to two times 64 MB while everything that comes is kept. `--max-semi-space-size=16` keeps it small: a row of its own. The body takes no part: its chunks are freed as they are read",
  },
  {
    task: /^real-/,
    why: "server and client share the cores of the machine, so that the figure changes much from run to run; a third of ours is on V8's other threads, half of it compiling, which Go does beforehand, half of it collecting",
  },
  {
    task: /^embedded-create/,
    why: "JSON, written and read on both sides, is a fifth of it; collections and microtasks follow, and the owners of fields. No part is above 11 %",
  },
];

/** Returns the known reason why a goal is out of reach. */
export function boundOf({ task, program, metric, baseline }: Goal): string | undefined {
  return bounds.find(
    (bound) =>
      bound.task.test(task) &&
      (bound.program?.test(program) ?? true) &&
      (bound.baseline?.test(baseline ?? "") ?? true) &&
      (bound.metric ?? metric) === metric,
  )?.why;
}
