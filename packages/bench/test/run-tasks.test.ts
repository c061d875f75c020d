import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { boundOf } from "../src/bounds.js";
import { goals } from "../src/goals.js";
import type { Launch } from "../src/launch.js";
import { lostRows, runTasks } from "../src/run-tasks.js";
import type { Row, Task } from "../src/task.js";

const folder = mkdtempSync(join(tmpdir(), "bench-tasks-"));

/** Stubs of the canned server and of cells: `cells/half` counts half of what was requested. */
function stubs(server: string): Launch {
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, `${name}.mjs`), text);
    return join(folder, `${name}.mjs`);
  };
  const cell = (count: string) =>
    `process.send({ mainMs: 1, count: ${count} }, () => process.exit());`;
  const files: Record<string, string> = {
    "canned-server": write(server === "" ? "dead" : "server", server),
    "faulty-server": write("faulty", server),
    "cells/late": write(
      "late",
      // Several turns of the event loop, each with an exchange.
      `for (let turn = 0; turn < 20; turn++) {
         await (await fetch(process.argv[2])).text();
       }
       ${cell("Number(process.argv[3])")}`,
    ),
    "cells/whole": write("whole", cell("Number(process.argv[3])")),
    "cells/half": write("half", cell("process.argv[3] / 2")),
    "cells/loaded": write(
      "loaded",
      `import { readFileSync } from "node:fs";
       const { BENCH_CERTIFICATES: folder, BENCH_LOAD: load } = process.env;
       const [node] = JSON.parse(load);
       const pems = ["ca.crt", "tls.crt", "tls.key"].map((name) => readFileSync(folder + "/" + name, "utf8"));
       const isRight = node === process.execPath && pems.every((pem) => pem.startsWith("-----BEGIN"));
       ${cell("isRight ? Number(process.argv[3]) : 0")}`,
    ),
  };
  return {
    node: process.execPath,
    nodeVersion: process.versions.node,
    nodeArguments: [],
    file: (name) => files[name] ?? "",
  };
}

const listening = `import { createServer } from "node:http";
const server = createServer((_, response) => response.end()).listen(0, "127.0.0.1", () =>
  process.send({ port: server.address().port, securePort: 1 }));
process.on("disconnect", () => process.exit());`;

const row = (cell: string, isSlow = false): Row => ({ program: cell, cell, variant: "", isSlow });
const task = (name: string, rows: Row[], more: Partial<Task> = {}): Task => ({
  name,
  pods: 1,
  count: 10,
  rows,
  ...more,
});

async function run(tasks: Task[], server = listening, slowRounds?: number) {
  const failures: string[] = [];
  const results = await runTasks(tasks, {
    launch: stubs(server),
    rounds: 2,
    slowRounds,
    onProgress: () => {},
    onFailure: (text) => failures.push(text),
  });
  return { results, failures };
}

describe("a run", () => {
  it("measures every row in each round, short tasks more often, slow rows less often", async () => {
    const tasks = [task("short", [row("whole"), row("whole", true)], { repeats: 2 })];
    const { results, failures } = await run(tasks);
    expect(results[0]?.rows.map(({ rounds }) => rounds.length)).toEqual([4, 2]);
    const quick = await run(tasks, listening, 1);
    expect(quick.results[0]?.rows.map(({ rounds }) => rounds.length)).toEqual([4, 1]);
    expect([...failures, ...quick.failures]).toEqual([]);
  });

  it("measures long tasks in fewer rounds, and gives a webhook its certificate and its load", async () => {
    const tasks = [
      task("long", [row("whole")], { mostRounds: 1, repeats: 3 }),
      task("webhook", [row("loaded")], { isWebhook: true }),
    ];
    const { results, failures } = await run(tasks);
    expect(results.map(({ rows }) => rows[0]?.rounds.length)).toEqual([1, 2]);
    expect(failures).toEqual([]);
  });

  it("keeps the server of a program until the program has ended", async () => {
    const faults = { cutEveryMs: 1_000, warmUpMs: 0 };
    const { results, failures } = await run([task("lag", [row("late")], { faults })]);
    expect(failures).toEqual([]);
    expect(results[0]?.rows[0]?.rounds.map((round) => round?.count)).toEqual([10, 10]);
  });

  it("loses only the row whose count differs from the others", async () => {
    const { results, failures } = await run([task("list", [row("whole"), row("half")])]);
    expect(failures).toEqual([
      "list, half: counted 5 instead of 10",
      "list, half: counted 5 instead of 10",
    ]);
    expect(lostRows(results)).toEqual(["list, half"]);
  });

  it("reports and loses the tasks of a server that does not start", async () => {
    const { results, failures } = await run([task("list", [row("whole")])], "process.exit(1);");
    expect(failures).toEqual(["list: the canned server exited before it listened"]);
    expect(lostRows(results)).toEqual(["list, whole"]);
  });
});

it("the reason for a missed goal of calls depends on the baseline and the encoding", () => {
  const calls = goals.filter(({ task }) => task.startsWith("get-"));
  const toGo = calls.filter(({ baseline }) => baseline === "client-go JSON").map(boundOf);
  const toFloor = calls.filter(({ baseline }) => baseline === "floor");
  const [json, protobuf] = ["TypeKube JSON", "TypeKube protobuf"].map((program) =>
    toFloor.filter((goal) => goal.program === program).map(boundOf),
  );
  expect(new Set(toGo).size).toBe(1);
  expect(new Set(json).size).toBe(1);
  expect(new Set(protobuf).size).toBe(1);
  expect(new Set([toGo[0], json?.[0], protobuf?.[0]]).size).toBe(3);
});
