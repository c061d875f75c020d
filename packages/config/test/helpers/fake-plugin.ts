import { appendFile, chmod, readFile, writeFile } from "node:fs/promises";
import net from "node:net";
import { join } from "node:path";
import type { TestFolder } from "@typekube/test-support/kubeconfig-files";

/** Behaviour of one plugin run; the last one of a plan is repeated. */
export interface PluginAct {
  /** Status of the ExecCredential; the other fields follow from the request. */
  readonly status?: object;
  /** Text to print instead of an ExecCredential. */
  readonly output?: string;
  readonly stderr?: string;
  readonly exitCode?: number;
  /** Reports its start to the {@link Pulse} at this port, then never ends and ignores SIGTERM. */
  readonly hangs?: number;
  /** Prints only after the {@link Pulse} at this port ends the connection. */
  readonly waits?: number;
  /** Leaves a process behind that holds this stream and lives until the {@link Pulse} ends it. */
  readonly leaves?: { readonly stream: "stderr" | "stdout"; readonly port: number };
}

/** Input of one run. */
export interface PluginRunRecord {
  readonly pid: number;
  readonly args: readonly string[];
  readonly info: { readonly apiVersion: string; readonly spec: Record<string, unknown> };
  readonly extra: string | undefined;
}

/** A real program that prints credentials and records its runs. It starts with `#!`, so it needs Linux or macOS. */
export interface FakePlugin {
  readonly path: string;
  readonly folder: string;
  plan(...acts: readonly PluginAct[]): Promise<void>;
  runs(): Promise<PluginRunRecord[]>;
}

const program = (dir: string) => `#!${process.execPath}
const fs = require("node:fs");
const dir = ${JSON.stringify(dir)};
const info = JSON.parse(process.env.KUBERNETES_EXEC_INFO);
const record = { pid: process.pid, args: process.argv.slice(2), info, extra: process.env.EXTRA };
const before = fs.existsSync(dir + "/runs") ? fs.readFileSync(dir + "/runs", "utf8").split("\\n").length - 1 : 0;
const acts = JSON.parse(fs.readFileSync(dir + "/plan.json", "utf8"));
const act = acts[Math.min(before, acts.length - 1)];
if (act.hangs) { process.on("SIGTERM", () => {}); require("node:net").connect(act.hangs, "127.0.0.1"); }
if (act.leaves) {
  const code = \`require("node:net").connect(\${act.leaves.port}, "127.0.0.1").resume()\`;
  const of = (stream) => (act.leaves.stream === stream ? "inherit" : "ignore");
  const stdio = ["ignore", of("stdout"), of("stderr")];
  require("node:child_process").spawn(process.execPath, ["-e", code], { stdio, detached: true }).unref();
}
fs.appendFileSync(dir + "/runs", JSON.stringify(record) + "\\n");
process.stderr.write(act.stderr ?? "");
const credential = { apiVersion: info.apiVersion, kind: "ExecCredential", status: act.status };
const print = () => process.stdout.write(act.output ?? JSON.stringify(credential));
if (act.waits) { require("node:net").connect(act.waits, "127.0.0.1").resume().on("close", print); } else { print(); }
process.exitCode = act.exitCode ?? 0;
`;

/** Creates the program `name` in a test's folder. */
export async function fakePlugin(dir: TestFolder, name = "plugin"): Promise<FakePlugin> {
  const path = await dir.write(`bin/${name}`, program(dir.path));
  await chmod(path, 0o755);
  const plan = (...acts: readonly PluginAct[]) =>
    writeFile(join(dir.path, "plan.json"), JSON.stringify(acts));
  await plan({ status: { token: "token-1" } });
  await appendFile(join(dir.path, "runs"), "");
  return {
    path,
    folder: join(dir.path, "bin"),
    plan,
    async runs() {
      const text = await readFile(join(dir.path, "runs"), "utf8");
      return text
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as PluginRunRecord);
    },
  };
}

/** Tracks runs by their connections, which the system closes when a process ends. */
export interface Pulse extends AsyncDisposable {
  readonly port: number;
  /** Resolves when the next run has started. */
  begun(): Promise<PulsingRun>;
}

/** A run tracked by its connection. */
export interface PulsingRun {
  readonly isGone: () => boolean;
  readonly gone: Promise<void>;
  /** Closes the connection; the process ends if it has nothing else to do. */
  end(): void;
}

export async function pulse(): Promise<Pulse> {
  const runs: net.Socket[] = [];
  const waiting: ((socket: net.Socket) => void)[] = [];
  const server = net.createServer((socket) => {
    socket.on("error", () => {});
    socket.resume();
    const next = waiting.shift();
    if (next) {
      next(socket);
    } else {
      runs.push(socket);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as net.AddressInfo).port,
    async begun() {
      const socket =
        runs.shift() ?? (await new Promise<net.Socket>((resolve) => waiting.push(resolve)));
      const gone = new Promise<void>((resolve) => {
        socket.once("close", () => resolve());
      });
      return { isGone: () => socket.closed, gone, end: () => socket.end() };
    },
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
