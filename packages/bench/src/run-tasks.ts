import { startCannedServer } from "./canned-server-process.js";
import { certificateFolder, certificates } from "./certificates.js";
import { measureFailover } from "./failover.js";
import { startFaultyServer } from "./faulty-server-process.js";
import type { Launch } from "./launch.js";
import type { Measurement } from "./measurement.js";
import { startPodServer } from "./pod-server-process.js";
import { prepareBodies } from "./prepare-bodies.js";
import type { Load, ProcessInput } from "./process-input.js";
import { type RealServer, startFilledServer } from "./real-server.js";
import { runCellProcess } from "./run-cell.js";
import { launchOn } from "./runtimes.js";
import type { Row, Task } from "./task.js";
import { startUpdates } from "./updates-process.js";

/** Results of a row: one measurement per round, `undefined` for a failed round. */
export interface RowResult extends Row {
  readonly rounds: (Measurement | undefined)[];
}

/** Results of a task's rows. */
export interface TaskResult extends Omit<Task, "rows"> {
  readonly rows: readonly RowResult[];
}

/** Options of a run. */
export interface RunOptions {
  readonly launch: Launch;
  readonly rounds: number;
  /** Number of rounds that slow rows take part in. Default: all. */
  readonly slowRounds?: number | undefined;
  /** Called with a line of progress. */
  readonly onProgress: (text: string) => void;
  /** Called with a message for each round that a row lost. */
  readonly onFailure: (text: string) => void;
}

/**
 * Runs every task; tasks with the same number of pods share a server. Tasks for a kube-apiserver are left out when none
 * is available. When a server does not start, or dies, its tasks have no results and the run continues.
 */
export async function runTasks(tasks: readonly Task[], options: RunOptions): Promise<TaskResult[]> {
  const results: TaskResult[] = [];
  const canned = tasks.filter(({ real, faults, isPodCall }) => !real && !faults && !isPodCall);
  for (const pods of new Set(canned.map((task) => task.pods))) {
    const ofSize = canned.filter((task) => task.pods === pods);
    results.push(...(await orLost(ofSize, options, () => runOnCanned(ofSize, pods, options))));
  }
  const podCalls = tasks.filter(({ isPodCall }) => isPodCall);
  if (podCalls.length > 0) {
    results.push(...(await orLost(podCalls, options, () => runOnPod(podCalls, options))));
  }
  const real = tasks.filter((task) => task.real);
  for (const filling of new Set(real.map(fillingOf))) {
    const ofFilling = real.filter((task) => fillingOf(task) === filling);
    results.push(...(await orLost(ofFilling, options, () => runOnReal(ofFilling, options))));
  }
  for (const task of tasks.filter(({ faults }) => faults !== undefined)) {
    results.push(...(await orLost([task], options, async () => [await runTask(task, options)])));
  }
  return results;
}

/** Names the objects that the server of a task has: tasks with the same ones share it. */
function fillingOf({ pods, configMaps = 0 }: Task): string {
  return `${pods} ${configMaps}`;
}

async function runOnCanned(
  tasks: readonly Task[],
  pods: number,
  options: RunOptions,
): Promise<TaskResult[]> {
  options.onProgress(`starting a server with ${pods} pods`);
  await using server = await startCannedServer(options.launch, pods);
  const results: TaskResult[] = [];
  for (const task of tasks) {
    const { url, secureUrl } = server;
    const place = task.secure ? { url: secureUrl, caFile: certificates.ca } : { url };
    const run = async () => {
      await prepareBodies(task, url);
      return [await runTask(task, options, place)];
    };
    results.push(...(await orLost([task], options, run)));
  }
  return results;
}

async function runOnPod(tasks: readonly Task[], options: RunOptions): Promise<TaskResult[]> {
  options.onProgress("starting a server with one pod");
  await using server = await startPodServer(options.launch);
  const results: TaskResult[] = [];
  for (const task of tasks) {
    results.push(await runTask(task, options, { url: server.url, folder: server.folder }));
  }
  return results;
}

async function runOnReal(tasks: readonly Task[], options: RunOptions): Promise<TaskResult[]> {
  const [{ pods = 0, configMaps = 0 } = {}] = tasks;
  options.onProgress(`starting a kube-apiserver with ${pods} pods and ${configMaps} ConfigMaps`);
  await using server = await startFilledServer({ pods, configMaps });
  const results: TaskResult[] = [];
  for (const task of server === undefined ? [] : tasks) {
    results.push(await runTask(task, options, server as RealServer));
  }
  return results;
}

/** Returns the function's result or, when it throws, the tasks with no rounds in any row. */
async function orLost(
  tasks: readonly Task[],
  { onFailure }: RunOptions,
  run: () => Promise<TaskResult[]>,
): Promise<TaskResult[]> {
  try {
    return await run();
  } catch (error) {
    onFailure(`${tasks.map(({ name }) => name).join(", ")}: ${(error as Error).message}`);
    return tasks.map((task) => ({
      ...task,
      rows: task.rows.map((row) => ({ ...row, rounds: [] })),
    }));
  }
}

/** Returns a line for each row that has no result in any round. */
export function lostRows(results: readonly TaskResult[]): string[] {
  return results.flatMap(({ name, rows }) =>
    rows
      .filter(({ rounds }) => rounds.every((round) => round === undefined))
      .map(({ program }) => `${name}, ${program}`),
  );
}

/** Connection of a task's programs to their server. */
type Place = Pick<ProcessInput, "caFile" | "folder" | "token" | "url">;

/** @param place - connection to the server; without it each program gets a faulty server of its own. */
async function runTask(task: Task, options: RunOptions, place?: Place): Promise<TaskResult> {
  const { rounds, slowRounds = rounds, onProgress, onFailure } = options;
  const launch = task.runtime ? launchOn(options.launch, task.runtime) : options.launch;
  if (launch === undefined) {
    onProgress(`${task.name}: skipped, ${task.runtime} is not installed`);
    return { ...task, rows: [] };
  }
  const rows = task.rows.map((row): RowResult => ({ ...row, rounds: [] }));
  const all = Math.min(rounds * (task.repeats ?? 1), task.mostRounds ?? Number.POSITIVE_INFINITY);
  const load = loadOf(task, launch);
  for (let round = 0; round < all; round++) {
    onProgress(`${task.name}: round ${round + 1} of ${all}`);
    for (const row of orderOf(rows, round).filter(({ isSlow }) => !isSlow || round < slowRounds)) {
      try {
        const measurement = await runRow(task, row, launch, place, load);
        if (measurement.count !== task.count) {
          throw new Error(`counted ${measurement.count} instead of ${task.count}`);
        }
        row.rounds[round] = measurement;
      } catch (error) {
        row.rounds[round] = undefined;
        onFailure(`${task.name}, ${row.program}: ${(error as Error).message}`);
      }
    }
  }
  return { ...task, rows };
}

/** Runs the program of a row once, with what the task has around it. */
async function runRow(
  task: Task,
  row: Row,
  taskLaunch: Launch,
  place: Place | undefined,
  load: Load | undefined,
): Promise<Measurement> {
  const launch = launchOf(row, taskLaunch);
  const { count, configMaps = 0, updatesPerSecond, timeoutMs } = task;
  await using own = task.faults && (await startFaultyServer(launch, task.faults));
  await using _ =
    place && updatesPerSecond
      ? startUpdates(launch, place, configMaps, updatesPerSecond)
      : undefined;
  const input = { url: own?.url ?? "", ...place, load, count, variant: row.variant };
  // Awaited here: the servers end when this function returns.
  return task.failover === undefined
    ? await runCellProcess(launch, row.cell, input, timeoutMs)
    : await measureFailover(launch, row.cell, input, task.failover);
}

/** Returns what sends reviews to webhooks, or connects to forwarded ports. */
function loadOf({ isWebhook, isForward }: Task, launch: Launch): Load | undefined {
  const command = (name: string) => [launch.node, ...launch.nodeArguments, launch.file(name)];
  if (isForward) {
    return { command: command("port-load") };
  }
  return isWebhook
    ? {
        command: [...command("webhook-load"), certificates.ca],
        certificates: certificateFolder(),
      }
    : undefined;
}

/**
 * Returns the order of a round. Over as many rounds as there are rows, each row takes every place once and has
 * different predecessors. So what a program leaves behind (file cache, CPU temperature) does not always affect the same
 * row.
 */
export function orderOf<T>(items: readonly T[], round: number): T[] {
  // A balanced Latin square: 0, n - 1, 1, n - 2, 2 ..., shifted by one per round.
  return items.map((_, place) => {
    const index = place % 2 === 0 ? place / 2 : items.length - (place + 1) / 2;
    return items[(index + round) % items.length] as T;
  });
}

function launchOf({ nodeArguments = [] }: Row, launch: Launch): Launch {
  return { ...launch, nodeArguments: [...launch.nodeArguments, ...nodeArguments] };
}
