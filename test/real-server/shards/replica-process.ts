// A replica in a process of its own: reconciles the ConfigMaps of one namespace for as long as it holds their shards, and
// prints a line for each beginning and end of a run, and for each write that is about to be sent. Ends on SIGTERM.
import { writeSync } from "node:fs";
import { ConfigMap } from "@typekube/api/core/v1";
import { connect, mergePatch } from "typekube";
import { defineController, startManager } from "typekube/controller";

const { identity, namespace, shards, connection } = JSON.parse(process.env["REPLICA"] ?? "{}");

/** Prints one line at once: the process may be killed at any moment. The monotonic clock is the machine's. */
function print(event: object): void {
  const atMs = Number(process.hrtime.bigint() / 1_000n) / 1_000;
  writeSync(1, `${JSON.stringify({ at: atMs, who: identity, ...event })}\n`);
}

const objects = defineController(
  { kind: ConfigMap, namespaces: [namespace] },
  {
    name: "objects",
    ownEvents: "skip",
    async reconcile({ metadata }, run) {
      if (!metadata.name.startsWith("o")) {
        return undefined;
      }
      print({ event: "begins", key: run.key });
      try {
        await run.patch(ConfigMap, run.name, mergePatch({ data: { by: identity } }));
        await new Promise((resolve) => setTimeout(resolve, 20));
        run.signal.throwIfAborted();
        await run.patch(ConfigMap, run.name, mergePatch({ data: { by: identity } }));
      } finally {
        print({ event: "ends", key: run.key });
      }
      return { requeueAfterMs: 100 };
    },
  },
);

const client = await connect(connection);
print({ event: "started" });
const manager = await startManager(client, {
  controllers: [objects],
  shards: { ...shards, identity },
  signals: true,
  log: () => {},
});
const holdings = setInterval(() => print({ event: "holds", shards: manager.shards }), 200);
await manager.done.catch(() => {});
clearInterval(holdings);
await client.close();
print({ event: "ended" });
