import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Ended, runProgram } from "./run-program.js";
import { type ServedCluster, startServe } from "./serve.js";

/** TYPEKUBE_KUBECTL names another kubectl than the one of the path. */
const kubectl: string = process.env["TYPEKUBE_KUBECTL"] ?? "kubectl";
const isThere = spawnSync(kubectl, ["version", "--client"]).status === 0;
if (!isThere) {
  console.warn("SKIPPED: kubectl and the containers of typekube serve; kubectl is missing");
}
/** Milliseconds for one command. */
const timeoutMs = 60_000;

let cluster: ServedCluster;
let folder: string;

/** Runs a line of bash in the folder, where `k` is kubectl. */
function run(line: string): Promise<Ended> {
  const env = { KUBECONFIG: cluster.kubeconfig, HOME: folder, KUBECTL: kubectl };
  const script = `set -o pipefail; k() { "$KUBECTL" "$@"; }; ${line}`;
  return runProgram("bash", ["-c", script], { env, folder, timeoutMs });
}

/** Starts kubectl, and returns its output once it contains a text; kubectl is then ended. */
async function outputUntil(
  args: readonly string[],
  text: string,
  act: (output: string) => Promise<void> = async () => {},
): Promise<string> {
  const env = { ...process.env, KUBECONFIG: cluster.kubeconfig, HOME: folder };
  const child = spawn(kubectl, args, { env, signal: AbortSignal.timeout(timeoutMs) });
  child.on("error", () => {});
  const ended = once(child, "close");
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  await expect.poll(() => output, { timeout: timeoutMs }).toContain(text);
  await act(output);
  child.kill();
  await ended;
  return output;
}

describe.skipIf(!isThere)("kubectl and the containers of typekube serve", () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "typekube-home-"));
    cluster = await startServe([]);
    const started = await run(
      "k run web --image=nginx --port=80 && k wait --for=condition=Ready pod/web --timeout=30s",
    );
    expect(started).toEqual({ code: 0, text: expect.stringContaining("condition met") });
  }, 120_000);
  afterAll(async () => {
    await cluster?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  it("exec runs programs, passes input, and returns exit codes", async () => {
    await writeFile(join(folder, "input"), "b\na\n");
    expect(await run("k exec web -- ls /")).toEqual({
      code: 0,
      text: "README\nbin\netc\nroot\ntmp\nusr\n",
    });
    expect(await run("k exec -i web -- sort < input")).toEqual({ code: 0, text: "a\nb\n" });
    expect(await run("k exec -i web -- cat < input")).toEqual({ code: 0, text: "b\na\n" });
    const missing = await run("k exec web -- cat /no");
    expect(missing.code).toBe(1);
    expect(missing.text).toContain("cat: /no: No such file or directory");
    expect(missing.text).toContain("command terminated with exit code 1");
    const shell = await run("k exec web -- sh -c ls");
    expect(shell.code).toBe(1);
    expect(shell.text).toContain('exec: "sh": executable file not found in $PATH');
  });

  it("cp copies a file and a directory, in both directions", async () => {
    await mkdir(join(folder, "dir/sub"), { recursive: true });
    await writeFile(join(folder, "dir/run.sh"), "echo");
    await chmod(join(folder, "dir/run.sh"), 0o750);
    await writeFile(join(folder, "dir/sub/b.txt"), "b".repeat(100_000));
    for (const line of [
      "k cp dir web:/srv",
      "k cp dir/run.sh web:/srv/one.sh",
      "k cp dir/run.sh web:/tmp",
      "k exec web -- test -f /tmp/run.sh",
      "k cp web:/srv back",
      "k cp web:srv/one.sh one.sh",
    ]) {
      expect(await run(line)).toMatchObject({ code: 0 });
    }
    expect((await readFile(join(folder, "back/sub/b.txt"))).byteLength).toBe(100_000);
    expect((await run("k exec web -- ls -l /srv/run.sh")).text).toMatch(/^-rwxr-x--- /);
    expect(await readFile(join(folder, "one.sh"), "utf8")).toBe("echo");
    // kubectl may end with success before it notices that the remote tar failed.
    expect((await run("k cp web:/no no; ls no")).text).toContain("cannot access 'no'");
    expect((await run("k cp dir web:/no/such/place")).code).not.toBe(0);
  });

  it("port-forward serves a page, whose requests are in the log that is followed", async () => {
    const logged = outputUntil(["logs", "-f", "web"], "GET / 200");
    await outputUntil(["port-forward", "pod/web", ":80"], "Forwarding from", async (output) => {
      const [, port] = /127\.0\.0\.1:(\d+)/.exec(output) ?? [];
      const response = await fetch(`http://127.0.0.1:${port}/`);
      expect([response.status, await response.text()]).toEqual([
        200,
        expect.stringContaining("Port 80 of the pod default/web."),
      ]);
    });
    expect(await logged).toContain("container web of pod default/web: simulated in memory");
    expect((await run("k logs web --tail=1")).text).toBe("GET / 200\n");
  });

  it("debug adds a container, whose program runs", async () => {
    const added = await run(
      "k debug web --image=busybox --container=look -- cat /etc/hostname && " +
        "k wait pod/web --for=jsonpath='{.status.ephemeralContainerStatuses[0].state.terminated.exitCode}'=0 " +
        "--timeout=30s && k logs web -c look",
    );
    expect(added).toEqual({ code: 0, text: expect.stringMatching(/^web$/m) });
  });

  it("a pod of a program runs it with the input of kubectl, ends, and its log stays", async () => {
    await writeFile(join(folder, "numbers"), "2\n1\n");
    const attached = await run(
      "k run sorted --image=busybox --restart=Never -i --rm -- sort < numbers",
    );
    expect(attached.code).toBe(0);
    expect(attached.text).toContain("1\n2\n");
    const ended = await run(
      "k run hello --image=busybox --restart=Never -- echo hello && k logs -f --pod-running-timeout=30s hello; " +
        "k wait pod/hello --for=jsonpath={.status.phase}=Succeeded --timeout=30s && k logs hello && k exec hello -- ls",
    );
    expect(ended.text).toContain("hello\n");
    expect(ended.text).toContain("cannot exec into a container in a completed pod");
  });
});
