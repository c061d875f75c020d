import { celTasks } from "./cel-tasks.js";
import { controllerTasks, realControllerTasks } from "./controller-tasks.js";
import { embeddedTasks } from "./embedded-tasks.js";
import { exploreTasks } from "./explore-tasks.js";
import { type Faults, writeEveryMs } from "./faulty-writes.js";
import { fieldsTasks, settingsTask } from "./fields-tasks.js";
import { podTasks } from "./pod-tasks.js";
import { type Runtime, runtimeNames } from "./runtimes.js";
import type { Baseline, Row, Task } from "./task.js";

const listVariants = [
  ["TypeKube JSON", "json"],
  ["TypeKube JSON, lean", "json lean", "TypeKube JSON"],
  ["TypeKube protobuf", "auto"],
  ["TypeKube protobuf, lean", "auto lean", "TypeKube"],
  ["TypeKube protobuf, lean, shared", "auto lean shared"],
  ["TypeKube CBOR", "cbor"],
  ["TypeKube CBOR, lean", "cbor lean"],
] as const;

// Includes no compilation, unlike a first list: the program lists again.
const warmVariants = [
  ["TypeKube JSON", "json warm"],
  ["TypeKube JSON, lean", "json lean warm"],
  ["TypeKube protobuf, lean", "auto lean warm"],
] as const;

const pagedVariants = [
  ["TypeKube JSON", "json pages"],
  ["TypeKube protobuf, lean", "auto lean pages"],
] as const;

// Informers drop managedFields by default.
const informerVariants = [
  ["TypeKube JSON", "json", "TypeKube JSON"],
  ["TypeKube protobuf", "auto"],
  ["TypeKube protobuf, streaming", "auto streaming", "TypeKube"],
] as const;

const eventVariants = [
  ["TypeKube JSON", "json", "TypeKube JSON"],
  ["TypeKube protobuf", "auto", "TypeKube"],
] as const;

type Variants = readonly (readonly [program: string, variant: string, baseline?: Baseline])[];

/**
 * Returns the tasks of a run; a quick run omits the large ones and lowers the counts.
 *
 * @param long - lets the tasks with steady updates take ten minutes instead of two.
 */
export function planTasks(quick: boolean, long = false): Task[] {
  const small = smallTasks(quick);
  return [
    ...(quick ? small : [...small.map(withOneCore), ...largeTasks, ...realControllerTasks(long)]),
    ...podTasks(quick),
    ...exploreTasks(quick),
    ...fieldsTasks(quick),
    ...(quick ? [] : [settingsTask]),
  ];
}

function smallTasks(quick: boolean): Task[] {
  const calls = quick ? 500 : 5_000;
  const events = quick ? 10_000 : 100_000;
  const small = { pods: 10_000, count: 10_000 };
  const repeats = quick ? 1 : 3;
  const call = { pods: 10_000, count: calls, repeats };
  return [
    { name: "list-10k", ...small, repeats, rows: rowsOf("list", listVariants) },
    {
      name: "list-10k-warm",
      ...small,
      repeats,
      rows: without("client", rowsOf("list", warmVariants, "warm")),
    },
    { name: "list-10k-pages", ...small, rows: rowsOf("list", pagedVariants, "pages") },
    { name: "informer-sync-10k", ...small, repeats, rows: rowsOf("informer", informerVariants) },
    {
      name: "informer-events",
      pods: 10_000,
      count: events,
      rows: rowsOf("informer-events", eventVariants),
    },
    { name: "watch-events", pods: 10_000, count: events, rows: rowsOf("watch", listVariants) },
    ...[1, 16, 64].map((concurrency) => ({
      name: `get-tls-${concurrency}`,
      ...call,
      secure: true,
      rows: getRows(concurrency),
    })),
    {
      name: "create",
      ...call,
      rows: rowsOf("write", [["TypeKube", "create 16"]], "create 16"),
    },
    {
      name: "patch",
      ...call,
      rows: rowsOf("write", [["TypeKube", "patch 16"]], "patch 16"),
    },
    {
      name: "import",
      pods: 10_000,
      count: 1,
      repeats,
      rows: without("client-go", rowsOf("import", [["TypeKube", ""]])),
    },
    { name: "import-entries", pods: 10_000, count: 1, rows: entryRows },
    ...embeddedTasks(quick),
    ...celTasks(quick),
    ...controllerTasks(quick),
    ...lagTasks(quick),
  ];
}

/** Returns the tasks that measure the cache's lag behind writes while watches are cut, against client-go. */
function lagTasks(quick: boolean): Task[] {
  const task = (name: string, faults: Faults, seconds: number): Task => ({
    name,
    pods: 0,
    count: (seconds * 1_000) / writeEveryMs,
    faults,
    rows: without("client-node", rowsOf("lag", [["TypeKube JSON", "json"]])).filter(
      ({ program }) => !program.startsWith("floor"),
    ),
  });
  const warmUpMs = 2_000;
  return [
    task("lag-cut-1500ms", { cutEveryMs: 1_500, warmUpMs }, quick ? 5 : 30),
    ...(quick
      ? []
      : [
          task("lag-cut-6s", { cutEveryMs: 6_000, warmUpMs }, 40),
          // The two seconds before the outage, the outage, and the longest back-off that may follow it.
          task(
            "lag-cut-20s-after-outage",
            { cutEveryMs: 20_000, outageMs: 8_000, warmUpMs: 36_000 },
            60,
          ),
        ]),
  ];
}

/** Rows for the cost of importing one entry point. */
const entryRows: readonly Row[] = [
  "typekube",
  "typekube/api/core/v1",
  "typekube/config",
  "typekube/controller",
  "typekube/lifecycle",
  "typekube/opentelemetry",
  "@typekube/core",
  "@typekube/apiserver",
].map((specifier) => ({
  program: specifier,
  cell: "import-entry-typekube",
  variant: specifier,
}));

/** Returns tasks with the same programs on another runtime than Node 24, with the floor on that runtime. */
function runtimeTasks(runtime: Runtime): Task[] {
  const own = (rows: readonly Row[]) => without("client", rows);
  return [
    {
      name: `list-10k on ${runtime}`,
      pods: 10_000,
      count: 10_000,
      runtime,
      rows: own(rowsOf("list", [listVariants[0], listVariants[3]])),
    },
    {
      name: `get-tls-16 on ${runtime}`,
      pods: 10_000,
      count: 2_000,
      secure: true,
      runtime,
      rows: own(rowsOf("get", [["TypeKube JSON", "16"]], "16")),
    },
  ];
}

/** Tasks on a kube-apiserver, against client-go. */
const realTasks: readonly Task[] = [
  realTask("list", [
    ["TypeKube protobuf", "auto"],
    ["TypeKube protobuf, lean", "auto lean"],
  ]),
  realTask("informer", informerVariants.slice(1)),
];

function realTask(task: "informer" | "list", variants: Variants): Task {
  return {
    name: `real-${task}-10k`,
    pods: 10_000,
    count: 10_000,
    // The server shares the cores, so rounds differ a lot.
    repeats: 3,
    real: true,
    rows: without("client-node", rowsOf(task, variants)).filter(
      ({ program }) => !/floor|JSON/.test(program),
    ),
  };
}

/**
 * Rows for the costs and benefits of settings: frozen objects, and a small young generation in V8, which otherwise
 * grows to twice 64 MB.
 */
const settingRows: readonly Row[] = [
  {
    program: "TypeKube protobuf, frozen",
    cell: "informer-typekube",
    variant: "auto freeze",
  },
  {
    program: "TypeKube protobuf, --max-semi-space-size=16",
    cell: "informer-typekube",
    variant: "auto",
    nodeArguments: ["--max-semi-space-size=16"],
  },
];

const large = { pods: 50_000, count: 50_000 };

const largeTasks: readonly Task[] = [
  ...runtimeNames.flatMap((runtime) => runtimeTasks(runtime)),
  {
    name: "informer-sync-1k",
    pods: 1_000,
    count: 1_000,
    repeats: 3,
    rows: rowsOf("informer", informerVariants),
  },
  { name: "list-50k", ...large, rows: rowsOf("list", listVariants) },
  { name: "list-50k-pages", ...large, rows: rowsOf("list", pagedVariants, "pages") },
  {
    name: "informer-sync-50k",
    ...large,
    rows: [...rowsOf("informer", informerVariants), ...settingRows],
  },
  {
    // A JSON list of this size exceeds V8's longest string: the floor cannot read it.
    name: "informer-sync-200k",
    pods: 200_000,
    count: 200_000,
    rows: without("client-node", rowsOf("informer", informerVariants.slice(1))).filter(
      ({ program }) => !/floor|JSON/.test(program),
    ),
  },
  ...realTasks,
];

function rowsOf(task: string, variants: Variants, common = ""): Row[] {
  const row = (program: string, peer: string, variant: string, baseline?: Baseline): Row => ({
    program,
    cell: `${task}-${peer}`,
    variant,
    baseline,
  });
  return [
    ...variants.map(([program, variant, baseline]) => row(program, "typekube", variant, baseline)),
    row("floor", "floor", common, "floor"),
    // The floor again: the distance of its ratio from 1 is the noise of the run.
    row("floor (control)", "floor", common),
    { ...row("client-node", "client-node", common, "client-node"), isSlow: true },
    row("client-go protobuf", "client-go", `${common} protobuf`, "client-go"),
    { ...row("client-go JSON", "client-go", `${common} json`, "client-go JSON"), isSlow: true },
  ];
}

/**
 * Returns the rows of GET tasks. With a `ca` from a kubeconfig, client-node opens a connection per call; its best case
 * is a CA that Node itself trusts.
 */
function getRows(concurrency: number): Row[] {
  return [
    ...rowsOf(
      "get",
      [
        ["TypeKube JSON", `${concurrency}`],
        ["TypeKube protobuf", `${concurrency} protobuf`],
      ],
      `${concurrency}`,
    ),
    {
      program: "undici, protobuf bytes",
      cell: "get-floor",
      variant: `${concurrency} protobuf`,
      baseline: "undici, protobuf bytes",
    },
    {
      program: "client-node, trusted CA",
      cell: "get-client-node",
      variant: `${concurrency} trusted`,
      baseline: "client-node, trusted CA",
    },
  ];
}

/** Adds client-go rows with one core to those with two, except for events in JSON, 100,000 of which take half a minute. */
function withOneCore(task: Task): Task {
  const more = task.rows
    .filter(({ cell }) => cell.endsWith("-client-go"))
    .filter(({ program }) => !(task.name.endsWith("-events") && program.endsWith("JSON")))
    .map(({ program, cell, variant }) => ({
      program: `${program}, one core`,
      cell,
      variant: `${variant} g1`,
      isSlow: true,
    }));
  return { ...task, rows: [...task.rows, ...more] };
}

/** Returns the rows without the programs whose names begin with `peer`. */
function without(peer: string, rows: readonly Row[]): Row[] {
  return rows.filter(({ program }) => !program.startsWith(peer));
}
