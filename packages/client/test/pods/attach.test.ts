import { PassThrough } from "node:stream";
import { Pod } from "@typekube/api/core/v1";
import {
  type ApiServer,
  createVirtualClock,
  type PodHandlers,
  startApiServer,
} from "@typekube/apiserver";
import { mergePatch } from "@typekube/client";
import { type Clock, systemClock } from "@typekube/core/internal";
import { failure } from "@typekube/test-support/failure";
import type { Client } from "typekube";
import { afterEach, describe, expect, it } from "vitest";
import { parseKeys } from "../../src/pod-sessions/detach-keys.js";

const opened: (ApiServer | Client)[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) {
    await one.close();
  }
});

/** Starts a server with the pod `job` of a container with a terminal and one without. */
async function start(pods: PodHandlers, clock: Clock = systemClock) {
  const api = await startApiServer({ pods, clock });
  const client = await api.client();
  opened.push(api, client);
  const all = client.resource(Pod, "default");
  await all.create({
    metadata: { name: "job" },
    spec: {
      containers: [
        { name: "main", image: "x", stdin: true, tty: true },
        { name: "plain", image: "x" },
      ],
    },
  });
  return { api, client, pods: all, pod: all.named("job") };
}

describe("attach", () => {
  it("XA1, XA2: takes the terminal of the container, and sends its size twice", async () => {
    const { pod } = await start({
      attach: async ({ tty, resizes, stdout }) => {
        const sizes: unknown[] = [];
        for await (const size of resizes) {
          sizes.push(size);
          if (sizes.length === 3) {
            break;
          }
        }
        await stdout(JSON.stringify({ tty, sizes }));
        return undefined;
      },
    });
    await using session = await pod.attach({ stdin: true, size: { width: 80, height: 24 } });
    expect(JSON.parse(await session.stdout.text())).toEqual({
      tty: true,
      sizes: [
        { width: 80, height: 24 },
        { width: 80, height: 25 },
        { width: 80, height: 24 },
      ],
    });
  });

  it("XA1: warns of stdin that the container does not have, and refuses another terminal than its own", async () => {
    const { pod } = await start({ attach: async () => undefined });
    const warnings: string[] = [];
    const options = {
      container: "plain",
      stdin: true,
      onWarning: (text: string) => warnings.push(text),
    };
    await using _session = await pod.attach(options);
    expect(warnings).toEqual([expect.stringContaining("the container plain has no stdin")]);
    expect(await failure(pod.attach({ container: "plain", tty: true }))).toMatchObject({
      code: "InvalidArgument",
      rawMessage: "tty: the container plain has no terminal",
    });
    expect(await failure(pod.attach({ tty: false }))).toMatchObject({ code: "InvalidArgument" });
    expect(await failure(pod.attach({ container: "nope" }))).toMatchObject({
      hint: "it has main, plain",
    });
  });

  it("XA3: the exit code comes from the pod", async () => {
    const { pods, pod } = await start({
      attach: async () => {
        await pods.status.patch(
          "job",
          mergePatch({
            status: {
              containerStatuses: [
                {
                  name: "plain",
                  image: "x",
                  imageID: "",
                  ready: false,
                  restartCount: 0,
                  state: { terminated: { exitCode: 42, reason: "Error" } },
                },
              ],
            },
          }) as never,
        );
        return undefined;
      },
    });
    await using session = await pod.attach({ container: "plain" });
    expect(await session.result).toEqual({ exitCode: 42 });
  });

  it("XA3: an exit code that the pod does not state within 5 seconds is undefined", async () => {
    const clock = createVirtualClock(0);
    const { pod } = await start({ attach: async () => undefined }, clock);
    await using session = await pod.attach({ container: "plain" });
    let isDone = false;
    const result = session.result.finally(() => {
      isDone = true;
    });
    while (!isDone) {
      await new Promise((resolve) => setImmediate(resolve));
      await clock.advance(250);
    }
    expect(await result).toEqual({ exitCode: undefined });
  });
});

describe("attach with logs", () => {
  /** A container whose output is in its log, and attached to from `attachedFrom` on; `late` lines follow. */
  function container(written: string[], attachedFrom: number, late: string[]) {
    const time = (at: number) => `2026-01-01T00:00:00.${String(at).padStart(9, "0")}Z`;
    let isAttached = false;
    return {
      log: ({ tailLines }: { tailLines: number | undefined }) => {
        const until = isAttached || tailLines === undefined ? written.length : 2;
        return written.slice(0, until).map((text, at) => ({ text, time: time(at) }));
      },
      attach: async ({ stdout }: { stdout: (text: string) => Promise<void> }) => {
        isAttached = true;
        for (const text of [...written.slice(attachedFrom), ...late]) {
          await stdout(`${text}\n`);
        }
        return undefined;
      },
    };
  }

  const attachAndRead = async (pods: PodHandlers) => {
    const { pod, pods: all } = await start(pods);
    const container = { name: "plain", image: "x", imageID: "", ready: false, restartCount: 0 };
    const containerStatuses = [{ ...container, state: { terminated: { exitCode: 0 } } }];
    await all.status.patch("job", mergePatch({ status: { containerStatuses } }) as never);
    await using session = await pod.attach({ container: "plain", logs: true });
    const text = await session.stdout.text();
    return text.split("\n").slice(0, -1);
  };

  it("XA5: the log comes first; no line is lost, and none comes twice", async () => {
    const written = ["a", "b", "c", "d", "e"];
    // Two lines were there before; of the others, the attached output has the last ones.
    for (const attachedFrom of [2, 3, 4]) {
      const read = await attachAndRead(container(written, attachedFrom, ["f"]) as PodHandlers);
      expect(read).toEqual(["a", "b", "c", "d", "e", "f"]);
    }
  });

  it("XA5: without new lines, the output follows the log", async () => {
    const quiet = container(["a", "b"], 2, ["c"]) as PodHandlers;
    expect(await attachAndRead(quiet)).toEqual(["a", "b", "c"]);
  });

  it("XA5: lines that the container repeats are kept", async () => {
    const steady = container(["tick", "tick"], 2, ["tick", "tick"]) as PodHandlers;
    expect(await attachAndRead(steady)).toEqual(["tick", "tick", "tick", "tick"]);
  });

  it("XA5: needs stdout; a log that is refused is an error of attach", async () => {
    const { pod } = await start({ attach: async () => undefined });
    const options = { container: "plain", logs: true, stdout: false };
    expect(await failure(pod.attach(options))).toMatchObject({ rawMessage: "logs: needs stdout" });
  });
});

describe("attach with detachKeys", () => {
  /** A container that returns its input. */
  const echo: PodHandlers = {
    attach: async ({ stdin, stdout }) => {
      for await (const chunk of stdin) {
        await stdout(chunk);
      }
      return undefined;
    },
  };

  it("XA6: the keys end the session, are not sent, and the result says so", async () => {
    const { api, pod } = await start(echo);
    await using session = await pod.attach({ stdin: true, detachKeys: "ctrl-p,ctrl-q" });
    session.stdin?.write("one\u0010");
    session.stdin?.write("\u0010two\u0010");
    await expect.poll(() => session.stdout.readableLength).toBe(8);
    session.stdin?.write("\u0011three");
    expect(await session.result).toEqual({ exitCode: undefined, isDetached: true });
    expect(await session.stdout.text()).toBe("one\u0010\u0010two");
    session.stdin?.write("four");
    expect(api.requests.filter(({ subresource }) => subresource === "attach").length).toBe(1);
  });

  it("XA6: keys that were begun are sent with the end of the input", async () => {
    const { pod } = await start(echo);
    await using session = await pod.attach({ stdin: true, detachKeys: "a,a,b" });
    session.stdin?.end("xaaaa");
    expect(await session.stdout.text()).toBe("xaaaa");
    expect((await session.result).isDetached).toBeUndefined();
  });

  it("XA6: by default there are none; invalid ones, and ones without stdin, are refused", async () => {
    const { pod } = await start(echo);
    await using session = await pod.attach({ stdin: true });
    session.stdin?.end("\u0010\u0011x");
    expect(await session.stdout.text()).toBe("\u0010\u0011x");
    for (const detachKeys of ["", "ctrl-p,", "ctrl-1", "ab", "ctrl-P", "ä", 5]) {
      const call = pod.attach({ stdin: true, detachKeys: detachKeys as string });
      expect(await failure(call)).toMatchObject({
        code: "InvalidArgument",
        rawMessage: expect.stringContaining("detachKeys"),
      });
    }
    expect(await failure(pod.attach({ detachKeys: "ctrl-p" }))).toMatchObject({
      rawMessage: "detachKeys: needs stdin",
    });
  });

  it.each([
    ["ctrl-p,ctrl-q", [0x10, 0x11]],
    ["ctrl-@,ctrl-[,ctrl-\\,ctrl-],ctrl-^,ctrl-_", [0, 0x1b, 0x1c, 0x1d, 0x1e, 0x1f]],
    ["x,~,DEL", [0x78, 0x7e, 0x7f]],
  ])("XA6: %s are the bytes that a terminal sends", (keys, bytes) => {
    expect([...(parseKeys(keys) ?? [])]).toEqual(bytes);
  });
});

/** A terminal of a test, which records the modes that it is set to. */
function testTerminal() {
  const modes: boolean[] = [];
  const stdin = Object.assign(new PassThrough(), {
    isTTY: true,
    isRaw: false,
    setRawMode: (mode: boolean) => modes.push(mode),
  });
  const stdout = Object.assign(new PassThrough(), { isTTY: true, columns: 100, rows: 30 });
  return { stdin, stdout, modes };
}

describe("terminal", () => {
  it("XE13, XE16: binds the terminal: raw mode, keys, sizes; restores it, and ends no stream of it", async () => {
    const { pod } = await start({
      exec: async ({ stdin, stdout, resizes, tty }) => {
        const sizes = resizes[Symbol.asyncIterator]();
        const first = (await sizes.next()).value;
        await stdout(`tty ${tty} ${JSON.stringify(first)}\r\n`);
        for await (const chunk of stdin) {
          await stdout(`key ${JSON.stringify(Buffer.from(chunk).toString())} `);
          await stdout(JSON.stringify((await sizes.next()).value));
          break;
        }
        return 9;
      },
    });
    const { stdin, stdout, modes } = testTerminal();
    const running = pod.terminal(["sh"], { streams: { stdin, stdout } });
    let output = "";
    stdout.on("data", (chunk) => {
      output += chunk;
      if (output.endsWith("\r\n")) {
        stdin.write("\u0003");
        Object.assign(stdout, { columns: 60 });
        stdout.emit("resize");
      }
    });
    expect(await running).toEqual({ exitCode: 9 });
    expect(output).toBe(
      'tty true {"width":100,"height":30}\r\nkey "\\u0003" {"width":60,"height":30}',
    );
    expect(modes).toEqual([true, false]);
    expect([stdin.writableEnded, stdout.writableEnded, stdin.destroyed]).toEqual([
      false,
      false,
      false,
    ]);
    expect(stdin.listenerCount("data") + stdout.listenerCount("resize")).toBe(0);
  });

  it("XA6: detach keys end the session and restore the terminal; the command goes on", async () => {
    let input = "";
    let isGone = false;
    const { pod } = await start({
      exec: async ({ stdin, stdout, signal }) => {
        signal.addEventListener("abort", () => {
          isGone = true;
        });
        await stdout("$ ");
        for await (const chunk of stdin) {
          input += Buffer.from(chunk).toString();
        }
        return 0;
      },
    });
    const { stdin, stdout, modes } = testTerminal();
    stdout.once("data", () => stdin.write("ls\u001dx"));
    const options = { streams: { stdin, stdout }, detachKeys: "ctrl-]" };
    expect(await pod.terminal(["sh"], options)).toEqual({ exitCode: undefined, isDetached: true });
    await expect.poll(() => isGone).toBe(true);
    expect(input).toBe("ls");
    expect(modes).toEqual([true, false]);
    const invalid = { streams: { stdin, stdout }, detachKeys: "ctrl" };
    expect(await failure(pod.terminal(["sh"], invalid))).toMatchObject({ code: "InvalidArgument" });
  });

  it("XE16: restores the terminal when the session fails", async () => {
    const { pod } = await start({
      exec: async () => {
        throw new Error("no shell");
      },
    });
    const { stdin, stdout, modes } = testTerminal();
    const error = await failure(pod.terminal(["sh"], { streams: { stdin, stdout } }));
    expect(error.message).toContain("no shell");
    expect(modes).toEqual([true, false]);
  });

  it("XE16: without a terminal, says so before anything is sent", async () => {
    const { api, pod } = await start({ exec: async () => 0 });
    const { stdin, stdout } = testTerminal();
    const before = api.requests.length;
    Object.assign(stdout, { isTTY: false });
    expect(await failure(pod.terminal(["sh"], { streams: { stdin, stdout } }))).toMatchObject({
      code: "InvalidState",
    });
    expect(api.requests.length).toBe(before);
  });
});
