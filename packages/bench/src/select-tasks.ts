import type { BenchOptions } from "./bench-options.js";
import { isClientGoCell } from "./client-go.js";
import { planTasks, type Task } from "./plan.js";

/** Which programs of others run here. */
export interface Peers {
  readonly clientGo: boolean;
  readonly clientNode: boolean;
}

/**
 * The tasks of a run, with the rows that can be produced here.
 *
 * @throws when no task has such a name: a run of nothing would succeed.
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

/** Whether client-node runs on a Node of this version: `24.21.0`. */
export function runsClientNode(nodeVersion: string): boolean {
  const [major = 0, minor = 0] = nodeVersion.split(".").map(Number);
  return major > 22 || (major === 22 && minor >= 19);
}
