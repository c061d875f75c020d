import assert from "node:assert/strict";
import { once } from "node:events";
import { outputOf } from "@typekube/client";
import { Pod } from "typekube/api/core/v1";
import { errorOf } from "./error-of.js";
import type { PodCase } from "./pod-subject.js";

/** Cases for commands. */
export const commandCases: readonly PodCase[] = [
  {
    id: "XE3-exit-code",
    name: "a command returns both outputs and its exit code, 137 when it was killed",
    async run({ pod }) {
      const run = (script: string) => pod.exec(["sh", "-c", script]);
      const output = await run("echo out; echo err >&2; exit 3");
      assert.deepEqual(output, { exitCode: 3, stdout: "out\n", stderr: "err\n" });
      assert.deepEqual(await run("exit 0"), { exitCode: 0, stdout: "", stderr: "" });
      assert.equal((await run("kill -9 $$")).exitCode, 137);
      const failed = await errorOf(
        pod.exec(["sh", "-c", "printf 1; printf no >&2; exit 2"], { check: true }),
      );
      assert.equal(failed.rawMessage, "the command exited with 2: no");
      assert.deepEqual(outputOf(failed), { exitCode: 2, stdout: "1", stderr: "no" });
    },
  },
  {
    id: "XE5-missing-program",
    name: "a program that is missing is an error with the runtime's message",
    async run({ pod }) {
      const error = await errorOf(pod.exec(["no-such-program"]));
      assert.equal(error.code, "InternalError");
      assert.match(
        error.rawMessage,
        /exec: "no-such-program": executable file not found in \$PATH/,
      );
    },
  },
  {
    id: "XE9-stdin-end",
    name: "the end of the input reaches the process, and its output after that still comes",
    async run({ pod }) {
      const stdin = "line\n".repeat(100_000);
      const { stdout } = await pod.exec(["sh", "-c", "wc -c; echo done"], { stdin });
      assert.deepEqual(stdout.trim().split(/\s+/), [String(stdin.length), "done"]);
      await using session = await pod.exec(["cat"], { stdin: true });
      session.stdin?.write("a");
      session.stdin?.end("b");
      assert.equal(await session.stdout.text(), "ab");
      assert.deepEqual(await session.result, { exitCode: 0 });
    },
  },
  {
    id: "XE11-unread-input",
    name: "a process that ends without reading megabytes of input has its exit code",
    async run({ pod }) {
      const stdin = Buffer.alloc(8 * 1024 * 1024);
      assert.equal((await pod.exec(["sh", "-c", "exit 4"], { stdin })).exitCode, 4);
    },
  },
  {
    id: "XE14-terminal",
    name: "a terminal has one output, the size of the start, and later ones",
    async run({ pod }) {
      await using session = await pod.exec(["sh"], {
        tty: true,
        stdin: true,
        size: { width: 101, height: 33 },
      });
      const shows = async (size: string) => {
        let seen = "";
        while (!seen.includes(size)) {
          session.stdin?.write("stty size\n");
          const [chunk] = (await once(session.stdout, "data")) as [Buffer];
          seen += chunk.toString();
        }
      };
      await shows("33 101");
      await session.resize({ width: 77, height: 22 });
      await shows("22 77");
      session.stdin?.write("exit 5\n");
      assert.deepEqual(await session.result, { exitCode: 5 });
      assert.equal(await session.stderr.text(), "");
    },
  },
  {
    id: "XE20-words",
    name: "words arrive as they are: empty ones, spaces, quotes, Unicode, line ends",
    async run({ pod }) {
      const words = [
        "a b",
        "",
        'c"d',
        "it's",
        "e&f=g",
        "h+i%20j",
        "ä€😀",
        "$HOME `x`",
        "*",
        "\n",
        "",
      ];
      const { stdout } = await pod.exec(["printf", "%s|", ...words]);
      assert.equal(stdout, `${words.join("|")}|`);
    },
  },
  {
    id: "XE15-large-output",
    name: "megabytes of output come whole, before the exit code",
    async run({ pod }) {
      const script = "head -c 5000000 /dev/zero; exit 6";
      const { exitCode, stdout } = await pod.exec(["sh", "-c", script], { output: "bytes" });
      assert.deepEqual([exitCode, stdout.byteLength], [6, 5_000_000]);
    },
  },
  {
    id: "XE19-containers",
    name: "init and ephemeral containers run commands; an unknown container is a 400",
    async run({ pod }) {
      for (const container of ["setup", "main", "side", "debug"]) {
        const { stdout } = await pod.exec(["echo", container], { container });
        assert.equal(stdout, `${container}\n`);
      }
      const error = await errorOf(pod.exec(["true"], { container: "nope" }));
      assert.deepEqual(
        [error.httpStatus, error.code, error.rawMessage],
        [400, "BadRequest", "container nope is not valid for pod web-0"],
      );
    },
  },
  {
    id: "XE18-missing-pod",
    name: "a missing pod is a 404, with and without a container",
    async run({ client }) {
      const missing = client.resource(Pod, "default").named("web-9");
      for (const options of [{}, { container: "main" }]) {
        const error = await errorOf(missing.exec(["true"], options));
        assert.deepEqual(
          [error.httpStatus, error.code, error.rawMessage],
          [404, "NotFound", 'pods "web-9" not found'],
        );
      }
    },
  },
  {
    id: "XE18-pending-pod",
    name: "a pod without a node is a 400; the embedded server's handler runs commands of it",
    async run({ client, server }) {
      const pods = client.resource(Pod, "default");
      const spec = { containers: [{ name: "c", image: "none" }] };
      await pods.create({ metadata: { name: "pending" }, spec });
      const call = pods.named("pending").exec(["echo", "x"]);
      if (server === "embedded") {
        assert.equal((await call).stdout, "x\n");
        return;
      }
      const error = await errorOf(call);
      assert.deepEqual(
        [error.httpStatus, error.rawMessage],
        [400, "pod pending does not have a host assigned"],
      );
    },
  },
  {
    id: "XT1-forbidden",
    name: "a 403 names both verbs that servers may require",
    async run({ pod }) {
      const impersonate = { user: "eve" };
      const calls = [
        ["exec", pod.exec(["true"], { container: "main", impersonate })],
        ["portforward", pod.portForward(80, { impersonate })],
      ] as const;
      for (const [subresource, call] of calls) {
        const error = await errorOf(call);
        assert.equal(error.code, "Forbidden");
        assert.match(
          error.rawMessage,
          new RegExp(`cannot (create|get) resource "pods/${subresource}"`),
        );
        assert.match(error.hint ?? "", new RegExp(`get and create on pods/${subresource}`));
      }
    },
  },
  {
    id: "XE8-verified",
    name: "verified output is the output, with the exit code and the input of the command",
    async run({ pod }) {
      const options = { verifyOutput: true, stdin: "input" } as const;
      const script = "cat; printf err >&2; exit 3";
      const output = await pod.exec(["sh", "-c", script], options);
      assert.deepEqual(output, { exitCode: 3, stdout: "input", stderr: "err" });
      const large = await pod.exec(["head", "-c", "3000000", "/dev/zero"], {
        verifyOutput: true,
        output: "bytes",
      });
      assert.equal(large.stdout.byteLength, 3_000_000);
    },
  },
  {
    id: "XE17-terminate",
    name: "onAbort: terminate ends the process, of a terminal, too",
    async run({ pod, server, signal }) {
      const runs = async (pid: string) =>
        (await pod.exec(["sh", "-c", 'kill -0 "$1"', "sh", pid])).exitCode === 0;
      // Terminals of the embedded server run no processes.
      for (const tty of server === "embedded" ? [false] : [false, true]) {
        const abort = new AbortController();
        const session = await pod.exec(["sh", "-c", "echo $$; sleep 1000; true"], {
          session: true,
          tty,
          signal: abort.signal,
          onAbort: "terminate",
        });
        const [chunk] = (await once(session.stdout, "data")) as [Buffer];
        const pid = chunk.toString().trim();
        assert.ok(await runs(pid));
        abort.abort(new Error("enough"));
        await assert.rejects(session.result, /enough/);
        while (await runs(pid)) {
          signal.throwIfAborted();
        }
      }
    },
  },
];
