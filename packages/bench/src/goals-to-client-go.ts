import type { Goal } from "./goal.js";
import type { Baseline } from "./task.js";

/** TypeKube's goals relative to client-go: protobuf against protobuf, JSON against JSON, informers with their defaults. */
export const goalsToClientGo: readonly Goal[] = [
  ...[
    ["watches cut every 1.5 s", "lag-cut-1500ms"],
    ["watches cut every 6 s", "lag-cut-6s"],
    ["watches cut every 20 s after an 8 s outage", "lag-cut-20s-after-outage"],
  ].map(([what, task]) => ({
    what: `lag of an informer behind writes, 99th percentile, ${what}`,
    task: task as string,
    program: "TypeKube JSON",
    metric: "latencyP99Ms" as const,
    baseline: "client-go JSON" as const,
    most: 1.5,
  })),
  toClientGo(
    "informer sync of 50,000 pods, wall time",
    "informer-sync-50k",
    "TypeKube protobuf, streaming",
    "wallMs",
    0.85,
  ),
  toClientGo(
    "informer sync of 50,000 pods, peak memory",
    "informer-sync-50k",
    "TypeKube protobuf, streaming",
    "maxRssMb",
    0.45,
  ),
  toClientGo(
    "informer sync of 50,000 pods, memory kept",
    "informer-sync-50k",
    "TypeKube protobuf, streaming",
    "keptMb",
    0.32,
  ),
  toClientGo(
    "list of 10,000 pods from a kube-apiserver, without managedFields, CPU of all threads",
    "real-list-10k",
    "TypeKube protobuf, lean",
    "cpuMs",
    1,
  ),
  toClientGo(
    "informer sync of 10,000 pods from a kube-apiserver, CPU of all threads",
    "real-informer-10k",
    "TypeKube protobuf, streaming",
    "cpuMs",
    1,
  ),
  toClientGo(
    "wall time per watch event, without managedFields",
    "watch-events",
    "TypeKube protobuf, lean",
    "wallMs",
    1 / 1.3,
  ),
  toClientGo(
    "wall time per event through an informer with index and handler",
    "informer-events",
    "TypeKube protobuf",
    "wallMs",
    1 / 1.1,
  ),
  toClientGo(
    "first list of 10,000 pods in JSON, wall time",
    "list-10k",
    "TypeKube JSON",
    "wallMs",
    0.55,
    "client-go JSON",
  ),
  toClientGo(
    "informer sync of 50,000 pods in JSON, wall time",
    "informer-sync-50k",
    "TypeKube JSON",
    "wallMs",
    0.55,
    "client-go JSON",
  ),
  toClientGo(
    "wall time per watch event in JSON",
    "watch-events",
    "TypeKube JSON",
    "wallMs",
    1 / 5,
    "client-go JSON",
  ),
  ...[1, 16].flatMap((concurrency) => callGoals(concurrency, concurrency === 1 ? 0.75 : 0.55)),
];

/** Goals for single calls in both encodings; by default TypeKube reads JSON and client-go protobuf. */
function callGoals(concurrency: number, most: number): Goal[] {
  const task = `get-tls-${concurrency}`;
  const what = `GET over TLS, ${concurrency === 1 ? "one" : concurrency} at a time, CPU of all threads`;
  return [
    toClientGo(`${what}, JSON`, task, "TypeKube JSON", "cpuMs", most, "client-go JSON"),
    // The floor itself takes about as long as client-go.
    toClientGo(`${what}, protobuf`, task, "TypeKube protobuf", "cpuMs", 1.1, "floor"),
  ];
}

function toClientGo(
  what: string,
  task: string,
  program: string,
  metric: Goal["metric"],
  most: number,
  baseline: Baseline = "client-go",
): Goal {
  return { what, task, program, metric, baseline, most };
}
