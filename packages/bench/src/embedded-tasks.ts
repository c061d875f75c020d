import type { Row, Task } from "./task.js";

/** Returns the tasks on the embedded API server, which has no peers. */
export function embeddedTasks(quick: boolean): Task[] {
  const rows = (cell: string): Row[] => [
    { program: "TypeKube", cell: `embedded-${cell}-typekube`, variant: "" },
  ];
  return [
    {
      name: "embedded-calls",
      pods: 10_000,
      count: quick ? 50 : 500,
      rows: [
        { program: "TypeKube over TLS", cell: "embedded-calls-typekube", variant: "tls" },
        {
          program: "TypeKube over plain HTTP",
          cell: "embedded-calls-typekube",
          variant: "plain",
          baseline: "plain HTTP",
        },
        // The same exchanges without Kubernetes. The ratio of the two rows is the cost of TLS alone.
        { program: "Node over TLS", cell: "embedded-calls-floor", variant: "tls" },
        {
          program: "Node over plain HTTP",
          cell: "embedded-calls-floor",
          variant: "plain",
          baseline: "floor",
        },
        { program: "floor (control)", cell: "embedded-calls-floor", variant: "plain" },
      ],
    },
    { name: "embedded-start", pods: 10_000, count: 1, rows: rows("start") },
    {
      name: "embedded-create",
      pods: 10_000,
      count: quick ? 2_000 : 20_000,
      repeats: quick ? 1 : 3,
      rows: rows("create"),
    },
    {
      name: "embedded-fanout-1000",
      pods: 10_000,
      count: quick ? 20_000 : 100_000,
      rows: rows("fanout"),
    },
    {
      name: "embedded-check",
      pods: 10_000,
      count: quick ? 1_000 : 10_000,
      rows: ["ConfigMap", "Deployment"].map((kind) => ({
        program: `TypeKube, ${kind}s`,
        cell: "check-typekube",
        variant: kind,
      })),
    },
  ];
}
