import { channel } from "node:diagnostics_channel";
import { Readable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Pod } from "@typekube/api/core/v1";
import type { ApiServerOptions, PodHandlers } from "@typekube/apiserver";
import { outputOf, type PodCalls } from "@typekube/client";
import { failure } from "@typekube/test-support/failure";
import { describe, expect, it } from "vitest";
import { twoContainerPod } from "../helpers/two-container-pod.js";

/** Starts a server whose pod runs commands with this handler. */
function start(
  exec: PodHandlers["exec"],
  path?: "in process" | "sockets",
  options: ApiServerOptions = {},
) {
  return twoContainerPod({ ...options, pods: { exec } }, path);
}

async function bytesOf(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) {
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

describe.each(["sockets", "in process"] as const)("a command, %s", (path) => {
  it("XE1, XE3: returns its exit code and both outputs; the default container is used", async () => {
    const { api, pod } = await start(async ({ command, container, stdout, stderr }) => {
      await stdout(`${JSON.stringify(command)} in ${container}`);
      await stderr("careful");
      return 0;
    }, path);
    expect(await pod.exec(["ls", "-l"])).toEqual({
      exitCode: 0,
      stdout: '["ls","-l"] in main',
      stderr: "careful",
    });
    expect((await pod.exec(["ls"], { container: "side" })).stdout).toBe('["ls"] in side');
    const request = api.requests.findLast(({ subresource }) => subresource === "exec");
    expect(request?.path).toBe(
      "/api/v1/namespaces/default/pods/web-0/exec?command=ls&container=side&stdout=true&stderr=true",
    );
  });

  it("XE3: output is bytes on request, and limited", async () => {
    const { pod } = await start(async ({ stdout }) => {
      for (let count = 0; count < 10; count++) {
        await stdout(Buffer.alloc(1_000, 0xff));
      }
      return 0;
    }, path);
    const { stdout } = await pod.exec(["cat"], { output: "bytes" });
    expect(stdout).toEqual(Buffer.alloc(10_000, 0xff));
    const error = await failure(pod.exec(["cat"], { output: "bytes", maxOutputBytes: 2_500 }));
    expect(error).toMatchObject({ code: "TooLarge" });
    expect(outputOf(error)?.stdout).toEqual(Buffer.alloc(2_500, 0xff));
    expect(JSON.stringify(error)).not.toContain("255");
  });

  it("XE4: an exit code other than 0 is a result, and with check an error with the end of stderr", async () => {
    const { pod } = await start(async ({ stderr }) => {
      await stderr(`${"x".repeat(10_000)} no such file\n`);
      return 3;
    }, path);
    expect((await pod.exec(["cat", "nothing"])).exitCode).toBe(3);
    const error = await failure(pod.exec(["cat", "nothing"], { check: true }));
    expect(error.code).toBe("CommandFailed");
    expect(error.message).toMatch(/^\[CommandFailed\] the command exited with 3: x+ no such file$/);
    expect(error.message.length).toBeLessThan(4_200);
    expect(outputOf(error)).toMatchObject({ exitCode: 3, stdout: "" });
  });

  it("XE5: a process that could not run is an error with the server's message", async () => {
    const { pod } = await start(async () => {
      throw new Error('exec: "nope": executable file not found in $PATH');
    }, path);
    expect(await failure(pod.exec(["nope"]))).toMatchObject({
      code: "InternalError",
      rawMessage: expect.stringContaining("executable file not found"),
    });
  });

  it("XE9, XE12: finite input from any source reaches the process with its end, and its output still comes", async () => {
    const { pod } = await start(async ({ stdin, stdout }) => {
      const bytes = await bytesOf(stdin);
      await stdout(`got ${bytes.toString()}`);
      return 0;
    }, path);
    const sources = [
      "hello",
      Buffer.from("hello"),
      Readable.from(["hel", "lo"]),
      new Blob(["hello"]).stream(),
      (async function* () {
        yield "hel";
        await nextTurn();
        yield Buffer.from("lo");
      })(),
    ];
    for (const stdin of sources) {
      expect((await pod.exec(["cat"], { stdin: stdin as Readable })).stdout).toBe("got hello");
    }
  });

  it("XE12: an error of the source ends the session and is its error", async () => {
    let input: Promise<Buffer> | undefined;
    const { pod } = await start(async ({ stdin, signal }) => {
      input = bytesOf(stdin);
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      return 0;
    }, path);
    const broken = new Error("disk");
    const source = (async function* () {
      yield "some";
      throw broken;
    })();
    await expect(pod.exec(["cat"], { stdin: source })).rejects.toBe(broken);
    expect((await input)?.toString()).toBe("some");
  });

  it("XE14, XE15: a terminal has one output and sizes, the first one before any output", async () => {
    const { pod } = await start(async ({ tty, resizes, stdout, stderr }) => {
      const sizes = resizes[Symbol.asyncIterator]();
      await stdout(`tty ${tty} ${JSON.stringify((await sizes.next()).value)}`);
      await stderr(" error output");
      await stdout(` ${JSON.stringify((await sizes.next()).value)}`);
      return 0;
    }, path);
    await using session = await pod.exec(["sh"], { tty: true, size: { width: 80, height: 24 } });
    await session.resize({ width: 120, height: 40 });
    expect(await session.stdout.text()).toBe(
      'tty true {"width":80,"height":24} error output {"width":120,"height":40}',
    );
    expect(await session.result).toEqual({ exitCode: 0 });
    const sizes = [
      { width: 0, height: 1 },
      { width: 65_536, height: 1 },
      { width: 1.5, height: 1 },
    ];
    for (const size of sizes) {
      expect(await failure(session.resize(size))).toMatchObject({ code: "InvalidArgument" });
    }
  });

  it("XT15, XE7: awaiting the result drops unread output; the exit code comes after all of it", async () => {
    let written = 0;
    const { pod } = await start(async ({ stdout }) => {
      for (; written < 20 * 1024 * 1024; written += 65_536) {
        await stdout(Buffer.alloc(65_536));
      }
      return 7;
    }, path);
    await using session = await pod.exec(["yes"], { session: true });
    expect(await session.result).toEqual({ exitCode: 7 });
    expect(written).toBe(20 * 1024 * 1024);
    // Nobody takes the rest for the whole.
    expect(await failure(session.stdout.text())).toMatchObject({ code: "InvalidState" });
    expect(await session.stderr.text()).toBe("");
  });

  it("XT15: a process whose output is not read waits, and loses nothing", async () => {
    let written = 0;
    const total = 40 * 1024 * 1024;
    const { pod } = await start(async ({ stdout }) => {
      for (; written < total; written += 65_536) {
        await stdout(Buffer.alloc(65_536, written / 65_536));
      }
      return 0;
    }, path);
    await using session = await pod.exec(["yes"], { session: true });
    await expect.poll(() => written).toBeGreaterThan(0);
    for (let before = -1; before !== written; ) {
      before = written;
      for (let count = 0; count < 200; count++) {
        await nextTurn();
      }
    }
    expect(written).toBeLessThan(24 * 1024 * 1024);
    const result = session.result;
    const bytes = await session.stdout.bytes();
    expect(bytes.byteLength).toBe(total);
    expect(bytes[total - 1]).toBe((total / 65_536 - 1) & 0xff);
    expect(await result).toEqual({ exitCode: 0 });
  });

  it("XE11: input that the process does not read is dropped quietly after its end", async () => {
    const { pod } = await start(async () => 4, path);
    await using session = await pod.exec(["true"], { stdin: true });
    expect(await session.result).toEqual({ exitCode: 4 });
    for (let count = 0; count < 100; count++) {
      session.stdin?.write(Buffer.alloc(100_000));
    }
    await new Promise<void>((resolve) => session.stdin?.end(() => resolve()));
    const large = Readable.from([Buffer.alloc(4 * 1024 * 1024), Buffer.alloc(4 * 1024 * 1024)]);
    expect((await pod.exec(["true"], { stdin: large })).exitCode).toBe(4);
  });

  it("XE20: words are sent exactly, also empty ones, spaces and quotes", async () => {
    const { pod } = await start(async ({ command, stdout }) => {
      await stdout(JSON.stringify(command));
      return 0;
    }, path);
    const words = ["a b", "", 'c"d', "e&f=g", "h+i%20j", "ä€😀", "#?/", "\n"];
    expect(JSON.parse((await pod.exec(words)).stdout)).toEqual(words);
  });

  it("XE23: text across frames is whole, and its bytes are untouched", async () => {
    const text = "ä€😀".repeat(500);
    const { pod } = await start(async ({ stdout }) => {
      for (const byte of Buffer.from(text)) {
        await stdout(Buffer.of(byte));
      }
      return 0;
    }, path);
    expect((await pod.exec(["cat"])).stdout).toBe(text);
    await using session = await pod.exec(["cat"], { session: true });
    expect(await session.stdout.text()).toBe(text);
  });

  it("XT18: an abort ends the session with its reason, and all its streams fail with it", async () => {
    const abort = new AbortController();
    let isGone = false;
    const { pod } = await start(async ({ stdout, signal }) => {
      await stdout("ready");
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      isGone = true;
      return 0;
    }, path);
    const session = await pod.exec(["sleep"], { session: true, signal: abort.signal });
    for await (const chunk of session.stdout) {
      expect(String(chunk)).toBe("ready");
      break;
    }
    const reason = new Error("enough");
    abort.abort(reason);
    await expect(session.result).rejects.toBe(reason);
    await expect(session.stderr.text()).rejects.toBe(reason);
    await expect.poll(() => isGone).toBe(true);
    await expect(pod.exec(["sleep"], { signal: abort.signal })).rejects.toBe(reason);
  });

  it("XT19: a session that a throw leaves is closed", async () => {
    let isGone = false;
    const { pod } = await start(async ({ signal }) => {
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      isGone = true;
      return 0;
    }, path);
    let result: Promise<unknown> | undefined;
    await expect(async () => {
      await using session = await pod.exec(["sh"], { stdin: true });
      result = session.result;
      throw new Error("mine");
    }).rejects.toThrow("mine");
    expect(await failure(result as Promise<unknown>)).toMatchObject({ code: "Aborted" });
    await expect.poll(() => isGone).toBe(true);
  });
});

describe("exec", () => {
  it("XE2, XE14, XE15, XE20: refuses arguments that no server accepts before a request is sent", async () => {
    const { api, pod } = await start(async () => 0);
    const before = api.requests.length;
    const calls = [
      pod.exec([]),
      pod.exec("ls" as never),
      pod.exec(["a\0b"]),
      pod.exec(["half \ud800"]),
      pod.exec([1 as never]),
      pod.exec(["ls"], { stdout: false, stderr: false }),
      pod.exec(["ls"], { tty: true, stderr: true }),
      pod.exec(["ls"], { session: true, size: { width: 1, height: 1 } }),
      pod.exec(["ls"], { tty: true, size: { width: 0, height: 1 } }),
      pod.exec(["ls"], { stdin: 5 as never }),
      pod.exec(["ls"], { maxOutputBytes: 0 }),
      pod.exec(["ls"], { cwd: "/" } as never),
    ];
    for (const call of calls) {
      expect(await failure(call)).toMatchObject({ code: "InvalidArgument" });
    }
    expect(api.requests.length).toBe(before);
  });

  it("XE18, XE19: the server's refusals are typed errors with its text", async () => {
    const { client, pod } = await start(async () => 0);
    expect(await failure(pod.exec(["ls"], { container: "nope" }))).toMatchObject({
      code: "BadRequest",
      rawMessage: "container nope is not valid for pod web-0",
    });
    const missing = client.resource(Pod, "default").named("web-9");
    expect(await failure(missing.exec(["ls"]))).toMatchObject({ code: "NotFound" });
  });

  it("XT1: a 403 names both verbs that servers may require", async () => {
    const { pod } = await start(async () => 0, "in process", { authorization: "RBAC" });
    const error = await failure(pod.exec(["ls"], { impersonate: { user: "eve" } }));
    expect(error.code).toBe("Forbidden");
    expect(error.hint).toContain("get and create on pods/exec");
  });

  it("a pod of no namespace is refused where it is named", async () => {
    const { client } = await start(async () => 0);
    const everywhere = client.resource(Pod) as unknown as { named(name: string): unknown };
    expect(() => everywhere.named("web-0")).toThrow(/needs a namespace/);
    expect(() => client.resource(Pod, "default").named("../x")).toThrow(/must not contain/);
  });

  it("XT6: impersonates like other calls", async () => {
    const { api, pod } = await start(async () => 0);
    await pod.exec(["ls"], { impersonate: { user: "eve" } });
    expect(api.requests.at(-1)).toMatchObject({ user: "eve", subresource: "exec", status: 101 });
  });

  it("XE21: 200 commands at once, and 50 in a row, leave nothing behind", async () => {
    const { pod } = await start(async ({ command, stdout }) => {
      await stdout(command.join());
      return 0;
    });
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => warnings.push(warning);
    process.on("warning", onWarning);
    const abort = new AbortController();
    const { signal } = abort;
    const numbers = Array.from({ length: 200 }, (_, at) => String(at));
    const outputs = await Promise.all(
      numbers.map((number) => pod.exec([number], { signal, container: "main" })),
    );
    expect(outputs.map(({ stdout }) => stdout)).toEqual(numbers);
    for (let count = 0; count < 50; count++) {
      await pod.exec(["x"], { signal, container: "main" });
    }
    process.off("warning", onWarning);
    expect(warnings).toEqual([]);
  });

  it.each([
    ["given input", (pod: PodCalls) => pod.exec(["secret-command"], { stdin: "secret-data" })],
    [
      "input that is written",
      async (pod: PodCalls) => {
        const session = await pod.exec(["secret-command"], { stdin: true });
        session.stdin?.write("secret-");
        session.stdin?.end("data");
        await session.result;
      },
    ],
  ])(
    "XT22: publishes the begin and the end of a session with %s, without its command or data",
    async (_, run) => {
      const { pod } = await start(async ({ stdout, stdin }) => {
        await stdout(await bytesOf(stdin));
        return 0;
      });
      const events: [string, unknown][] = [];
      const names = ["typekube:stream.open", "typekube:stream.close"];
      const listeners = names.map((name) => (event: unknown) => events.push([name, event]));
      names.forEach((name, at) => {
        channel(name).subscribe(listeners[at] as never);
      });
      await run(pod);
      names.forEach((name, at) => {
        channel(name).unsubscribe(listeners[at] as never);
      });
      const stream = {
        kind: "exec",
        namespace: "default",
        pod: "web-0",
        container: "main",
        protocol: "v5.channel.k8s.io",
      };
      expect(events).toEqual([
        [names[0], { stream }],
        [
          names[1],
          { stream, bytes: { stdin: 11, stdout: 11, stderr: 0 }, durationMs: expect.any(Number) },
        ],
      ]);
      expect(JSON.stringify(events)).not.toContain("secret");
    },
  );
});
