import type { Row, Task } from "./task.js";

const mb = 1_000_000;
const mib = 2 ** 20;

/** Returns the tasks of calls into pods. */
export function podTasks(quick: boolean): Task[] {
  const repeats = quick ? 1 : 3;
  const task = (name: string, count: number, rows: readonly Row[], more: Partial<Task> = {}) => ({
    name: `pod-${name}`,
    pods: 1,
    isPodCall: true,
    count,
    repeats,
    rows,
    ...more,
  });
  const forward = (name: string, connections: number, bytes: number) =>
    task(
      `forward-${name}`,
      quick ? bytes / 16 : bytes,
      rowsOf("forward", `${connections}`, ["client-go", "client-node", "kubectl"]),
      { isForward: true },
    );
  const output = (quick ? 40 : 400) * mb;
  return [
    task("exec-output", output, rowsOf("exec-output", "", ["client-go", "client-node"])),
    // Each program waits for two seconds.
    task("exec-unread", output, rowsOf("exec-unread", "", ["client-go", "client-node"]), {
      repeats: 1,
    }),
    task(
      "exec-10k",
      quick ? 500 : 10_000,
      [
        ...rowsOf("exec-row", "", ["client-go", "client-node"]),
        {
          program: "TypeKube, container not given",
          cell: "pod-exec-row-typekube",
          variant: "chosen",
        },
      ],
      { repeats: 1 },
    ),
    forward("1gib", 1, 1024 * mib),
    forward("100x10mib", 100, 100 * 10 * mib),
    task("logs-follow", quick ? 200_000 : 2_000_000, [
      ...rowsOf("logs", "", ["client-go", "client-node"]),
      { program: "TypeKube, without follow", cell: "pod-logs-typekube", variant: "whole" },
      { program: "client-go with timestamps", cell: "pod-logs-client-go", variant: "times" },
    ]),
    ...(["from", "to"] as const).map((way) =>
      task(`cp-${way}-10k`, 10_000, rowsOf("cp", way, ["client-node", "kubectl"])),
    ),
  ];
}

type Peer = "client-go" | "client-node" | "kubectl";

/** Returns a row of TypeKube and one of each peer, which is a baseline. */
function rowsOf(task: string, variant: string, peers: readonly Peer[]): Row[] {
  return [
    { program: "TypeKube", cell: `pod-${task}-typekube`, variant },
    ...peers.map((peer) => ({
      program: peer,
      cell: `pod-${task}-${peer}`,
      variant,
      baseline: peer,
    })),
  ];
}
