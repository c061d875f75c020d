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

/** Number of objects that a replica has reconciled, of its final share. */
interface Report {
  readonly seen: number;
  readonly isShared: boolean;
}

/** Sum of the reports, and what keeps the caches of this replica. */
interface Shared {
  readonly sum: number;
  readonly own: () => Report;
}

// "alone" reconciles all objects; "shared" is one of three replicas, and starts the others: "companion <name of the Leases>".
if (process.argv[4]?.startsWith("companion")) {
  const input = readInput();
  const report = await work(await connectTo(input), input.count, input.variant.split(" ")[1]);
  setInterval(() => process.send?.(report()), reportMs);
} else {
  await runCell(
    async (input) => {
      const client = await connectTo(input);
      return async () => {
        const name = input.variant === "alone" ? undefined : `shards-${process.pid}`;
        const others = name === undefined ? [] : startCompanions(input, name);
        const own = await work(client, input.count, name);
        return new Promise<Shared>((resolve) => {
          const timer = setInterval(() => {
            const all = [own(), ...others.map((other) => other())];
            const sum = all.reduce((total, { seen }) => total + seen, 0);
            if (all.every(({ isShared }) => isShared) && sum >= input.count) {
              clearInterval(timer);
              resolve({ sum, own });
            }
          }, reportMs);
        });
      };
    },
    ({ sum }) => sum,
  );
}

/** Starts the other replicas; returns their latest reports. */
function startCompanions({ url, count }: CellInput, name: string): (() => Report)[] {
  return Array.from({ length: replicas - 1 }, () => {
    let latest: Report = { seen: 0, isShared: false };
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
    seen: distinct,
    isShared: name === undefined || manager.shards.length === shardCount / replicas,
  });
}
