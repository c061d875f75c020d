import { Pod } from "@typekube/api/core/v1";
import type { PodHandlers } from "@typekube/apiserver";
import { outputOf } from "@typekube/client";
import { failure } from "@typekube/test-support/failure";
import { busybox, fileContainer } from "@typekube/test-support/file-container";
import { serverFrame, webSocketServer } from "@typekube/test-support/web-socket-server";
import { connect } from "typekube";
import { describe, expect, it, onTestFinished } from "vitest";
import { twoContainerPod } from "../helpers/two-container-pod.js";

type Session = Parameters<NonNullable<PodHandlers["exec"]>>[0];

/** Starts a pod whose commands are programs of this machine, with a change to their sessions. */
async function start(
  change: (session: Session) => Session = (session) => session,
  lacks: readonly string[] = [],
) {
  const container = await fileContainer({ lacks });
  onTestFinished(() => container[Symbol.asyncDispose]());
  const { pod } = await twoContainerPod({
    pods: { exec: (session) => container.exec(change(session)) },
  });
  return pod;
}

/** Drops the last bytes of an output, as a server does that ends a session too early. */
function dropping(name: "stderr" | "stdout", count: number) {
  return (session: Session): Session => {
    let kept = Buffer.alloc(0);
    return {
      ...session,
      [name]: async (data: Uint8Array | string) => {
        const all = Buffer.concat([kept, Buffer.from(data as Uint8Array)]);
        kept = Buffer.from(all.subarray(Math.max(0, all.byteLength - count)));
        await session[name](all.subarray(0, all.byteLength - kept.byteLength));
      },
    };
  };
}

describe("exec with verifyOutput", () => {
  it.each([
    [
      "both outputs",
      "printf out; printf err >&2; exit 3",
      { exitCode: 3, stdout: "out", stderr: "err" },
    ],
    ["no output", "exit 0", { exitCode: 0, stdout: "", stderr: "" }],
    ["a kill", "printf x; kill -9 $$", { exitCode: 137, stdout: "x", stderr: "" }],
    ["a failure", "exit 255", { exitCode: 255, stdout: "", stderr: "" }],
    [
      "no line end",
      "printf 'a\\nb'; printf ' \\n\\n' >&2",
      { exitCode: 0, stdout: "a\nb", stderr: " \n\n" },
    ],
    [
      "an output that is closed",
      "exec 1>&-; printf e >&2",
      { exitCode: 0, stdout: "", stderr: "e" },
    ],
  ])("XE8: %s of a command come as they are, and its exit code", async (_what, script, output) => {
    const pod = await start();
    expect(await pod.exec(["sh", "-c", script], { verifyOutput: true })).toEqual(output);
  });

  it("XE8: bytes and input pass unchanged, megabytes of them", async () => {
    const pod = await start();
    const bytes = Buffer.from(
      Array.from({ length: 3_000_000 }, (_, at) => (at * 7 + (at >> 8)) & 0xff),
    );
    const both = await pod.exec(["sh", "-c", "cat; head -c 2000000 /dev/zero >&2"], {
      verifyOutput: true,
      stdin: bytes,
      output: "bytes",
    });
    expect(both.stdout.equals(bytes)).toBe(true);
    expect(both.stderr.equals(Buffer.alloc(2_000_000))).toBe(true);
  });

  it("XE8, XE20: words of the command arrive as they are, and a missing program is 127", async () => {
    const pod = await start();
    const words = ["a b", "", 'c"d', "$HOME", "`x`", "ä€😀", "*", "\n", "-n"];
    const { stdout } = await pod.exec(["sh", "-c", 'printf "%s|" "$@"', "sh", ...words], {
      verifyOutput: true,
    });
    expect(stdout).toBe(`${words.join("|")}|`);
    const missing = await pod.exec(["no-such-program"], { verifyOutput: true });
    expect(missing).toMatchObject({ exitCode: 127, stdout: "" });
    expect(missing.stderr).toContain("no-such-program");
  });

  it("XE8: lost bytes of stdout are an error that counts them, with what came", async () => {
    const pod = await start(dropping("stdout", 5));
    const error = await failure(
      pod.exec(["sh", "-c", "printf 123456789; printf err >&2"], { verifyOutput: true }),
    );
    expect(error).toMatchObject({
      code: "Decode",
      rawMessage: "the output was cut off: 5 of 9 bytes of stdout are missing",
    });
    expect(outputOf(error)).toEqual({ exitCode: -1, stdout: "1234", stderr: "err" });
  });

  it("XE8: a lost end of stderr, with the counts, is an error", async () => {
    const pod = await start(dropping("stderr", 5));
    const error = await failure(
      pod.exec(["sh", "-c", "printf 12; printf err >&2; exit 4"], { verifyOutput: true }),
    );
    expect(error).toMatchObject({ code: "Decode" });
    expect(error.message).toMatch(/the output was cut off: its end.*\(exit code 4\)/);
  });

  it("XE8: without the loss of bytes, nothing changes where messages are split", async () => {
    const pod = await start((session) => ({
      ...session,
      stderr: async (data) => {
        for (const byte of Buffer.from(data as Uint8Array)) {
          await session.stderr(Buffer.of(byte));
        }
      },
    }));
    const script = "printf 'a~b~~'; printf '~c~' >&2";
    expect(await pod.exec(["sh", "-c", script], { verifyOutput: true })).toEqual({
      exitCode: 0,
      stdout: "a~b~~",
      stderr: "~c~",
    });
  });

  it("XE8: the streams of a session fail when output is missing", async () => {
    const pod = await start(dropping("stdout", 2));
    await using session = await pod.exec(["sh", "-c", "printf 123"], {
      session: true,
      verifyOutput: true,
    });
    const text = failure(session.stdout.text());
    expect((await failure(session.result)).rawMessage).toContain("2 of 3 bytes of stdout");
    expect(await text).toMatchObject({ code: "Decode" });
  });

  // The shell of busybox needs no program for them.
  it.runIf(busybox === undefined).each(["tee", "wc"])(
    "XE8: a container without %s is an error that says so",
    async (name) => {
      const pod = await start(undefined, [name]);
      expect(await failure(pod.exec(["ls"], { verifyOutput: true }))).toMatchObject({
        code: "CommandFailed",
        rawMessage: `verifyOutput: the container has no ${name}`,
      });
    },
  );

  it("XE8: a server that sends a wrong count is noticed", async () => {
    const server = await webSocketServer((socket, head) => {
      const marker = /command=(~[0-9a-f]+)/.exec(
        decodeURIComponent(head.replaceAll("+", " ")),
      )?.[1];
      const counts = ` code 0.\nstdout     1000.\nstderr 0. `;
      socket.end(
        Buffer.concat([
          serverFrame(0x82, 1, "x".repeat(990)),
          serverFrame(0x82, 2, `${marker}${counts}${marker}`),
          serverFrame(0x82, 3, '{"metadata":{},"status":"Success"}'),
          serverFrame(0x88, 0x03, 0xe8),
        ]),
      );
    });
    onTestFinished(() => server[Symbol.asyncDispose]());
    await using client = await connect({ server: server.url });
    const pod = client.resource(Pod, "default").named("web-0");
    const error = await failure(pod.exec(["x"], { container: "c", verifyOutput: true }));
    expect(error.rawMessage).toBe("the output was cut off: 10 of 1000 bytes of stdout are missing");
  });

  it("XE8: needs both outputs, and no terminal", async () => {
    const pod = await start();
    const calls = [
      pod.exec(["ls"], { verifyOutput: true, stdout: false }),
      pod.exec(["ls"], { verifyOutput: true, stderr: false }),
      pod.exec(["ls"], { verifyOutput: true, tty: true }),
      pod.exec(["ls"], { verifyOutput: 1 as never }),
    ];
    for (const call of calls) {
      expect(await failure(call)).toMatchObject({ code: "InvalidArgument" });
    }
  });
});
