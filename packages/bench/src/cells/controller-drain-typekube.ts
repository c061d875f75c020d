import { connect } from "typekube";
import { ConfigMap } from "typekube/api/core/v1";
import { defineController, startManager } from "typekube/controller";
import { benchNamespace } from "../bench-objects.js";
import { runWholeCell } from "../cell.js";

/** Reconciles each object once after the start of the process; the reconciler reads it from the cache. */
await runWholeCell(
  async ({ url, ca, token, count }) => {
    const client = await connect({ server: url, ca, token });
    let seen = 0;
    let firstAt = 0;
    let finish = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const controller = defineController(ConfigMap, {
      reconcile(_, run) {
        const object = run.get(ConfigMap, run.key);
        if (object?.metadata.namespace === benchNamespace) {
          firstAt ||= performance.now();
          if (++seen === count) {
            finish();
          }
        }
      },
    });
    const manager = await startManager(client, { controllers: [controller] });
    await finished;
    return { seen, drainMs: performance.now() - firstAt, manager };
  },
  ({ seen }) => seen,
  ({ drainMs }) => ({ drainMs }),
);
