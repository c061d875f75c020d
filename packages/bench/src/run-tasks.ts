import { type CannedServer, startCannedServer } from "./canned-server-process.js";
import { certificates } from "./certificates.js";
import type { Launch } from "./launch.js";
import type { Measurement } from "./measurement.js";
import type { Row, Task } from "./plan.js";
import { runCellProcess } from "./run-cell.js";

/** What a row showed, one measurement per round; a round that failed is `undefined`. */
export interface RowResult extends Row {
  readonly rounds: (Measurement | undefined)[];
}

/** What the rows of a task showed. */
export interface TaskResult extends Omit<Task, "rows"> {
  readonly rows: readonly RowResult[];
}

/** How a run is made. */
export interface RunOptions {
  readonly launch: Launch;
  readonly rounds: number;
  /** Told what is being done. */
  readonly onProgress: (text: string) => void;
  /** Told of each round that a row lost. */
  readonly onFailure: (text: string) => void;
}

/** Runs every task, those of one size on one server. */
export async function runTasks(tasks: readonly Task[], options: RunOptions): Promise<TaskResult[]> {
  const results: TaskResult[] = [];
  for (const pods of new Set(tasks.map((task) => task.pods))) {
    options.onProgress(`starting a server with ${pods} pods`);
    await using server = await startCannedServer(options.launch, pods);
    for (const task of tasks.filter((task) => task.pods === pods)) {
      results.push(await runTask(task, server, options));
    }
  }
  return results;
}

async function runTask(task: Task, server: CannedServer, options: RunOptions): Promise<TaskResult> {
  const { launch, rounds, onProgress, onFailure } = options;
  const rows = task.rows.map((row): RowResult => ({ ...row, rounds: [] }));
  await prepareBodies(task, server);
  for (let round = 0; round < rounds; round++) {
    onProgress(`${task.name}: round ${round + 1} of ${rounds}`);
    for (const row of rotate(rows, round)) {
      try {
        const input = {
          url: task.secure ? server.secureUrl : server.url,
          count: task.count,
          variant: row.variant,
          caFile: task.secure ? certificates.ca : undefined,
        };
        const measurement = await runCellProcess(launch, row.cell, input);
        if (measurement.count !== task.count) {
          throw new Error(`${measurement.count} instead of ${task.count} were counted`);
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

/** No program is the first in every round: the machine is not the same at the end of one as at its beginning. */
function rotate<T>(items: readonly T[], by: number): T[] {
  const start = items.length === 0 ? 0 : by % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}

/** Makes the server build what a task asks of it, so that no program waits for that. */
async function prepareBodies({ rows, count }: Task, { url }: CannedServer): Promise<void> {
  const paths: Readonly<Record<string, readonly string[]>> = {
    get: ["/api/v1/namespaces/team-00/pods/pod"],
    informer: ["/api/v1/pods", "/api/v1/pods?watch=true&sendInitialEvents=true"],
    "informer-events": [`/api/v1/pods?watch=true&labelSelector=events-${count}`],
    list: ["/api/v1/pods"],
    watch: [`/api/v1/pods?watch=true&labelSelector=events-${count}`],
  };
  const kind = rows[0]?.cell.replace(/-typekube$/, "") ?? "";
  for (const path of paths[kind] ?? []) {
    for (const accept of acceptsOf(rows)) {
      const response = await fetch(url + path, { headers: { accept } });
      // The headers come when the body is made.
      await response.body?.cancel();
    }
  }
}

/** What the programs of a task ask for; a body that nobody asks for may be larger than can be made. */
function acceptsOf(rows: readonly Row[]): string[] {
  const asked = rows.map(({ program, variant }) =>
    /cbor/.test(variant)
      ? "cbor"
      : /auto|protobuf/.test(`${program} ${variant}`)
        ? "vnd.kubernetes.protobuf"
        : "json",
  );
  return [...new Set(asked)].map((type) => `application/${type}`);
}
