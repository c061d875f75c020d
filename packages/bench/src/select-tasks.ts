import type { BenchOptions } from "./bench-options.js";
import { type GoProgram, goProgramOf } from "./go-programs.js";
import { planTasks } from "./plan.js";
import type { Task } from "./task.js";
import { topicOf } from "./topics.js";

/** Other clients that can run here. */
export interface Peers {
  readonly clientNode: boolean;
  /** Programs in Go that were built. */
  readonly go: readonly GoProgram[];
}

/**
 * Selects the tasks of a run, with the rows that can be produced here.
 *
 * @throws when no task matches: an empty run would succeed.
 */
export function selectTasks(
  { only, quick, long, topic }: Pick<BenchOptions, "long" | "only" | "quick" | "topic">,
  peers: Peers,
): Task[] {
  const all = planTasks(quick, long).filter(
    ({ name }) => topic === undefined || topicOf(name) === topic,
  );
  const tasks = all.filter(({ name }) => only.test(name));
  if (tasks.length === 0) {
    throw new Error(
      `--only ${only.source} matches no task of ${all.map(({ name }) => name).join(", ")}`,
    );
  }
  return tasks.map((task) => ({
    ...task,
    rows: task.rows.filter(({ cell }) => {
      const program = goProgramOf(cell);
      return program === undefined
        ? peers.clientNode || !cell.endsWith("-client-node")
        : peers.go.includes(program);
    }),
  }));
}

/** Returns true when client-node runs on this Node version: `24.21.0`. */
export function runsClientNode(nodeVersion: string): boolean {
  const [major = 0, minor = 0] = nodeVersion.split(".").map(Number);
  return major > 22 || (major === 22 && minor >= 19);
}
