import assert from "node:assert/strict";
import type { LogOptions, PodCalls } from "@typekube/client";
import { Pod } from "typekube/api/core/v1";
import { errorOf } from "./error-of.js";
import type { PodCase } from "./pod-subject.js";

async function read(pod: PodCalls, options: LogOptions): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of pod.logs(options)) {
    lines.push(line);
  }
  return lines;
}

const written = ["line 1", "line 2", "line 3", "line 4", "end"];
const writing = ["sh", "-c", "for i in 1 2 3 4; do echo line $i; done; printf end"];

/** Cases for main processes: attach and logs. */
export const attachAndLogCases: readonly PodCase[] = [
  {
    id: "XA1-attach",
    name: "attach talks to the main process, whose stdin ends with ours",
    async run({ pod, start }) {
      await start("web-0", "side", {
        command: ["sh", "-c", "while read line; do echo got $line; done; echo over"],
        stdin: true,
      });
      await using session = await pod.attach({ container: "side", stdin: true });
      session.stdin?.end("one\ntwo\n");
      assert.equal(await session.stdout.text(), "got one\ngot two\nover\n");
    },
  },
  {
    id: "XA6-detach",
    name: "detach keys leave the main process, which goes on",
    async run({ pod, start }) {
      await start("web-0", "setup", { command: ["cat"], stdin: true });
      await using session = await pod.attach({
        container: "setup",
        stdin: true,
        detachKeys: "ctrl-p,ctrl-q",
      });
      session.stdin?.write("a\u0010\u0011");
      assert.deepEqual(await session.result, { exitCode: undefined, isDetached: true });
    },
  },
  {
    id: "XA1-refused",
    name: "attach to an unknown container or a missing pod is refused",
    async run({ client, pod }) {
      const unknown = await errorOf(pod.attach({ container: "nope" }));
      assert.equal(unknown.rawMessage, 'the pod has no container "nope"');
      const missing = await errorOf(client.resource(Pod, "default").named("web-9").attach());
      assert.deepEqual([missing.httpStatus, missing.code], [404, "NotFound"]);
    },
  },
  {
    id: "XL1-options",
    name: "a log is limited by lines, bytes and times",
    async run({ pod, start, signal }) {
      await start("web-0", "main", { command: writing });
      while ((await read(pod, { container: "main" })).length < written.length) {
        signal.throwIfAborted();
      }
      const main = (options: LogOptions) => read(pod, { container: "main", ...options });
      assert.deepEqual(await main({}), written);
      assert.deepEqual(await main({ tailLines: 2 }), written.slice(-2));
      assert.deepEqual(await main({ tailLines: 0 }), []);
      assert.deepEqual(await main({ limitBytes: 9 }), ["line 1", "li"]);
      assert.deepEqual(
        await main({ sinceTime: new Date(Date.now() + 3_600_000).toISOString() }),
        [],
      );
      assert.deepEqual(await main({ since: new Date(Date.now() - 3_600_000) }), written);
      assert.deepEqual(await main({ grep: (line) => line.endsWith("3") }), ["line 3"]);
      const [timed = ""] = await main({ timestamps: true });
      assert.match(timed, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z line 1$/);
    },
  },
  {
    id: "XL2-follow",
    name: "a followed log yields lines as they come, and ends with the container",
    async run({ pod, start }) {
      await start("web-0", "main", {
        command: ["sh", "-c", "for i in 1 2 3; do echo tick $i; sleep 0.1; done; echo last"],
      });
      const lines = await read(pod, { container: "main", follow: true });
      assert.deepEqual(lines, ["tick 1", "tick 2", "tick 3", "last"]);
    },
  },
  {
    id: "XL3-refused",
    name: "a log of an unknown container is a 400, of a missing pod a 404",
    async run({ client, pod }) {
      const unknown = await errorOf(read(pod, { container: "nope" }));
      assert.deepEqual(
        [unknown.httpStatus, unknown.rawMessage],
        [400, "container nope is not valid for pod web-0"],
      );
      const missing = client.resource(Pod, "default").named("web-9");
      const error = await errorOf(read(missing, { container: "main" }));
      assert.deepEqual([error.httpStatus, error.code], [404, "NotFound"]);
    },
  },
];
