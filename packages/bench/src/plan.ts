/** One program's way to do a task. */
export interface Row {
  /** As the table shows it. */
  readonly program: string;
  /** The file in `cells`. */
  readonly cell: string;
  readonly variant: string;
  /** What every ratio is taken to. */
  readonly baseline?: "client-node" | "floor" | undefined;
}

/** One thing to do, and who does it. */
export interface Task {
  readonly name: string;
  /** Pods that the server has. */
  readonly pods: number;
  /** Objects, events or calls; what each program must count in the end. */
  readonly count: number;
  readonly rows: readonly Row[];
}

const listVariants = [
  ["TypeKube JSON", "json"],
  ["TypeKube JSON, lean", "json lean"],
  ["TypeKube protobuf", "auto"],
  ["TypeKube protobuf, lean", "auto lean"],
  ["TypeKube protobuf, lean, shared", "auto lean shared"],
  ["TypeKube CBOR", "cbor"],
  ["TypeKube CBOR, lean", "cbor lean"],
] as const;

// A first list pays for compiling; a program that lists again does not.
const warmVariants = [
  ["TypeKube JSON", "json warm"],
  ["TypeKube JSON, lean", "json lean warm"],
  ["TypeKube protobuf, lean", "auto lean warm"],
] as const;

// An informer is lean by itself.
const informerVariants = [
  ["TypeKube JSON", "json"],
  ["TypeKube protobuf", "auto"],
  ["TypeKube protobuf, streaming", "auto streaming"],
] as const;

type Variants = readonly (readonly [program: string, variant: string])[];

/** The tasks of a run; the quick one leaves out the large ones and counts less. */
export function planTasks(quick: boolean): Task[] {
  const calls = quick ? 1_000 : 5_000;
  return [
    { name: "list-10k", pods: 10_000, count: 10_000, rows: rowsOf("list", listVariants) },
    {
      name: "list-10k-warm",
      pods: 10_000,
      count: 10_000,
      rows: rowsOf("list", warmVariants, "warm").filter(
        ({ baseline }) => baseline !== "client-node",
      ),
    },
    {
      name: "informer-sync-10k",
      pods: 10_000,
      count: 10_000,
      rows: rowsOf("informer", informerVariants),
    },
    {
      name: "watch-events",
      pods: 10_000,
      count: quick ? 20_000 : 100_000,
      rows: rowsOf("watch", listVariants),
    },
    { name: "get", pods: 10_000, count: calls, rows: rowsOf("get", [["TypeKube", "1"]], "1") },
    {
      name: "get-concurrent-16",
      pods: 10_000,
      count: calls,
      rows: rowsOf("get", [["TypeKube", "16"]], "16"),
    },
    { name: "import", pods: 10_000, count: 1, rows: rowsOf("import", [["TypeKube", ""]]) },
    ...(quick
      ? []
      : [
          { name: "list-50k", pods: 50_000, count: 50_000, rows: rowsOf("list", listVariants) },
          {
            name: "informer-sync-50k",
            pods: 50_000,
            count: 50_000,
            rows: rowsOf("informer", informerVariants),
          },
        ]),
  ];
}

function rowsOf(task: string, variants: Variants, baselineVariant = ""): Row[] {
  return [
    ...variants.map(([program, variant]) => ({ program, cell: `${task}-typekube`, variant })),
    { program: "floor", cell: `${task}-floor`, variant: baselineVariant, baseline: "floor" },
    // The same once more: how far its ratio is from 1 is the noise of the run.
    { program: "floor (control)", cell: `${task}-floor`, variant: baselineVariant },
    {
      program: "client-node",
      cell: `${task}-client-node`,
      variant: baselineVariant,
      baseline: "client-node",
    },
  ];
}
