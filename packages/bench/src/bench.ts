// What TypeKube costs beside others: see README.md. Ends with 1 when a row could not be produced.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { readBenchOptions } from "./bench-options.js";
import { buildPackages } from "./build.js";
import { chart } from "./chart.js";
import { buildClientGo, isClientGoCell } from "./client-go.js";
import { measureFootprint } from "./footprint.js";
import { type Launch, launchCompiled } from "./launch.js";
import { describeMachine, machineText } from "./machine.js";
import { installPeers, peersFolder, runtimesFolder } from "./peers.js";
import { performancePage } from "./performance-page.js";
import { planTasks, type Task } from "./plan.js";
import { absoluteTable, ratioTable } from "./report.js";
import { runTasks, type TaskResult } from "./run-tasks.js";

const options = readBenchOptions(process.argv.slice(2));
const complaints = buildPackages();
if (complaints !== "") {
  console.error(`!!! THE COMPILER COMPLAINS; what is measured may be old:\n${complaints}`);
}
const peerTrouble = installPeers(peersFolder);
if (peerTrouble !== "") {
  console.error(`!!! PEERS COULD NOT BE INSTALLED; their rows are left out:\n${peerTrouble}`);
}
if (!options.quick) {
  const trouble = installPeers(runtimesFolder);
  if (trouble !== "") {
    console.error(`!!! NO ROWS OF other runtimes: they could not be installed:\n${trouble}`);
  }
}
const goTrouble = buildClientGo();
if (goTrouble !== "") {
  console.error(`!!! NO ROWS OF client-go: its program could not be built:\n${goTrouble}`);
}
const launch = launchCompiled();
const machine = describeMachine(launch);
console.error(machineText(machine));

const failures: string[] = [];
const results = await runTasks(tasksFor(launch), {
  launch,
  rounds: options.rounds,
  slowRounds: options.quick ? 1 : options.rounds,
  onProgress: (text) => console.error(`  ${text}`),
  onFailure: (text) => {
    failures.push(text);
    console.error(`!!! ${text}`);
  },
});
print(results);
if (options.json !== undefined) {
  writeFileSync(
    options.json,
    `${JSON.stringify({ machine, rounds: options.rounds, results }, null, 2)}\n`,
  );
}
if (options.page !== undefined) {
  const { rounds, page } = options;
  const run = { date: new Date(), machine, rounds, results, footprint: measureFootprint() };
  writeFileSync(page, performancePage(run, existsSync(page) ? readFileSync(page, "utf8") : ""));
  writeFileSync(page.replace(/\.md$/, ".svg"), chart(results));
}
process.exitCode = rowsWithoutResult(results) ? 1 : 0;

function tasksFor({ nodeVersion }: Launch): Task[] {
  const tasks = planTasks(options.quick)
    .filter(({ name }) => options.only.test(name))
    .map((task) => ({
      ...task,
      rows: goTrouble === "" ? task.rows : task.rows.filter(({ cell }) => !isClientGoCell(cell)),
    }));
  if (runsClientNode(nodeVersion) && machine.versions["@kubernetes/client-node"] !== undefined) {
    return tasks;
  }
  console.error(
    `!!! NO ROWS OF @kubernetes/client-node: it must be installed and needs Node 22.19, and this is ${nodeVersion} without a newer one packaged for ${machine.platform}`,
  );
  return tasks.map((task) => ({
    ...task,
    rows: task.rows.filter(({ cell }) => !cell.endsWith("-client-node")),
  }));
}

function runsClientNode(nodeVersion: string): boolean {
  const [major = 0, minor = 0] = nodeVersion.split(".").map(Number);
  return major > 22 || (major === 22 && minor >= 19);
}

function print(results: readonly TaskResult[]): void {
  const clocks = new Set(
    results.flatMap(({ rows }) =>
      rows.flatMap(({ rounds }) => rounds.map((round) => round?.clock)),
    ),
  );
  console.log(machineText(machine));
  console.log(
    `\nRatios, medians of ${options.rounds} rounds; "main" is CPU of the main thread, "block" the longest stop of the event loop\n`,
  );
  console.log(ratioTable(results));
  console.log("\nAbsolute, medians and half the range\n");
  console.log(absoluteTable(results));
  if (clocks.has("all threads")) {
    console.log("\nThis Node cannot tell the main thread's CPU: main is that of all threads.");
  }
}

function rowsWithoutResult(results: readonly TaskResult[]): boolean {
  return results.some(({ rows }) =>
    rows.some(({ rounds }) => rounds.every((round) => round === undefined)),
  );
}
