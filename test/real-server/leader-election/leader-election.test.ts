import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Lease } from "@typekube/api/coordination/v1";
import { LeaseCandidate } from "@typekube/api/coordination/v1beta1";
import { ConfigMap } from "@typekube/api/core/v1";
import { findAssets } from "@typekube/test-support/real-server/assets";
import { type RealServer, startRealServer } from "@typekube/test-support/real-server/real-server";
import { seededRandom } from "@typekube/test-support/seeded-random";
import { type Client, connect } from "typekube";
import { type Elector, type ElectorOptions, startElector } from "typekube/controller";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { overlapsIn } from "../../../packages/controller/test/election/simulation/history.js";

const hasReal = (await findAssets()) !== undefined;
const timings = { leaseDurationMs: 3_000, renewDeadlineMs: 2_000, retryMs: 500 } as const;
/** Histories with real processes, about 15 seconds each; the long run has 20. */
const histories = Number(process.env["TYPEKUBE_ELECTION_PROCESSES"] ?? 1);

describe.runIf(hasReal)("leader election on a real server", () => {
  let server: RealServer;
  let client: Client;

  beforeAll(async () => {
    const flags = [
      "--feature-gates=CoordinatedLeaderElection=true",
      "--runtime-config=coordination.k8s.io/v1beta1=true",
    ];
    server = (await startRealServer({ flags })) as RealServer;
    client = await connect(server.connectOptions());
  });
  afterAll(async () => {
    await client?.close();
    await server?.close();
  });

  const join = (identity: string, options: Partial<ElectorOptions> & { name: string }) =>
    startElector(client, { namespace: "default", identity, ...timings, ...options });
  const specOf = async (name: string) => (await client.resource(Lease, "default").get(name)).spec;

  test("L1, L5, CL7, CL11, CL20: acquires, renews, releases, and the follower takes over", async () => {
    const a = await join("a", { name: "story" });
    const { fence } = await a.acquired();
    const acquired = await specOf("story");
    expect(acquired).toMatchObject({ holderIdentity: "a", leaseTransitions: 0 });
    const b = await join("b", { name: "story" });
    await expect.poll(async () => (await specOf("story"))?.renewTime).not.toBe(acquired?.renewTime);
    const renewed = await specOf("story");
    expect(renewed).toEqual({ ...acquired, renewTime: renewed?.renewTime });
    expect([b.state.name, fence.isHeld]).toEqual(["follower", true]);
    const startedAt = performance.now();
    await a.close();
    const next = await b.acquired();
    console.log(`take-over after a release: ${Math.round(performance.now() - startedAt)} ms`);
    expect(next.fence.token).toBe(1);
    expect(await specOf("story")).toMatchObject({ holderIdentity: "b", leaseTransitions: 1 });
    await b.close();
    const freed = await specOf("story");
    expect(freed).toMatchObject({ leaseDurationSeconds: 1, leaseTransitions: 1 });
    expect(freed?.holderIdentity ?? "").toBe("");
  });

  test("CL3, CL11: a follower takes over from a leader that ended without a release", async () => {
    const a = await join("a", { name: "crash" });
    const { fence } = await a.acquired();
    const b = await join("b", { name: "crash" });
    await expect.poll(() => b.leader).toBe("a");
    const startedAt = performance.now();
    await a.close({ release: false });
    const next = await b.acquired();
    console.log(`take-over after a crash: ${Math.round(performance.now() - startedAt)} ms`);
    expect([fence.isHeld, next.fence.token]).toEqual([false, 1]);
    await b.close();
  });

  test("CL23: the API server chooses the candidate with the lowest emulation version", async () => {
    const options = (emulationVersion: string) => ({
      name: "coordinated",
      // The server's controller measures by the wall clock of its machine, which is ours.
      coordinated: { binaryVersion: "2.0.0", emulationVersion },
    });
    const newer = await join("newer", options("2.0.0"));
    const older = await join("older", options("1.9.0"));
    const leading = () =>
      [newer, older].filter(({ state }) => state.name === "leader").map(({ identity }) => identity);
    await expect.poll(leading, { timeout: 60_000 }).toEqual(["older"]);
    expect(await specOf("coordinated")).toMatchObject({ strategy: "OldestEmulationVersion" });
    const { items } = await client.resource(LeaseCandidate, "default").list();
    expect(items.map(({ metadata }) => metadata.name).sort()).toEqual(["newer", "older"]);
    await Promise.all([older, newer].map((elector: Elector) => elector.close()));
  });

  test("CL5, CL14, CL19: no process sends after its deadline, whatever is killed or stopped", {
    timeout: 60_000 + 60_000 * histories,
  }, async () => {
    await client.resource(ConfigMap, "default").create({ metadata: { name: "work" } });
    for (let seed = 1; seed <= histories; seed += 1) {
      const run = new ProcessHistory(server, seed);
      const events = await run.events();
      const sent = events.filter(({ event }) => event === "sends");
      const leaders = new Set(sent.map(({ token }) => token)).size;
      console.log(`process history ${seed}: ${sent.length} requests of ${leaders} leaders`);
      expect([seed, overlapsIn(sent, timings.renewDeadlineMs)]).toEqual([seed, []]);
      expect(leaders).toBeGreaterThan(1);
    }
  });
});

/** A line of a candidate process. */
interface ProcessEvent {
  readonly event: string;
  readonly at: number;
  readonly who: string;
  readonly token: number;
  readonly ageMs: number;
}

/** Three candidates in processes of their own, of which some are killed or stopped. */
class ProcessHistory {
  readonly #server: RealServer;
  readonly #random: () => number;
  readonly #seed: number;
  readonly #lines: string[] = [];
  readonly #ended: Promise<unknown>[] = [];
  #children: ChildProcess[] = [];
  #count = 0;

  constructor(server: RealServer, seed: number) {
    this.#server = server;
    this.#seed = seed;
    this.#random = seededRandom(seed);
  }

  /** Runs the history and returns its events in order. */
  async events(): Promise<ProcessEvent[]> {
    for (let n = 0; n < 3; n += 1) {
      this.#start();
    }
    await this.#untilSent(50);
    for (let incident = 0; incident < 4; incident += 1) {
      await this.#strikeLeader(incident);
      await this.#untilSent(50);
    }
    for (const child of this.#children) {
      child.kill("SIGCONT");
      child.kill("SIGTERM");
    }
    await Promise.all(this.#ended);
    return this.#events().sort((a, b) => a.at - b.at);
  }

  #events(): ProcessEvent[] {
    return this.#lines
      .join("")
      .split("\n")
      .filter((line) => line.endsWith("}"))
      .map((line) => JSON.parse(line) as ProcessEvent);
  }

  #start(): void {
    this.#count += 1;
    const identity = `p${this.#seed}-${this.#count}`;
    const script = fileURLToPath(new URL("candidate-process.ts", import.meta.url));
    const settings = { identity, timings, connection: this.#server.connectOptions() };
    const child = spawn(process.execPath, [...typeScriptFlags, script], {
      env: { ...process.env, CANDIDATE: JSON.stringify(settings) },
      stdio: ["ignore", "pipe", "inherit"],
    });
    let line = "";
    child.stdout.on("data", (chunk: Buffer) => {
      line += chunk.toString();
      const end = line.lastIndexOf("\n") + 1;
      this.#lines.push(line.slice(0, end));
      line = line.slice(end);
    });
    this.#children.push(child);
    this.#ended.push(new Promise((resolve) => child.once("close", resolve)));
    Object.assign(child, { identity });
  }

  /** Kills or stops the process that sent last. */
  async #strikeLeader(incident: number): Promise<void> {
    const who = this.#events()
      .sort((a, b) => a.at - b.at)
      .at(-1)?.who;
    const child = this.#children.find((each) => (each as { identity?: string }).identity === who);
    if (child === undefined) {
      return;
    }
    if (incident % 2 === 0) {
      this.#children = this.#children.filter((each) => each !== child);
      child.kill("SIGKILL");
      this.#start();
    } else {
      child.kill("SIGSTOP");
      const stopMs = 1_000 + this.#random() * 5_000;
      setTimeout(() => child.kill("SIGCONT"), stopMs);
    }
  }

  /** Waits until this many more requests were sent. */
  async #untilSent(count: number): Promise<void> {
    const sent = () => this.#events().filter(({ event }) => event === "sends").length;
    const target = sent() + count;
    await expect.poll(sent, { timeout: 60_000, interval: 100 }).toBeGreaterThanOrEqual(target);
  }
}

/** Flags with which Node runs our sources. */
const typeScriptFlags = ["--import", "tsx", "--conditions=@typekube/source"];
