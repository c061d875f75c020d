import { connect } from "typekube";
import { ConfigMap } from "typekube/api/core/v1";
import { defineController, startManager } from "typekube/controller";
import { readInput } from "../cell.js";

/** One of two candidates: reports that it is one, and its first run. SIGTERM releases the Lease. */
const { url, ca, token, variant } = readInput();
const client = await connect({ server: url, ca, token });
let isFirst = true;
const controller = defineController(
  { kind: ConfigMap, namespaces: ["default"] },
  {
    reconcile() {
      if (isFirst) {
        isFirst = false;
        console.log(JSON.stringify({ event: "run" }));
      }
    },
  },
);
const manager = await startManager(client, {
  controllers: [controller],
  leaderElection: { name: variant, namespace: "default" },
  signals: true,
});
console.log(JSON.stringify({ event: "candidate" }));
await manager.done;
process.exit();
