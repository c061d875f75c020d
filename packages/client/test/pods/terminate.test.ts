import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { setImmediate as nextTurn } from "node:timers/promises";
import { promisify } from "node:util";
import type { PodHandlers } from "@typekube/apiserver";
import { failure } from "@typekube/test-support/failure";
import { fileContainer } from "@typekube/test-support/file-container";
import { manualClock } from "@typekube/test-support/manual-clock";
import { serverFrame, webSocketServer } from "@typekube/test-support/web-socket-server";
import { connect } from "typekube";
import { Pod } from "typekube/api/core/v1";
import { describe, expect, it, onTestFinished } from "vitest";
import { NotedProcess } from "../../src/pod-sessions/noted-process.js";
import { twoContainerPod } from "../helpers/two-container-pod.js";

type Session = Parameters<NonNullable<PodHandlers["exec"]>>[0];

/** A process goes on when its client is gone, as on a node. */
async function start(change: (session: Session) => Partial<Session> = () => ({})) {
  const container = await fileContainer();
  onTestFinished(() => container[Symbol.asyncDispose]());
  const never = new AbortController().signal;
  const { pod } = await twoContainerPod({
    pods: {
      exec: (session) => container.exec({ ...session, signal: never, ...change(session) }),
    },
  });
  return { pod, container };
}

/** Returns the state of a process of this machine; undefined when it has ended. */
async function stateOf(pid: number): Promise<string | undefined> {
  const { stdout } = await promisify(execFile)("ps", ["-o", "stat=", "-p", String(pid)]).catch(
    () => ({ stdout: "" }),
  );
  return stdout.trim() === "" || stdout.startsWith("Z") ? undefined : stdout.trim();
}

async function firstText(source: AsyncIterable<unknown>): Promise<string> {
  for await (const chunk of source) {
    return String(chunk);
  }
  return "";
}

const sleeping = ["sh", "-c", "echo $$; exec sleep 1000"];

describe("onAbort: terminate", () => {
  it("XE17: an abort terminates the process, and the call fails with its reason after that", async () => {
    const { pod } = await start();
    const abort = new AbortController();
    const options = { session: true, signal: abort.signal, onAbort: "terminate" } as const;
    const session = await pod.exec(sleeping, options);
    const pid = Number(await firstText(session.stdout));
    expect(await stateOf(pid)).toBeDefined();
    const reason = new Error("enough");
    abort.abort(reason);
    await expect(session.result).rejects.toBe(reason);
    await expect.poll(() => stateOf(pid)).toBeUndefined();
  });

  it.each([
    ["the end of the time", { sessionTimeoutMs: 300 }, "DeadlineExceeded"],
    ["an output that is too large", { maxOutputBytes: 2 }, "TooLarge"],
  ])("XE17: %s terminates the process of a collected command", async (_what, options, code) => {
    const { pod, container } = await start();
    const error = await failure(
      pod.exec(["sh", "-c", "echo $$ >pid; echo many; exec sleep 1000"], {
        ...options,
        onAbort: "terminate",
      }),
    );
    expect(error.code).toBe(code);
    const pid = Number(await readFile(`${container.folder}/pid`, "utf8"));
    await expect.poll(() => stateOf(pid)).toBeUndefined();
  });

  it("XE17: close() resolves when the signal was sent; by default the process goes on", async () => {
    const { pod } = await start();
    const session = await pod.exec(sleeping, { session: true, onAbort: "terminate" });
    const pid = Number(await firstText(session.stdout));
    await session.close();
    await expect.poll(() => stateOf(pid)).toBeUndefined();
    const other = await pod.exec(sleeping, { session: true });
    const running = Number(await firstText(other.stdout));
    await other.close();
    expect(await stateOf(running)).toBeDefined();
    process.kill(running);
  });

  it("XE17: a process that ignores SIGTERM is killed after some seconds", async () => {
    const { pod, container } = await start();
    const session = await pod.exec(sleeping, { session: true, onAbort: "terminate" });
    await firstText(session.stdout);
    await session.close();
    const [, , script = "", , , , seconds] = container.commands.at(-1) ?? [];
    expect(seconds).toBe("10");
    const command = ["sh", "-c", "trap '' TERM; echo $$; while :; do sleep 1; done"];
    const other = await pod.exec(command, { session: true });
    const pid = Number(await firstText(other.stdout));
    const statOf = [
      "sh",
      "-c",
      `read -r s <"/proc/$1/stat"; set -- \${s##*) }; echo "\${20}"`,
      "sh",
    ];
    const { stdout } = await pod.exec([...statOf, String(pid)]);
    const words = [String(pid), stdout.trim(), "1"];
    const ended = await pod.exec(["sh", "-c", script, "sh", ...words]);
    expect(ended).toEqual({ exitCode: 0, stdout: "sent\n", stderr: "" });
    await expect.poll(() => stateOf(pid)).toBeUndefined();
  });

  it.each(["close()", "an abort"])(
    "XE17: %s before the first output terminates the process, too",
    async (way) => {
      const { pod, container } = await start();
      const abort = new AbortController();
      const options = { session: true, signal: abort.signal, onAbort: "terminate" } as const;
      const session = await pod.exec(["sleep", "1234"], options);
      if (way === "an abort") {
        abort.abort(new Error("enough"));
        await expect(session.result).rejects.toThrow("enough");
      } else {
        await session.close();
      }
      expect(container.commands.at(-1)?.[2]).toContain("kill -s");
      const processes = async () =>
        (await promisify(execFile)("ps", ["-eo", "stat=,args="])).stdout;
      await expect.poll(processes).not.toMatch(/^[^Z].* (sleep|.*\/sleep) 1234$/m);
    },
  );

  it.each([
    ["stderr", {}],
    ["stdout", { stderr: false }],
    ["counted output", { verifyOutput: true }],
  ])(
    "XE17: with the note on %s, output and exit code are those of the command",
    async (_what, more) => {
      const { pod } = await start();
      const script = "printf out; printf 'err\\n' >&2; exit 3";
      const options = { onAbort: "terminate", ...more } as const;
      expect(await pod.exec(["sh", "-c", script], options)).toEqual({
        exitCode: 3,
        stdout: "out",
        stderr: "stderr" in more ? "" : "err\n",
      });
    },
  );

  it("XE17: a counted command is terminated with its pipes", async () => {
    const { pod } = await start();
    const options = { session: true, onAbort: "terminate", verifyOutput: true } as const;
    const session = await pod.exec(sleeping, options);
    const pid = Number(await firstText(session.stdout));
    await session.close();
    await expect.poll(() => stateOf(pid)).toBeUndefined();
  });

  it("XE17: a process that has ended by itself is not terminated", async () => {
    const { pod, container } = await start();
    await using session = await pod.exec(["sh", "-c", "exit 6"], {
      session: true,
      onAbort: "terminate",
    });
    expect(await session.result).toEqual({ exitCode: 6 });
    await session.close();
    expect(container.commands.length).toBe(1);
  });

  it("XE17: when terminating fails, the reason stays and a warning says so", async () => {
    let count = 0;
    const { pod } = await start(({ command }) => {
      count += 1;
      return count === 2 ? { command: ["sh", "-c", "echo denied >&2; exit 1"] } : { command };
    });
    const warnings: string[] = [];
    const session = await pod.exec(sleeping, {
      session: true,
      onAbort: "terminate",
      onWarning: (text) => warnings.push(text),
    });
    const pid = Number(await firstText(session.stdout));
    await session.close();
    expect((await failure(session.result)).code).toBe("Aborted");
    expect(warnings).toEqual([
      "the command in the pod web-0 may still run: terminating it failed: exit code 1: denied",
    ]);
    process.kill(pid);
  });

  it("XE17: a second command that never starts holds the call for 5 seconds only", async () => {
    const clock = manualClock();
    let count = 0;
    const server = await webSocketServer((socket, head) => {
      count += 1;
      const marker = /command=(~[0-9a-f]+)/.exec(decodeURIComponent(head))?.[1];
      if (count === 1) {
        socket.write(serverFrame(0x82, 2, `${marker} 12 \n`));
        socket.write(serverFrame(0x82, 1, "ready"));
      }
    });
    onTestFinished(() => server[Symbol.asyncDispose]());
    await using client = await connect({ server: server.url, transportOptions: { clock } });
    const pod = client.resource(Pod, "default").named("web-0");
    const warnings: string[] = [];
    const session = await pod.exec(["x"], {
      container: "c",
      session: true,
      onAbort: "terminate",
      onWarning: (text) => warnings.push(text),
    });
    expect(await firstText(session.stdout)).toBe("ready");
    let isClosed = false;
    const closed = session.close().then(() => {
      isClosed = true;
    });
    await expect.poll(() => count).toBe(2);
    for (let tick = 0; !isClosed && tick < 1_000; tick++) {
      await nextTurn();
      clock.advance(100);
    }
    await closed;
    expect(warnings).toEqual([expect.stringContaining("no signal was sent within 5000 ms")]);
  });

  it("XE17: another process with the same number is left alone", async () => {
    const { pod, container } = await start();
    const session = await pod.exec(sleeping, { session: true, onAbort: "terminate" });
    const pid = Number(await firstText(session.stdout));
    await session.close();
    await expect.poll(() => stateOf(pid)).toBeUndefined();
    const [, , script = ""] = container.commands.at(-1) ?? [];
    const other = await pod.exec(sleeping, { session: true });
    const running = Number(await firstText(other.stdout));
    const ended = await pod.exec(["sh", "-c", script, "sh", String(running), "1"]);
    expect(ended).toEqual({ exitCode: 0, stdout: "", stderr: "" });
    expect(await stateOf(running)).toBeDefined();
    process.kill(running);
  });

  it("XE17: needs an output for the note", async () => {
    const { pod } = await start();
    const options = { stdin: "x", stdout: false, stderr: false, onAbort: "terminate" } as const;
    expect(await failure(pod.exec(["cat"], options))).toMatchObject({ code: "InvalidArgument" });
  });
});

describe("the note in front of the output", () => {
  const note = (given: NotedProcess) => `${given.command[4]} 123 S 1 ${"0 ".repeat(17)}9876 0\n`;

  it("XE17: is taken out wherever messages are split", () => {
    const length = note(new NotedProcess(["x"], "stdout")).length;
    for (let at = 0; at <= length + 2; at++) {
      const one = new NotedProcess(["x"], "stdout");
      const all = Buffer.from(`${note(one)}out`);
      const passed = [
        one.pass("stdout", all.subarray(0, at)),
        one.pass("stdout", all.subarray(at)),
        one.end().stdout,
      ];
      expect(Buffer.concat(passed).toString()).toBe("out");
      expect(one.identity).toEqual({ pid: "123", startedAt: "9876" });
    }
  });

  it("XE17: of a terminal ends with a carriage return", () => {
    const one = new NotedProcess(["x"], "stdout");
    const all = Buffer.from(note(one).replace("\n", "\r\n$ "));
    expect(one.pass("stdout", all).toString()).toBe("$ ");
    expect(one.identity).toEqual({ pid: "123", startedAt: "9876" });
  });

  it("XE17: that does not come leaves the output as it is", () => {
    const one = new NotedProcess(["x"], "stderr");
    const start = one.command[4] ?? "";
    expect(one.pass("stdout", Buffer.from("a")).toString()).toBe("a");
    expect(one.pass("stderr", Buffer.from(start.slice(0, 5))).byteLength).toBe(0);
    expect(one.pass("stderr", Buffer.from("other")).toString()).toBe(`${start.slice(0, 5)}other`);
    const half = new NotedProcess(["x"], "stderr");
    half.pass("stderr", Buffer.from("~"));
    expect(half.end().stderr.toString()).toBe("~");
    expect([one.identity, half.identity]).toEqual([undefined, undefined]);
  });
});
