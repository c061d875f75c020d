import { goalsOfExplore } from "./explore-tasks.js";
import type { Goal } from "./goal.js";
import { goalsOfCel } from "./goals-of-cel.js";
import { goalsOfControllers } from "./goals-of-controllers.js";
import { goalsOfFields } from "./goals-of-fields.js";
import { goalsOfPods } from "./goals-of-pods.js";
import { goalsToClientGo } from "./goals-to-client-go.js";

const full = "with managedFields";
const lean = "without managedFields";
/**
 * Limit of a loop block relative to the floor: 50 ms on a machine where the floor's single `JSON.parse` of the list
 * takes two seconds.
 */
const stop = 0.05 / 2;

/** TypeKube's goals. A goal for events per second is stated as the inverse ratio of CPU. */
export const goals: readonly Goal[] = [
  ...toBoth(
    `first list of 10,000 pods, JSON, ${full}`,
    "list-10k",
    "TypeKube JSON",
    "mainMs",
    1.05,
    0.55,
  ),
  ...toBoth(
    `first list of 10,000 pods, JSON, ${lean}`,
    "list-10k",
    "TypeKube JSON, lean",
    "mainMs",
    0.72,
    0.4,
  ),
  ...toBoth(
    `first list of 10,000 pods, protobuf, ${lean}`,
    "list-10k",
    "TypeKube protobuf, lean",
    "mainMs",
    0.55,
    0.3,
  ),
  ...toBoth(
    `first list of 10,000 pods, CBOR, ${lean}`,
    "list-10k",
    "TypeKube CBOR, lean",
    "mainMs",
    0.75,
  ),
  ...toBoth(
    `fifth list of 10,000 pods, protobuf, ${lean}`,
    "list-10k-warm",
    "TypeKube protobuf, lean",
    "mainMs",
    0.4,
  ),
  ...toBoth(
    `peak memory of a list, protobuf, ${lean}`,
    "list-10k",
    "TypeKube protobuf, lean",
    "maxRssMb",
    0.6,
    0.4,
  ),
  ...toBoth(
    `memory kept per pod, protobuf, ${lean}, equal parts shared`,
    "list-10k",
    "TypeKube protobuf, lean, shared",
    "keptMb",
    0.32,
    0.32,
  ),
  ...toBoth(
    "longest event loop block in a list of 50,000 pods, JSON",
    "list-50k",
    "TypeKube JSON",
    "blockMs",
    stop,
  ),
  ...toBoth(
    `longest event loop block in a list of 50,000 pods, protobuf, ${lean}`,
    "list-50k",
    "TypeKube protobuf, lean",
    "blockMs",
    stop,
  ),
  ...toBoth(
    "longest event loop block in an informer sync of 50,000 pods",
    "informer-sync-50k",
    "TypeKube protobuf",
    "blockMs",
    stop,
    0.03,
  ),
  ...toBoth(
    "informer sync of 50,000 pods, wall time",
    "informer-sync-50k",
    "TypeKube protobuf",
    "wallMs",
    0.5,
    0.25,
  ),
  ...toBoth(
    "informer sync of 50,000 pods, peak memory",
    "informer-sync-50k",
    "TypeKube protobuf",
    "maxRssMb",
    0.4,
    0.3,
  ),
  ...toBoth(
    `CPU per watch event, JSON, ${full}`,
    "watch-events",
    "TypeKube JSON",
    "mainMs",
    1 / 0.97,
    1 / 1.05,
  ),
  ...toBoth(
    `CPU per watch event, JSON, ${lean}`,
    "watch-events",
    "TypeKube JSON, lean",
    "mainMs",
    1 / 1.25,
    1 / 1.4,
  ),
  ...toBoth(
    `CPU per watch event, protobuf, ${lean}`,
    "watch-events",
    "TypeKube protobuf, lean",
    "mainMs",
    1 / 2,
    1 / 2.1,
  ),
  {
    what: `CPU per watch event beyond framing and parsing, JSON, ${full}, us`,
    task: "watch-events",
    program: "TypeKube JSON",
    metric: "mainMs",
    baseline: "floor",
    most: 1,
    isExcess: true,
  },
  ...toBoth("GET over TLS, one at a time", "get-tls-1", "TypeKube JSON", "mainMs", 1.1, 0.1),
  ...toBoth("GET over TLS, 16 at a time", "get-tls-16", "TypeKube JSON", "mainMs", 1.1, 0.06),
  ...[1, 16].map((concurrency) => ({
    what: `GET over TLS, ${concurrency === 1 ? "one" : concurrency} at a time`,
    task: `get-tls-${concurrency}`,
    program: "TypeKube JSON",
    metric: "mainMs" as const,
    baseline: "client-node, trusted CA" as const,
    most: concurrency === 1 ? 0.55 : 0.3,
  })),
  // Defined as "undici and 25 ms" when undici took 83 ms.
  ...toBoth("import and client creation", "import", "TypeKube", "mainMs", 1.3, 0.15),
  {
    what: "import and client creation, peak memory",
    task: "import",
    program: "TypeKube",
    metric: "maxRssMb",
    baseline: "client-node",
    most: 0.65,
  },
  {
    what: "start of the embedded API server until its first response, ms",
    task: "embedded-start",
    program: "TypeKube",
    metric: "wallMs",
    most: 30,
  },
  {
    what: "sequential create, get and delete over TLS on the embedded API server, wall time",
    task: "embedded-calls",
    program: "TypeKube over TLS",
    metric: "wallMs",
    baseline: "plain HTTP",
    most: 1.3,
  },
  {
    what: "20,000 creates on the embedded API server, ms",
    task: "embedded-create",
    count: 20_000,
    program: "TypeKube",
    metric: "wallMs",
    most: 1_000,
  },
  ...["ConfigMap", "Deployment"].flatMap((kind): Goal[] => {
    const task = { task: "embedded-check", count: 10_000, program: `TypeKube, ${kind}s` };
    return [
      { what: `check of 10,000 ${kind}s, ms`, ...task, metric: "wallMs", most: 3_000 },
      {
        what: `memory for the check of 10,000 ${kind}s, MB`,
        ...task,
        metric: "maxRssMb",
        most: 200,
      },
    ];
  }),
  {
    what: "wall time per event through an informer with index and handler",
    task: "informer-events",
    program: "TypeKube protobuf",
    metric: "wallMs",
    baseline: "client-node",
    most: 1 / 2,
  },
  ...goalsToClientGo,
  ...goalsOfCel,
  ...goalsOfControllers,
  ...goalsOfFields,
  ...goalsOfExplore,
  ...goalsOfPods,
];

function toBoth(
  what: string,
  task: string,
  program: string,
  metric: Goal["metric"],
  toFloor: number,
  toClientNode?: number,
): Goal[] {
  const goal = { what, task, program, metric };
  return [
    { ...goal, baseline: "floor", most: toFloor },
    ...(toClientNode === undefined
      ? []
      : [{ ...goal, baseline: "client-node" as const, most: toClientNode }]),
  ];
}
