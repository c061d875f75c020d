import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, connect as connectSocket, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mergePatch, type PodCalls } from "typekube";
import { Pod } from "typekube/api/core/v1";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  createPod,
  embeddedPods,
  type PodSubject,
  realPods,
} from "../conformance/pods/pod-subject.js";

/** TYPEKUBE_KUBECTL names another kubectl than the one of the path. */
const kubectl: string = process.env["TYPEKUBE_KUBECTL"] ?? "kubectl";
const isThere = spawnSync(kubectl, ["version", "--client"]).status === 0;
if (!isThere) {
  console.warn("SKIPPED: calls into pods by kubectl; kubectl is missing");
}

const subjects = isThere ? [await embeddedPods(), await realPods()] : [];
for (const subject of subjects) {
  if (subject) {
    describe(`kubectl and TypeKube, ${subject.label}`, () => compareOn(subject));
  }
}
it.skipIf(isThere)("kubectl is missing", () => {});

/** A command that kubectl and TypeKube run. */
interface Command {
  readonly command: readonly string[];
  readonly input?: string;
}

function compareOn(subject: PodSubject): void {
  let folder: string;
  let pod: PodCalls;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "typekube-kubectl-"));
    await subject.writeKubeconfig(join(folder, "config"));
    pod = await createPod(subject);
    await subject.client
      .resource(Pod, "default")
      .status.patch("web-0", mergePatch({ status: { phase: "Running" } }));
    const script = "echo one; echo two; exec sleep 600";
    await subject.start("web-0", "main", { command: ["sh", "-c", script] });
  });
  afterAll(async () => {
    await subject[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });
  const start = (args: readonly string[]) =>
    spawn(kubectl, ["--kubeconfig", join(folder, "config"), ...args]);
  const run = (args: readonly string[], input = "") => outputOf(start(args), input);

  it.each([
    {
      title: "XE1, XE5: both outputs and an exit code",
      command: ["sh", "-c", "echo out; echo err >&2; exit 3"],
    },
    { title: "XE5: success", command: ["true"] },
    { title: "XE5: a process that is killed", command: ["sh", "-c", "kill -9 $$"] },
    { title: "XE9: input that ends", command: ["sort"], input: "b\na\n" },
    {
      title: "XE20: words of any kind",
      command: ["printf", "%s|", "a b", `"q'`, "", "ä&$(x)", "-n"],
    },
    { title: "XE7: a megabyte", command: ["head", "-c", "1000000", "/dev/zero"] },
  ])("$title", async ({ command, input }: Command) => {
    const options = input === undefined ? [] : ["-i"];
    const theirs = await run(
      ["exec", "web-0", "-c", "main", ...options, "--", ...command],
      input ?? "",
    );
    const ours = await pod.exec(command, {
      container: "main",
      ...(input === undefined ? {} : { stdin: input }),
    });
    const stderr = withoutKubectlNotes(theirs.stderr);
    expect({ exitCode: theirs.code, stdout: theirs.stdout, stderr }).toEqual(ours);
  });

  it("XE19: a container that does not exist is the same error", async () => {
    const theirs = await run(["exec", "web-0", "-c", "none", "--", "true"]);
    const error = await pod.exec(["true"], { container: "none" }).catch((caught) => caught);
    expect(theirs.code).toBe(1);
    expect(theirs.stderr).toContain("container");
    expect(error.code).toBe("BadRequest");
    // kubectl finds out by itself, when the pod does not list the container.
    expect(String(error)).toContain("none");
  });

  it.each([
    [["--tail=1"], { tailLines: 1 }],
    [[], {}],
    [["--limit-bytes=5"], { limitBytes: 5 }],
  ])("XL1: the log with %j", async (flags, options) => {
    await expect
      .poll(async () => (await run(["logs", "web-0", "-c", "main"])).stdout)
      .toBe("one\ntwo\n");
    const { stdout } = await run(["logs", "web-0", "-c", "main", ...flags]);
    const lines: string[] = [];
    for await (const line of pod.logs({ container: "main", ...options })) {
      lines.push(line);
    }
    expect(stdout.replace(/\n$/, "").split("\n")).toEqual(lines);
  });

  it("XP1, XP4: a forwarded port leads to the same process, and passes the end of one side on", async () => {
    await using upper = await upperCase();
    const forwarding = start(["port-forward", "pod/web-0", `:${upper.port}`]);
    const local = await printed(forwarding, /127\.0\.0\.1:(\d+) ->/);
    const theirs = await exchange(connectSocket(Number(local), "127.0.0.1"));
    forwarding.kill();
    await once(forwarding, "close");
    await using forward = await pod.portForward(upper.port);
    expect(theirs).toBe("SENT");
    expect(await exchange(forward.socket() as unknown as Socket)).toBe(theirs);
  });
}

/**
 * Removes what kubectl itself adds to the stderr of a command: the exit code, and the complaint of kubectl 1.32
 * when the server's first message, which is empty, arrives before kubectl has created its streams.
 */
function withoutKubectlNotes(stderr: string): string {
  return stderr
    .replace(/^E\d{4} .* Unknown stream id \d, discarding message\n/m, "")
    .replace(/command terminated with exit code \d+\n$/, "");
}

async function outputOf(child: ChildProcess, input: string) {
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name]?.setEncoding("utf8").on("data", (text: string) => {
      output[name] += text;
    });
  }
  child.stdin?.end(input);
  const [code] = (await once(child, "close")) as [number | null];
  return { code, ...output };
}

/** Returns the first group of a pattern in what a program prints. */
function printed(child: ChildProcess, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (chunk: Buffer) => {
        text += chunk.toString();
        const found = pattern.exec(text)?.[1];
        if (found !== undefined) {
          resolve(found);
        }
      });
    }
    child.once("close", () => reject(new Error(text)));
  });
}

/** Sends a text, ends that side, and returns the answer. */
async function exchange(socket: Socket): Promise<string> {
  socket.end("sent");
  let text = "";
  for await (const chunk of socket) {
    text += String(chunk);
  }
  return text;
}

/** Starts a server that answers in capital letters once its client has ended. */
async function upperCase() {
  const server = createServer({ allowHalfOpen: true }, async (socket) => {
    let text = "";
    for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
      text += String(chunk);
    }
    socket.end(text.toUpperCase());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
