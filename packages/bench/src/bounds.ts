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
    why: "the block is one collection of V8's young generation, 42 of 44 ms in a trace: a list keeps the objects that it creates, so nearly all of them are copied. Our own time slices are shorter, and `--max-semi-space-size=16` halves the block",
  },
  {
    task: /^list-10k$/,
    program: /^TypeKube JSON, lean/,
    why: "a third of the CPU of a first list is garbage collection of surviving objects, a third is reading objects by the shape of earlier ones, at first in code that is not compiled yet, and a tenth is strings",
  },
  {
    task: /^list-10k$/,
    program: /^TypeKube JSON$/,
    why: "two fifths of the CPU of a first list are garbage collection of surviving objects, since the list arrives in pieces, and a quarter is reading objects by the shape of earlier ones, at first in code that is not compiled yet",
  },
  {
    task: /^list-10k$/,
    program: /protobuf/,
    why: "a third of the CPU of a first list is compilation and garbage collection of surviving objects; the row of the fifth list shows the same list in a long-running program",
  },
  {
    task: /^list-10k$/,
    program: /CBOR/,
    why: "a quarter of the CPU of a first list is garbage collection of surviving objects; another quarter is reading maps and finding the shape of their keys, whose order varies",
  },
  {
    task: /^list-10k-warm/,
    why: "the remaining cost is property stores, the table of common strings and garbage collection. Code generated for each type would decode 8 % faster, but cost 22 % more in a first list",
  },
  {
    task: /^watch-events/,
    program: /JSON/,
    why: "decoding is most of an event: reading it by the shape of earlier objects of its kind, and managedFields, whose keys differ in each object, by far the most of that",
  },
  {
    task: /^watch-events/,
    program: /protobuf/,
    why: "decoding is three fifths of an event; a third of that is strings, the rest the loop over the table and small messages. Receiving and garbage collection follow. Code generated for each type would decode 8 % faster",
  },
  {
    task: /^informer-events/,
    why: "decoding is most of an event, as for watches",
  },
  {
    task: /^get-/,
    program: /protobuf/,
    why: "writing to TLS is a fifth of a call. Decoding the pod takes as long as `JSON.parse` does, a third of it for managedFields, which are JSON; deadlines, retries, credentials and content negotiation are the rest of the difference",
  },
  {
    task: /^get-/,
    baseline: /^client-go/,
    why: "a fifth of a call is writing its request to TLS, and a twelfth is parsing managedFields, which client-go keeps as bytes; undici, its streams and promises are most of the rest",
  },
  {
    task: /^get-/,
    why: "writing to TLS and `JSON.parse` are nearly half of a call for both; deadlines, retries, credentials and content negotiation add 10 to 20 us to the 250 us of a call, about as much as two equal programs differ here",
  },
  {
    task: /^import$/,
    baseline: /^client-node/,
    why: "the packages had grown to 62 files when this was measured, and have 30 now: opening files is most of an import (docs/decisions/0014). With 30, a run of these tasks alone gave 0.68 of the floor and 0.15 of client-node, and 0.48 of its memory",
  },
  {
    task: /^lag-/,
    why: "99 of 100 writes arrive within 2 to 6 ms in all programs; they are measured in whole milliseconds, so that one more is another verdict",
  },
  {
    task: /^informer-sync-50k/,
    metric: "maxRssMb",
    why: "half of the memory is objects and a fifth is Node itself; most of the rest is V8's young generation, which grows to two times 64 MB while all objects are kept. `--max-semi-space-size=16` keeps it small; a row of its own shows this. The body adds nothing: its chunks are freed as they are read",
  },
  {
    task: /^fields-sync/,
    program: /JSON/,
    why: "receiving the bytes takes 0.18 of the CPU of whole pods by itself, and passing over the 140 MB of strings and brackets that are not kept another 0.11, at 1 ns a byte. Nine other loops, among them one without branches that counts the quotes and brackets of four bytes at once, were a tenth faster on their own at most, and not in a sync; a comparison with the value that was skipped before saved nothing",
  },
  {
    task: /^fields-sync/,
    metric: "maxRssMb",
    why: "72 MB of 231 are the objects of 200,000 pods, 0.36 KB each, and 70 MB are Node itself; most of the rest is V8's young generation, which grows while all objects are kept. A pod allocates 0.8 KB until it is cached, of which V8 collects the rest when 64 MB are full. With `--max-semi-space-size=16`, a row of its own, the peak is far lower",
  },
  {
    task: /^fields-sync/,
    why: "receiving the same bytes takes 0.21 of the CPU of whole pods by itself (a row of its own). A quarter of the CPU of eight fields is V8's compilation on other threads, which a cache of any size costs once: the second sync of a process takes 0.40 of whole pods, later ones 0.3 to 0.4. What made eight fields cheaper, made whole pods cheaper, too",
  },
  {
    task: /^real-/,
    why: "server and client share the machine's cores, so the figure varies much from run to run; two fifths of TypeKube's CPU are on V8's other threads, 230 ms of 390 for compilation, which Go does in advance, and the rest for garbage collection, and 85 ms inflate the body on a thread of Node. Flags change it by at most a twentieth (`settings-list-10k`)",
  },
  {
    task: /^explore-/,
    why: "a run takes about 3 ms of the main thread once V8 has compiled everything, after about 3,000 runs, and a fifth more on average until then, so that longer searches make more runs a second. A quarter is the writes of the operator and the user on the server, a quarter the start of the operator with four watches, an eighth encoding and decoding; no function takes more than 4 %",
  },
  {
    task: /^embedded-create/,
    why: "writing and reading JSON on both sides is a fifth; garbage collection, microtasks and managedFields follow. No single part is above 11 %",
  },
  {
    task: /^controller-queue/,
    metric: "keptMb",
    why: "a ready key has an entry of 120 bytes in the queue, and one in each of two tables, of the queue and of the causes of runs, of 37 bytes each",
  },
  {
    task: /^controller-queue/,
    why: "a quarter of the CPU is garbage collection of what lives as long as a key is ready; a fifth is the table of causes, a tenth that of keys, and a twentieth the scope that follows the calls of each run. One thread adds and reconciles; controller-runtime does both at once on two cores",
  },
  {
    task: /^controller-webhook/,
    why: "writing the response to TLS is more than a third of a review; no other part is above 6 %",
  },
  {
    task: /^import-entries/,
    program: /controller/,
    why: "the import of typekube is three quarters of it, most of that Node's own modules for TLS; the rest is compiling 320 kB of controllers",
  },
  {
    task: /^real-controller-drain/,
    metric: "maxRssMb",
    why: "the live heap is as large as controller-runtime's or smaller; the rest is Node itself and V8's young generation, which grows while all objects are kept",
  },
  {
    task: /^real-controller-drain/,
    why: "most of the time is the start of Node, its modules, and the informer, whose row shows it alone; code is compiled while it runs, which Go does in advance",
  },
  {
    task: /^real-controller-shards/,
    metric: "cpuMs",
    why: "a replica takes its shards one after the other and follows a larger selection after each, so it reads the objects of its first shard several times",
  },
  {
    task: /^cel-import/,
    why: "nearly all of it is V8 reading 330 kB of CEL and 260 kB of the pattern engine, a port of Go's package, at 15 kB per ms; minified code takes as long. Loading parts of it later would have to be synchronous, which bundlers do not follow",
  },
  {
    task: /^cel-definitions/,
    metric: "wallMs",
    why: "a third is reading and writing 10 MB of JSON on both sides, a quarter is compiling 900 rules and estimating their costs, and a seventh is garbage collection; the first rule also loads CEL",
  },
  {
    task: /^pod-exec-output/,
    why: "nearly a third of the CPU is garbage collection, and an eighth is the creation of buffers: the program gets the output in memory of its own, and V8 collects everything after each 64 MB of that, whereas client-go reads into one buffer. An empty read loop of Node is as fast as client-go only with a single buffer, too",
  },
  {
    task: /^pod-exec-10k/,
    metric: "latencyP50Ms",
    why: "a quarter of the CPU of a command is connecting and writing to the socket, most of it in the kernel, and a twentieth is garbage collection; no other part is above 3 %",
  },
  {
    task: /^pod-forward/,
    why: "writing to the local socket is a third of the CPU, and a fifth is garbage collection of the buffers that the tunnel is read into; one thread reads and writes, kubectl does both at once on two cores",
  },
  {
    task: /^pod-logs/,
    why: "decoding the text of lines is an eighth; the rest is spread over splitting, times and the promise of each line",
  },
  {
    task: /^pod-cp-from/,
    why: "each file takes seven calls of the file system, since it is written under another name, gets its attributes and is then renamed, and each of these goes through Node's threads; kubectl opens, writes and closes the file in place",
  },
  {
    task: /^pod-cp-to/,
    why: "a third of the CPU are calls of the file system, which go through Node's threads and cost several times their own time there; garbage collection is an eighth, and the start of Node and its modules is a fifth",
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
