import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { goPrograms } from "../src/go-programs.js";
import { planTasks } from "../src/plan.js";
import { prepareBodies } from "../src/prepare-bodies.js";
import { lostRows } from "../src/run-tasks.js";
import { runsClientNode, selectTasks } from "../src/select-tasks.js";
import { type TopicName, topicNames } from "../src/topics.js";

const all = { go: goPrograms, clientNode: true };
const quickly = { quick: true, long: false, topic: undefined };
const cells = (tasks: ReturnType<typeof planTasks>) =>
  new Set(
    tasks.flatMap(({ rows }) =>
      rows.map(
        ({ cell }) => /-(client-node|client-go|controller-runtime|kubectl)$/.exec(cell)?.[1],
      ),
    ),
  );

it("rejects a pattern that matches no task", () => {
  expect(selectTasks({ only: /^list-10k$/, ...quickly }, all)).toHaveLength(1);
  expect(() => selectTasks({ only: /lsit/, ...quickly }, all)).toThrow(
    "--only lsit matches no task of list-10k, ",
  );
});

it("takes the tasks of one topic, and each task has one", () => {
  const ofTopic = (topic: TopicName) =>
    selectTasks({ only: /^/, quick: false, long: false, topic }, all).map(({ name }) => name);
  const names = topicNames.map(ofTopic);
  expect(names.flat().toSorted()).toEqual(
    planTasks(false)
      .map(({ name }) => name)
      .toSorted(),
  );
  expect(ofTopic("client")).toContain("list-10k");
  expect(ofTopic("controllers")).toContain("real-controller-steady");
  expect(ofTopic("pods")).toContain("pod-exec-output");
});

it("omits the rows of programs that do not run here and keeps all others", () => {
  const some = { only: /^/, quick: false, long: false, topic: undefined };
  const whole = selectTasks(some, all);
  expect(whole).toEqual(planTasks(false));
  const alone = selectTasks(some, { go: [], clientNode: false });
  expect(cells(alone)).toEqual(new Set([undefined]));
  expect(alone).toHaveLength(whole.length);
  for (const program of goPrograms) {
    const others = selectTasks(some, {
      go: goPrograms.filter((other) => other !== program),
      clientNode: true,
    });
    const left = new Set(cells(whole));
    left.delete(program);
    expect(cells(others)).toEqual(left);
  }
});

it("client-node runs from Node 22.19 on", () => {
  expect(["20.20.2", "22.18.0", "22.19.0", "24.0.0"].map(runsClientNode)).toEqual([
    false,
    false,
    true,
    true,
  ]);
});

it("a row is lost when no round has a result", () => {
  const [task] = planTasks(true);
  const [row] = task?.rows ?? [];
  if (task === undefined || row === undefined) {
    throw new Error("a plan has tasks, and they have rows");
  }
  const measured = { count: 1 } as never;
  const result = (...rounds: undefined[]) => [{ ...task, rows: [{ ...row, rounds }] }];
  expect(lostRows(result())).toEqual(["list-10k, TypeKube JSON"]);
  expect(lostRows(result(undefined, undefined))).toEqual(["list-10k, TypeKube JSON"]);
  expect(lostRows(result(undefined, measured))).toEqual([]);
});

it.each([
  ["list-10k", { json: 1, "vnd.kubernetes.protobuf": 1, cbor: 1 }],
  ["list-10k-pages", { json: 20, "vnd.kubernetes.protobuf": 20 }],
  ["informer-sync-10k", { json: 2, "vnd.kubernetes.protobuf": 2 }],
  ["informer-events", { json: 1, "vnd.kubernetes.protobuf": 1 }],
  ["watch-events", { json: 1, "vnd.kubernetes.protobuf": 1, cbor: 1 }],
  ["create", { json: 1, "vnd.kubernetes.protobuf": 1 }],
  ["import", {}],
])("%s: the server builds each body before a program requests it", async (name, expected) => {
  const requested: Record<string, number> = {};
  const paths = new Set<string>();
  const server = createServer(({ headers, url }, response) => {
    const type = String(headers.accept).replace("application/", "");
    requested[type] = (requested[type] ?? 0) + 1;
    paths.add(`${type} ${url}`);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const task = planTasks(false).find((candidate) => candidate.name === name);
    const { port } = server.address() as AddressInfo;
    await prepareBodies(task as NonNullable<typeof task>, `http://127.0.0.1:${port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
  expect(requested).toEqual(expected);
  expect(paths.size).toBe(Object.values(requested).reduce((sum, count) => sum + count, 0));
});
