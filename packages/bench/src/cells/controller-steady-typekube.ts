import { connect } from "typekube";
import { ConfigMap } from "typekube/api/core/v1";
import { defineController, startManager } from "typekube/controller";
import { benchNamespace } from "../bench-objects.js";
import { runCell } from "../cell.js";
import { latenciesOf } from "../latencies.js";

/** Updates before those that are measured. */
const warmUpUpdates = 5_000;

/** Runs on objects that are updated all the time: how long each run comes after its event, and how the heap grows. */
await runCell(
  async ({ url, ca, token, count }) => {
    const client = await connect({ server: url, ca, token });
    const since = new Map<string, number>();
    const latencies = new Float64Array(warmUpUpdates + count);
    let runs = 0;
    let updates = 0;
    let target = warmUpUpdates;
    let reached = () => {};
    const until = (number: number) =>
      new Promise<void>((resolve) => {
        target = number;
        reached = resolve;
      });
    const controller = defineController(ConfigMap, {
      when({ metadata: { namespace, name } }, previous) {
        if (previous !== undefined && namespace === benchNamespace) {
          updates++;
          const key = `${namespace}/${name}`;
          if (!since.has(key)) {
            since.set(key, performance.now());
          }
        }
        return true;
      },
      reconcile(_, run) {
        const at = since.get(run.key);
        if (at !== undefined) {
          since.delete(run.key);
          latencies[runs++] = performance.now() - at;
          if (updates >= target) {
            reached();
          }
        }
        run.get(ConfigMap, run.key);
      },
    });
    const warm = until(warmUpUpdates);
    const manager = await startManager(client, { controllers: [controller] });
    await warm;
    const runsBefore = runs;
    return async () => {
      await until(warmUpUpdates + count);
      return { manager, latencies: latencies.subarray(runsBefore, runs), count };
    };
  },
  ({ count }) => count,
  ({ latencies }) => latenciesOf(latencies),
);
