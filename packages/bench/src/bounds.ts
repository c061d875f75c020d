import type { Goal } from "./goals.js";

/** What stands in the way of goals. */
interface Bound {
  readonly task: RegExp;
  readonly program?: RegExp;
  readonly metric?: Goal["metric"];
  /** As it goes on after a colon, without a full stop. */
  readonly why: string;
}

/** What profiles show where a goal was missed; the first that fits says it. */
const bounds: readonly Bound[] = [
  {
    task: /-50k$/,
    metric: "blockMs",
    why: "the stop is one collection of V8's young generation, 42 of 44 ms in a trace: a list keeps what it makes, so nearly all of it is copied. Turns are shorter than that, and `--max-semi-space-size=16` halves it",
  },
  {
    task: /^list-10k$/,
    program: /^TypeKube JSON, lean/,
    why: "`JSON.parse` of what is left is two thirds of the figure; finding what is cut out and proving the cut, and collections of what survives between the pieces, which one large parse does not pay, are the rest",
  },
  {
    task: /^list-10k$/,
    program: /^TypeKube JSON$/,
    why: "lists are parsed in pieces as they arrive, and what survives from piece to piece is collected more often than beside one large parse, whose objects V8 puts where they stay",
  },
  {
    task: /^list-10k$/,
    program: /protobuf/,
    why: "a third of a first list is compiling on the way and collections of what survives; the same list in a program that runs for long is the row of the fifth",
  },
  {
    task: /^list-10k-warm/,
    why: "what is left of it are property stores, the table of common strings and collections; code generated for each type would spare a fifth of that and cost the first list more",
  },
  {
    task: /^watch-events/,
    program: /JSON/,
    why: "`JSON.parse` is nine tenths of decoding an event; beside that the search for large integers takes 1 us, finding and proving the cut of managedFields 1.5 us, of 25 to 33",
  },
  {
    task: /^watch-events/,
    program: /protobuf/,
    why: "decoding is 12 us of 21, spread over the loop over the table, common strings (5 us) and small messages; receiving and collections are the rest. Code generated for each type would be needed for less",
  },
  {
    task: /^informer-events/,
    why: "most of an event is decoding it, as for watches",
  },
  {
    task: /^get-/,
    why: "writing to TLS and `JSON.parse` are two thirds of a call for both; deadlines, attempts, credentials and negotiation add 10 to 20 us to 250, about what the difference of two equal programs is here",
  },
  {
    task: /^informer-sync-50k/,
    metric: "maxRssMb",
    why: "less than half of it are objects; the rest is Node itself and how far the heap grows before it is collected, which differs from run to run",
  },
  {
    task: /^real-/,
    why: "server and client share the cores of the machine, so that the figure changes more from run to run than it is away from the goal; and compiling is a part of ours that Go does beforehand",
  },
  {
    task: /^embedded-create/,
    why: "JSON, written and read on both sides, is a fifth of it; collections and microtasks follow, and the owners of fields. No part is above 11 %",
  },
];

/** Why a goal is out of reach, as far as it is known. */
export function boundOf({ task, program, metric }: Goal): string | undefined {
  return bounds.find(
    (bound) =>
      bound.task.test(task) &&
      (bound.program?.test(program) ?? true) &&
      (bound.metric ?? metric) === metric,
  )?.why;
}
