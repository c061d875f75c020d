import type { Row, Task } from "./task.js";

const smallHeap = { nodeArguments: ["--max-semi-space-size=16"] } as const;

/** Returns the tasks of reads that keep eight fields of each object, and of settings of Node. */
export function fieldsTasks(quick: boolean): Task[] {
  const repeats = quick ? 1 : 3;
  return [
    ...(quick ? [] : syncTasks),
    {
      name: "fields-list-10k",
      pods: 10_000,
      count: 10_000,
      repeats,
      rows: [
        row("TypeKube protobuf, eight fields", "list-typekube", "auto lean fields"),
        row("TypeKube JSON, eight fields", "list-typekube", "json lean fields"),
        row("TypeKube protobuf", "list-typekube", "auto lean", "whole objects"),
        row("TypeKube JSON", "list-typekube", "json lean", "whole objects, JSON"),
      ],
    },
    {
      name: "fields-events",
      pods: 10_000,
      count: quick ? 10_000 : 100_000,
      rows: [
        row("TypeKube protobuf, eight fields", "informer-events-typekube", "auto fields"),
        row("TypeKube JSON, eight fields", "informer-events-typekube", "json fields"),
        row("TypeKube protobuf", "informer-events-typekube", "auto", "whole objects"),
        row("TypeKube JSON", "informer-events-typekube", "json", "whole objects, JSON"),
      ],
    },
    {
      name: "settings-import",
      pods: 10_000,
      count: 1,
      repeats,
      rows: [
        row("TypeKube, module.enableCompileCache()", "import-typekube", "compile cache"),
        row("TypeKube", "import-typekube", "", "defaults"),
      ],
    },
  ];
}

/** Settings of Node that change a list from a kube-apiserver. */
export const settingsTask: Task = {
  name: "settings-list-10k",
  pods: 10_000,
  count: 10_000,
  repeats: 3,
  real: true,
  rows: [
    ...[
      [],
      ["--max-semi-space-size=16"],
      ["--min-semi-space-size=32", "--max-semi-space-size=32"],
      ["--no-opt"],
      ["--single-threaded-gc"],
    ].map((nodeArguments) => ({
      ...row(
        ["TypeKube protobuf, lean", ...nodeArguments].join(", "),
        "list-typekube",
        "auto lean",
        nodeArguments.length === 0 ? "defaults" : undefined,
      ),
      nodeArguments,
    })),
    row("client-go protobuf", "list-client-go", "protobuf", "client-go"),
  ],
};

const syncTasks: readonly Task[] = [
  {
    name: "fields-sync-50k",
    pods: 50_000,
    count: 50_000,
    rows: [
      row("TypeKube protobuf, eight fields", "informer-typekube", "auto streaming fields"),
      {
        ...row(
          "TypeKube protobuf, eight fields, --max-semi-space-size=16",
          "informer-typekube",
          "auto streaming fields",
        ),
        ...smallHeap,
      },
      row("TypeKube JSON, eight fields", "informer-typekube", "json fields"),
      row("TypeKube protobuf", "informer-typekube", "auto streaming", "whole objects"),
      row("TypeKube JSON", "informer-typekube", "json", "whole objects, JSON"),
      row("undici, frames counted", "fields-floor", "protobuf frames"),
      row("undici, frames decoded into a map", "fields-floor", "protobuf decoded"),
      row("client-go protobuf", "informer-client-go", "protobuf", "client-go"),
      row(
        "client-go protobuf, eight fields",
        "informer-client-go",
        "protobuf fields",
        "client-go fields",
      ),
    ],
  },
  {
    name: "fields-sync-200k",
    pods: 200_000,
    count: 200_000,
    rows: [
      row("TypeKube protobuf, eight fields", "informer-typekube", "auto streaming fields"),
      {
        ...row(
          "TypeKube protobuf, eight fields, --max-semi-space-size=16",
          "informer-typekube",
          "auto streaming fields",
        ),
        ...smallHeap,
      },
    ],
  },
];

function row(program: string, cell: string, variant: string, baseline?: Row["baseline"]): Row {
  return { program, cell, variant, baseline };
}
