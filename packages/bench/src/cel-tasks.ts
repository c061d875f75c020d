import type { Row, Task } from "./task.js";

/** Returns the tasks on validation rules (CEL) and custom resources. */
export function celTasks(quick: boolean): Task[] {
  const base = { pods: 10_000, repeats: quick ? 1 : 3 };
  return [
    { name: "cel-small", ...base, count: quick ? 20_000 : 200_000, rows: pairOf("small") },
    { name: "cel-list", ...base, count: quick ? 2_000 : 10_000, rows: pairOf("list") },
    { name: "cel-compile", ...base, count: quick ? 300 : 1_000, rows: pairOf("compile") },
    { name: "cel-import", ...base, count: 1, rows: importRows },
    {
      name: "cel-updates",
      pods: 10_000,
      count: quick ? 1_000 : 10_000,
      rows: [ownRow("updates", "")],
    },
    {
      name: "cel-create",
      ...base,
      count: quick ? 2_000 : 20_000,
      rows: [
        { program: "TypeKube, ten rules", cell: "cel-create-typekube", variant: "10" },
        {
          program: "TypeKube, no rules",
          cell: "cel-create-typekube",
          variant: "0",
          baseline: "no rules",
        },
      ],
    },
    { name: "cel-define", ...base, count: quick ? 20 : 200, rows: [ownRow("define", "")] },
    { name: "cel-definitions", ...base, count: 100, rows: [ownRow("definitions", "")] },
    { name: "cel-generate", ...base, count: 200, rows: [ownRow("generate", "")] },
  ];
}

/** A program on Kubernetes' own packages, with their costs, beside ours. */
function pairOf(task: string): Row[] {
  return [
    ownRow(task, ""),
    { program: "cel-go", cell: `cel-${task}-cel-go`, variant: "", baseline: "cel-go" },
  ];
}

function ownRow(task: string, variant: string): Row {
  return { program: "TypeKube", cell: `cel-${task}-typekube`, variant };
}

/** An embedded server loads the second with the first rule. */
const importRows: readonly Row[] = ["typekube/cel", "@typekube/schema/rules"].map((specifier) => ({
  program: specifier,
  cell: "import-entry-typekube",
  variant: specifier,
}));
