import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import type { PodHandlers } from "@typekube/apiserver";
import { runProgram } from "./file-container.js";

type Handler<K extends keyof PodHandlers> = NonNullable<PodHandlers[K]>;
type Session = Parameters<Handler<"exec">>[0];

/** A main process of a container. */
export interface EmbeddedMainProcess {
  readonly command: readonly string[];
  readonly stdin?: boolean;
}

/** A main process with its output so far. */
interface Running {
  readonly child: ChildProcessWithoutNullStreams;
  readonly lines: { readonly text: string; readonly timeMs: number }[];
  readonly ended: Promise<unknown>;
  isOver: boolean;
  onLine: () => void;
}

/** Handlers of an embedded server whose containers are processes of this machine, as those of a real server's node. */
export interface EmbeddedNode extends AsyncDisposable {
  readonly handlers: PodHandlers;
  /** Starts the main process of a container. */
  start(pod: string, container: string, process: EmbeddedMainProcess): Promise<void>;
}

/** Creates the handlers. A terminal is a shell that knows `stty size` and `exit`. */
export async function embeddedNode(): Promise<EmbeddedNode> {
  const folder = await mkdtemp(join(tmpdir(), "typekube-embedded-node-"));
  const running = new Map<string, Running>();
  const { PATH: path = "" } = process.env;
  const mainOf = (pod: string, container: string) => {
    const found = running.get(`${pod}/${container}`);
    if (found === undefined) {
      throw new Error(`container "${container}" does not run`);
    }
    return found;
  };
  return {
    handlers: {
      async exec(session) {
        if (session.tty) {
          return runShell(session);
        }
        const [name = ""] = session.command;
        if (!path.split(delimiter).some((one) => existsSync(join(one, name)))) {
          throw new Error(`exec: "${name}": executable file not found in $PATH`);
        }
        return runProgram(session, name, { folder, path });
      },
      attach: (session) => attachTo(mainOf(session.name, session.container), session),
      log: ({ name, container, follow, tailLines, signal }) =>
        linesOf(mainOf(name, container), follow, tailLines, signal),
      portForward: ({ port, data, write }) => forward(port, data, write),
    },
    async start(pod, container, { command, stdin }) {
      const home = join(folder, pod, container);
      await mkdir(home, { recursive: true });
      running.set(`${pod}/${container}`, run(command, home, stdin === true));
    },
    async [Symbol.asyncDispose]() {
      for (const { child } of running.values()) {
        child.kill("SIGKILL");
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function run([program = "", ...args]: readonly string[], cwd: string, hasStdin: boolean): Running {
  const child = spawn(program, args, { cwd });
  const one: Running = {
    child,
    lines: [],
    ended: once(child, "close"),
    isOver: false,
    onLine() {},
  };
  if (!hasStdin) {
    child.stdin.end();
  }
  for (const output of [child.stdout, child.stderr]) {
    let rest = "";
    const add = (texts: readonly string[]) => {
      for (const text of texts) {
        one.lines.push({ text, timeMs: Date.now() });
      }
      one.onLine();
    };
    output.on("data", (chunk: Buffer) => {
      const texts = `${rest}${chunk}`.split("\n");
      rest = texts.pop() ?? "";
      add(texts);
    });
    output.on("end", () => add(rest === "" ? [] : [rest]));
  }
  void one.ended.then(() => {
    one.isOver = true;
    one.onLine();
  });
  return one;
}

async function attachTo({ child, ended }: Running, session: Session): Promise<undefined> {
  const outputs = [
    [child.stdout, session.stdout],
    [child.stderr, session.stderr],
  ] as const;
  for (const [output, write] of outputs) {
    output.on("data", (chunk: Buffer) => void write(chunk));
  }
  const input = async () => {
    for await (const chunk of session.stdin) {
      child.stdin.write(chunk);
    }
    child.stdin.end();
  };
  void input();
  const gone = new Promise((resolve) => session.signal.addEventListener("abort", resolve));
  await Promise.race([ended, gone]);
}

async function* linesOf(
  one: Running,
  follow: boolean,
  tail: number | undefined,
  signal: AbortSignal,
) {
  let at = follow && tail !== undefined ? Math.max(0, one.lines.length - tail) : 0;
  for (;;) {
    const line = one.lines[at];
    if (line !== undefined) {
      at += 1;
      yield line;
    } else if (!follow || one.isOver || signal.aborted) {
      return;
    } else {
      await new Promise<void>((resolve) => {
        one.onLine = resolve;
        signal.addEventListener("abort", () => resolve(), { once: true });
      });
    }
  }
}

async function runShell({ stdin, stdout, resizes }: Session): Promise<number> {
  let size = "0 0";
  const sizes = async () => {
    for await (const { width, height } of resizes) {
      size = `${height} ${width}`;
    }
  };
  void sizes();
  let typed = "";
  for await (const chunk of stdin) {
    typed += Buffer.from(chunk).toString();
    const lines = typed.split("\n");
    typed = lines.pop() ?? "";
    for (const line of lines) {
      if (line.startsWith("exit ")) {
        return Number(line.slice(5));
      }
      await stdout(`${line}\r\n${line === "stty size" ? `${size}\r\n` : ""}`);
    }
  }
  return 0;
}

async function forward(
  port: number,
  data: AsyncIterable<Uint8Array>,
  write: (bytes: Uint8Array) => Promise<void>,
): Promise<void> {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  try {
    await once(socket, "connect");
  } catch {
    throw new Error(`dial tcp 127.0.0.1:${port}: connect: connection refused`);
  }
  const send = async () => {
    for await (const chunk of data) {
      socket.write(chunk);
    }
    socket.end();
  };
  void send();
  for await (const chunk of socket) {
    await write(chunk as Buffer);
  }
}
