// Measures the cost of TypeKube against other clients: see README.md. Exits with code 1 when a row has no result.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { readBenchOptions } from "./bench-options.js";
import { buildPackages } from "./build.js";
import { chart } from "./chart.js";
import { measureFootprint } from "./footprint.js";
import { buildGoProgram, goProgramOf, goPrograms } from "./go-programs.js";
import { launchCompiled } from "./launch.js";
import { describeMachine, machineText } from "./machine.js";
import { installPeers, peersFolder, runtimesFolder } from "./peers.js";
import { performancePage } from "./performance-page.js";
import { absoluteTable, ratioTable } from "./report.js";
import { lostRows, runTasks, type TaskResult } from "./run-tasks.js";
import { runsClientNode, selectTasks } from "./select-tasks.js";

const options = readBenchOptions(process.argv.slice(2));
// Rejects a pattern that matches no task before anything is built.
const wanted = selectTasks(options, { go: goPrograms, clientNode: true });
const complaints = buildPackages();
if (complaints !== "") {
  console.error(`!!! THE BUILD FAILED; the measured code may be stale:\n${complaints}`);
}
const peerTrouble = installPeers(peersFolder);
if (peerTrouble !== "") {
  console.error(`!!! THE PEERS COULD NOT BE INSTALLED; their rows are omitted:\n${peerTrouble}`);
}
if (wanted.some(({ runtime }) => runtime !== undefined)) {
  const trouble = installPeers(runtimesFolder);
  if (trouble !== "") {
    console.error(`!!! NO ROWS FOR other runtimes: they could not be installed:\n${trouble}`);
  }
}
const go = goPrograms.filter((program) => {
  const isWanted = wanted.some(({ rows }) =>
    rows.some(({ cell }) => goProgramOf(cell) === program),
  );
  const trouble = isWanted ? buildGoProgram(program) : "";
  if (trouble !== "") {
    console.error(`!!! NO ROWS FOR ${program}: its program could not be built:\n${trouble}`);
  }
  return isWanted && trouble === "";
});
const launch = launchCompiled();
const machine = describeMachine(launch);
console.error(machineText(machine));

const clientNode =
  runsClientNode(launch.nodeVersion) && machine.versions["@kubernetes/client-node"] !== undefined;
if (!clientNode) {
  console.error(
    `!!! NO ROWS FOR @kubernetes/client-node: it must be installed and needs Node 22.19; this is ${launch.nodeVersion} and no newer one is packaged for ${machine.platform}`,
  );
}
const tasks = selectTasks(options, { go, clientNode });
const results = await runTasks(tasks, {
  launch,
  rounds: options.rounds,
  slowRounds: options.quick ? 1 : options.rounds,
  onProgress: (text) => console.error(`  ${text}`),
  onFailure: (text) => console.error(`!!! ${text}`),
});
print(results);
if (options.json !== undefined) {
  writeFileSync(
    options.json,
    `${JSON.stringify({ machine, rounds: options.rounds, results }, null, 2)}\n`,
  );
}
if (options.page !== undefined) {
  const { rounds, page, topic = "client" } = options;
  const isClient = topic === "client";
  const footprint = isClient ? measureFootprint() : undefined;
  const run = { topic, date: new Date(), machine, rounds, results, footprint };
  writeFileSync(page, performancePage(run, existsSync(page) ? readFileSync(page, "utf8") : ""));
  if (isClient) {
    writeFileSync(page.replace(/\.md$/, ".svg"), chart(results));
  }
}
const lost = lostRows(results);
if (lost.length > 0) {
  console.error(`!!! ROWS WITHOUT A RESULT:\n  ${lost.join("\n  ")}`);
  process.exitCode = 1;
}

function print(results: readonly TaskResult[]): void {
  const clocks = new Set(
    results.flatMap(({ rows }) =>
      rows.flatMap(({ rounds }) => rounds.map((round) => round?.clock)),
    ),
  );
  console.log(machineText(machine));
  console.log(
    `\nRatios, medians of ${options.rounds} rounds; "main" is CPU of the main thread, "block" the longest block of the event loop\n`,
  );
  console.log(ratioTable(results));
  console.log("\nAbsolute, medians and half the range\n");
  console.log(absoluteTable(results));
  if (clocks.has("all threads")) {
    console.log(
      "\nThis Node cannot measure the CPU of the main thread: main is the CPU of all threads.",
    );
  }
}
