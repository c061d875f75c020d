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
    why: "the block is one garbage collection of V8's young generation, 42 of 44 ms in a trace: a list keeps all objects that it creates, so nearly all of them are copied. Turns are shorter than that, and `--max-semi-space-size=16` halves it",
  },
  {
    task: /^list-10k$/,
    program: /^TypeKube JSON, lean/,
    why: "a third of a first list is garbage collections of surviving objects; another third is reading objects by the shapes of earlier ones, at first not compiled; strings are a tenth",
  },
  {
    task: /^list-10k$/,
    program: /^TypeKube JSON$/,
    why: "two fifths of a first list are garbage collections of objects that survive because the list arrives in chunks; a quarter is reading objects by the shapes of earlier ones, at first not compiled",
  },
  {
    task: /^list-10k$/,
    program: /protobuf/,
    why: "a third of a first list is compilation during the list and garbage collections of surviving objects; the row of the fifth list shows a long-running program",
  },
  {
    task: /^list-10k$/,
    program: /CBOR/,
    why: "a quarter of a first list is garbage collections of surviving objects; another quarter is reading maps and finding the shape of their keys, which servers shuffle",
  },
  {
    task: /^list-10k-warm/,
    why: "the rest is property stores, the table of common strings and garbage collections; code generated for each type was tried: 8 % less decoding, but 22 % more for a first list",
  },
  {
    task: /^watch-events/,
    program: /JSON/,
    why: "most of an event is decoding: reading it by the shapes of earlier objects of its kind, and by far the most of that the managed fields, whose keys differ in each object",
  },
  {
    task: /^watch-events/,
    program: /protobuf/,
    why: "decoding is three fifths of an event, a third of that strings, the rest spread over the loop over the table and small messages; receiving and garbage collections follow. Code generated for each type was tried: 8 % less decoding",
  },
  {
    task: /^informer-events/,
    why: "most of an event is decoding it, as for watches",
  },
  {
    task: /^get-/,
    baseline: /^client-go$/,
    why: "a fifth of a call is writing its request to TLS and a twelfth is parsing managedFields, which client-go keeps as bytes; most of the rest is undici with its streams and promises",
  },
  {
    task: /^get-/,
    why: "writing to TLS and `JSON.parse` are nearly half of a call for both; deadlines, attempts, credentials and negotiation add 10 to 20 us to 250 us, about as much as two equal programs differ here",
  },
  {
    task: /^informer-sync-50k/,
    metric: "maxRssMb",
    why: "half of it is objects and a fifth is Node itself; most of the rest is V8's young generation, which grows to two times 64 MB while all received objects are kept. `--max-semi-space-size=16` keeps it small: see its own row. The body does not count: its chunks are freed as they are read",
  },
  {
    task: /^real-/,
    why: "server and client share the cores of the machine, so the figure varies much between runs; a third of ours is on V8's other threads, half of that compilation, which Go does at build time, and half garbage collection",
  },
  {
    task: /^embedded-create/,
    why: "JSON, written and read on both sides, is a fifth of it; garbage collections, microtasks and field ownership follow. None of these is above 11 %",
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
