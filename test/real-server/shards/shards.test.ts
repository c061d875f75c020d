import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Lease } from "@typekube/api/coordination/v1";
import { ConfigMap, Namespace } from "@typekube/api/core/v1";
import { findAssets } from "@typekube/test-support/real-server/assets";
import { type RealServer, startRealServer } from "@typekube/test-support/real-server/real-server";
import { type Client, connect } from "typekube";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const hasReal = (await findAssets()) !== undefined;
const timings = { leaseDurationMs: 3_000, renewDeadlineMs: 2_000, retryMs: 500 } as const;
/** Histories with real processes; each takes about half a minute. */
const histories = Number(process.env["TYPEKUBE_SHARD_PROCESSES"] ?? 1);
const objects = 30;

/** A line of a replica. */
interface ReplicaEvent {
  readonly event: string;
  readonly at: number;
  readonly who: string;
  readonly key: string;
  readonly shards: readonly number[];
}

describe.runIf(hasReal)("sharding on a real server", () => {
  let server: RealServer;
  let client: Client;

  beforeAll(async () => {
    server = (await startRealServer()) as RealServer;
    client = await connect(server.connectOptions());
  });
  afterAll(async () => {
    await client?.close();
    await server?.close();
  });

  test("CH1, CH5, CH6, CH7, CH8: three processes share the shards; no key runs twice at once, whatever is killed or stopped", {
    timeout: 60_000 + 120_000 * histories,
  }, async () => {
    for (let n = 1; n <= histories; n += 1) {
      const history = new ProcessHistory(server, client, `shards-${n}`);
      const events = await history.run();
      const runs = events.filter(({ event }) => event === "begins").length;
      console.log(`process history ${n}: ${runs} runs`);
      expect(overlapsIn(events)).toEqual([]);
      expect(runs).toBeGreaterThan(objects * 3);
    }
  });
});

/** Finds keys that began to run in one process while they ran in another one, which was neither killed nor stopped. */
function overlapsIn(events: readonly ReplicaEvent[]): string[] {
  const overlaps: string[] = [];
  const running = new Map<string, string>();
  const gone = new Set<string>();
  for (const { event, who, key } of events) {
    if (event === "killed" || event === "stopped") {
      gone.add(who);
    } else if (event === "begins") {
      const other = running.get(key);
      if (other !== undefined && other !== who && !gone.has(other)) {
        overlaps.push(`${who} ran ${key} beside ${other}`);
      }
      running.set(key, who);
    } else if (event === "ends" && running.get(key) === who) {
      running.delete(key);
    }
  }
  return overlaps;
}

/** Three replicas in processes of their own. */
class ProcessHistory {
  readonly #server: RealServer;
  readonly #client: Client;
  readonly #name: string;
  readonly #lines: string[] = [];
  readonly #own: ReplicaEvent[] = [];
  readonly #children = new Map<string, ChildProcess>();
  readonly #ended: Promise<unknown>[] = [];

  constructor(server: RealServer, client: Client, name: string) {
    this.#server = server;
    this.#client = client;
    this.#name = name;
  }

  /** Runs the history and returns its events in order. */
  async run(): Promise<ReplicaEvent[]> {
    await this.#client.resource(Namespace).create({ metadata: { name: this.#name } });
    for (let n = 0; n < objects; n += 1) {
      const metadata = { name: `o${n}` };
      await this.#client.resource(ConfigMap, this.#name).create({ metadata });
    }
    for (const identity of ["a", "b", "c"]) {
      this.#start(identity);
    }
    await this.#untilHeld({ a: 4, b: 4, c: 4 });
    this.#strike("a", "SIGKILL", "killed");
    await this.#untilHeld({ b: 6, c: 6 });
    this.#start("d");
    await this.#untilHeld({ b: 4, c: 4, d: 4 });
    this.#strike("b", "SIGSTOP", "stopped");
    await this.#untilHeld({ c: 6, d: 6 });
    this.#children.get("b")?.kill("SIGCONT");
    await this.#untilHeld({ b: 4, c: 4, d: 4 });
    this.#children.get("c")?.kill("SIGTERM");
    await this.#untilHeld({ b: 6, d: 6 });
    for (const child of this.#children.values()) {
      child.kill("SIGTERM");
    }
    await Promise.all(this.#ended);
    await this.#untilHeld({});
    return [...this.#events(), ...this.#own].sort((a, b) => a.at - b.at);
  }

  #events(): ReplicaEvent[] {
    return this.#lines
      .join("")
      .split("\n")
      .filter((line) => line.endsWith("}"))
      .map((line) => JSON.parse(line) as ReplicaEvent);
  }

  #start(identity: string): void {
    const script = fileURLToPath(new URL("replica-process.ts", import.meta.url));
    const settings = {
      identity,
      namespace: this.#name,
      shards: { count: 12, name: "op", namespace: this.#name, ...timings },
      connection: this.#server.connectOptions(),
    };
    const child = spawn(process.execPath, [...typeScriptFlags, script], {
      env: { ...process.env, REPLICA: JSON.stringify(settings) },
      stdio: ["ignore", "pipe", "inherit"],
    });
    let line = "";
    child.stdout.on("data", (chunk: Buffer) => {
      line += chunk.toString();
      const end = line.lastIndexOf("\n") + 1;
      this.#lines.push(line.slice(0, end));
      line = line.slice(end);
    });
    this.#children.set(identity, child);
    this.#ended.push(new Promise((resolve) => child.once("close", resolve)));
  }

  #strike(who: string, signal: NodeJS.Signals, event: string): void {
    const at = Number(process.hrtime.bigint() / 1_000n) / 1_000;
    this.#own.push({ event, at, who, key: "", shards: [] });
    this.#children.get(who)?.kill(signal);
  }

  /** Waits until the Leases have as many shards for each replica. */
  async #untilHeld(expected: Record<string, number>): Promise<void> {
    const startedAt = performance.now();
    const held = async () => {
      const { items } = await this.#client.resource(Lease, this.#name).list();
      const counts: Record<string, number> = {};
      for (const { metadata, spec } of items) {
        const holder = spec?.holderIdentity ?? "";
        if (/-shard-\d+$/.test(metadata.name) && holder !== "") {
          counts[holder] = (counts[holder] ?? 0) + 1;
        }
      }
      return counts;
    };
    await expect.poll(held, { timeout: 30_000, interval: 100 }).toEqual(expected);
    const tookMs = Math.round(performance.now() - startedAt);
    console.log(`held after ${tookMs} ms: ${JSON.stringify(expected)}`);
  }
}

/** Flags with which Node runs our sources. */
const typeScriptFlags = ["--import", "tsx", "--conditions=@typekube/source"];
