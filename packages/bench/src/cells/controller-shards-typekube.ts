import { fork } from "node:child_process";
import { type Client, connect } from "typekube";
import { ConfigMap } from "typekube/api/core/v1";
import { defineController, startManager } from "typekube/controller";
import { benchNamespace, indexOfConfigMap } from "../bench-objects.js";
import { type CellInput, readInput, runCell } from "../cell.js";

const replicas = 3;
const shardCount = 12;
/** Milliseconds between two reports of a replica. */
const reportMs = 50;
/** Reports without a change after which a replica has reconciled its share. */
const quietReports = 20;
/** Largest difference between the objects of a replica and a third of all, as a share of that third. */
const mostUneven = 0.1;

/** State of a replica: the shards that it holds, and the objects that it has reconciled. */
interface Report {
  readonly shards: number;
  readonly seen: number;
  readonly isIdle: boolean;
}

// "alone" reconciles all objects; "shared" joins two replicas that have them: "companion <name of the Leases>".
if (process.argv[4]?.startsWith("companion")) {
  const input = readInput();
  const report = await work(await connectTo(input), input.count, input.variant.split(" ")[1]);
  setInterval(() => process.send?.(report()), reportMs);
} else {
  await runCell(
    async (input) => {
      const client = await connectTo(input);
      const name = input.variant === "alone" ? undefined : `shards-${process.pid}`;
      if (name !== undefined) {
        const others = startCompanions(input, name);
        await until(() => {
          const all = others.map((other) => other());
          const sum = (of: "seen" | "shards") => all.reduce((total, one) => total + one[of], 0);
          return sum("shards") === shardCount && sum("seen") >= input.count;
        });
      }
      return async () => {
        const own = await work(client, input.count, name);
        const share = name === undefined ? input.count : input.count / replicas;
        const shards = name === undefined ? 0 : shardCount / replicas;
        let before = -1;
        let quiet = 0;
        await until(() => {
          const { seen, isIdle, shards: held } = own();
          quiet = seen === before && seen > 0 && isIdle && held === shards ? quiet + 1 : 0;
          before = seen;
          return quiet === quietReports;
        });
        const isShare = Math.abs(own().seen / share - 1) < mostUneven;
        // A share has no exact size: it stands for all objects if it is about a third of them.
        return { own, count: isShare ? input.count : own().seen };
      };
    },
    ({ count }) => count,
  );
}

/** Waits until a condition holds. */
function until(holds: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      if (holds()) {
        clearInterval(timer);
        resolve();
      }
    }, reportMs);
  });
}

/** Starts the other replicas; returns their latest reports. */
function startCompanions({ url, count }: CellInput, name: string): (() => Report)[] {
  return Array.from({ length: replicas - 1 }, () => {
    let latest: Report = { shards: 0, seen: 0, isIdle: true };
    const child = fork(process.argv[1] ?? "", [url, String(count), `companion ${name}`]);
    child.on("message", (report: Report) => {
      latest = report;
    });
    return () => latest;
  });
}

/** Connects; the imports and this connection are not measured. */
async function connectTo({ url, ca, token }: CellInput): Promise<Client> {
  const client = await connect({ server: url, ca, token });
  await client.version();
  return client;
}

/** Reconciles the objects of this replica; returns a function that reports how many. */
async function work(client: Client, count: number, name?: string): Promise<() => Report> {
  const seen = new Uint8Array(count);
  let distinct = 0;
  const controller = defineController(ConfigMap, {
    reconcile({ metadata }) {
      const index = metadata.namespace === benchNamespace ? indexOfConfigMap(metadata.name) : -1;
      if (seen[index] === 0) {
        seen[index] = 1;
        distinct++;
      }
    },
  });
  const manager = await startManager(client, {
    controllers: [controller],
    ...(name === undefined ? {} : { shards: { count: shardCount, name, namespace: "default" } }),
  });
  return () => ({
    shards: manager.shards.length,
    seen: distinct,
    isIdle: manager.busy.length === 0,
  });
}
