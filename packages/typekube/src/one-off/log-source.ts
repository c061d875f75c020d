import type { LogOptions } from "@typekube/client";
import {
  type LogView,
  type loadLogs,
  loadSessions,
  type PodTarget,
} from "@typekube/client/internal";
import { KubeError } from "@typekube/core";
import { linkAbort } from "@typekube/core/internal";
import type { OutputSource } from "./output-source.js";

const view: LogView<Buffer> = {
  line: (bytes, _start, text, end, isPart) =>
    Buffer.concat([bytes.subarray(text, end), Buffer.from(isPart ? "" : "\n")]),
  mark: () => undefined,
};

/**
 * Returns the log of a container as its output, from its first line until it ends, across lost connections. The log has
 * both outputs in one.
 */
export async function logSource(
  target: PodTarget,
  options: Pick<LogOptions, "container" | "impersonate" | "onWarning">,
  signal: AbortSignal,
  { viewedLogs }: Awaited<ReturnType<typeof loadLogs>>,
): Promise<OutputSource> {
  const { outputFrom } = await loadSessions();
  const abort = linkAbort(signal);
  async function* lines(): AsyncGenerator<Buffer, void, undefined> {
    try {
      const log = { ...options, follow: true };
      for await (const batch of viewedLogs(target, log, view, abort.signal)) {
        yield* batch;
      }
    } finally {
      abort[Symbol.dispose]();
    }
  }
  const { stream: stdout, copied, discardUnread } = outputFrom(lines());
  return {
    stdin: undefined,
    stdout,
    stderr: outputFrom(nothing()).stream,
    async ended() {
      discardUnread();
      await copied;
      return undefined;
    },
    async resize() {
      throw new KubeError("InvalidState", "the session has no terminal", {
        hint: "set tty: true",
      });
    },
    async close() {
      abort.abort(new KubeError("Aborted", "the session was closed"));
      stdout.destroy();
      await copied.catch(() => {});
    },
  };
}

async function* nothing(): AsyncGenerator<Buffer, void, undefined> {}
