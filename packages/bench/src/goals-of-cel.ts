import type { Goal } from "./goal.js";

/** TypeKube's goals for validation rules and custom resources. */
export const goalsOfCel: readonly Goal[] = [
  toCelGo("a rule that compares two fields, CPU of all threads", "cel-small", 0.3),
  toCelGo("a rule over a list of 100, CPU of all threads", "cel-list", 0.5),
  toCelGo("a schema read and its rule compiled, CPU of all threads", "cel-compile", 1),
  {
    what: "memory of 1,000 schemas with a compiled rule each, MB",
    task: "cel-compile",
    program: "TypeKube",
    metric: "keptMb",
    count: 1_000,
    // 20 KB each.
    most: 20,
  },
  {
    what: "growth of the heap over 10,000 updates of a definition's rule, MB",
    task: "cel-updates",
    program: "TypeKube",
    metric: "growthMb",
    count: 10_000,
    most: 1,
  },
  {
    what: "import of CEL, CPU of the main thread, ms",
    task: "cel-import",
    program: "typekube/cel",
    metric: "mainMs",
    most: 15,
  },
  {
    what: "create of a custom resource with ten rules on the embedded API server, wall time",
    task: "cel-create",
    program: "TypeKube, ten rules",
    metric: "wallMs",
    baseline: "no rules",
    most: 1.5,
  },
  {
    what: "200 definitions of 300 fields each from zod schemas, ms",
    task: "cel-define",
    program: "TypeKube",
    metric: "wallMs",
    count: 200,
    // 5 ms each.
    most: 1_000,
  },
  {
    what: "creates of 100 real definitions on the embedded API server, ms",
    task: "cel-definitions",
    program: "TypeKube",
    metric: "wallMs",
    most: 900,
  },
  {
    what: "heap of an embedded API server above idle after 100 real definitions, MB",
    task: "cel-definitions",
    program: "TypeKube",
    metric: "growthMb",
    most: 55,
  },
  {
    what: "types of 200 definitions, ms",
    task: "cel-generate",
    program: "TypeKube",
    metric: "wallMs",
    most: 10_000,
  },
  {
    what: "memory for the types of 200 definitions, MB",
    task: "cel-generate",
    program: "TypeKube",
    metric: "maxRssMb",
    most: 500,
  },
];

function toCelGo(what: string, task: string, most: number): Goal {
  return { what, task, program: "TypeKube", metric: "cpuMs", baseline: "cel-go", most };
}
