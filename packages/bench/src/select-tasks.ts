import type { BenchOptions } from "./bench-options.js";
import { isClientGoCell } from "./client-go.js";
import { planTasks } from "./plan.js";
import type { Task } from "./task.js";

/** Other clients that can run here. */
export interface Peers {
  readonly clientGo: boolean;
  readonly clientNode: boolean;
}

/**
 * Selects the tasks of a run, with the rows that can be produced here.
 *
 * @throws when no task matches: an empty run would succeed.
 */
export function selectTasks(
  { only, quick }: Pick<BenchOptions, "only" | "quick">,
  peers: Peers,
): Task[] {
  const all = planTasks(quick);
  const tasks = all.filter(({ name }) => only.test(name));
  if (tasks.length === 0) {
    throw new Error(
      `--only ${only.source} matches no task of ${all.map(({ name }) => name).join(", ")}`,
    );
  }
  return tasks.map((task) => ({
    ...task,
    rows: task.rows.filter(
      ({ cell }) =>
        (peers.clientGo || !isClientGoCell(cell)) &&
        (peers.clientNode || !cell.endsWith("-client-node")),
    ),
  }));
}

/** Returns true when client-node runs on this Node version: `24.21.0`. */
export function runsClientNode(nodeVersion: string): boolean {
  const [major = 0, minor = 0] = nodeVersion.split(".").map(Number);
  return major > 22 || (major === 22 && minor >= 19);
}
