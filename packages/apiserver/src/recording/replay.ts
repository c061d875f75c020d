import { KubeError } from "@typekube/core";
import type { HttpRequest, HttpResponse, HttpSend } from "@typekube/core/internal";
import type { RecordedExchange } from "./exchange.js";

/** A server that answers as another one did. */
export interface Replayer {
  readonly send: HttpSend;
  /** The address that stands for it. */
  readonly server: string;
  /** What nobody has asked for yet. */
  readonly unused: readonly RecordedExchange[];
}

/**
 * Replays a recording: each request gets the answer to the first request of the same method, path and query that has not
 * been given yet, and then the last one of them again. A recorded watch ends after what was recorded of it.
 *
 * @param exchanges - of a recorder, or read with {@link readRecording}.
 * @throws {KubeError} from `send`: `InvalidArgument` for a request that was never recorded.
 */
export function replayExchanges(exchanges: readonly RecordedExchange[]): Replayer {
  const waiting = new Set(exchanges);
  const last = new Map<string, RecordedExchange>();
  return {
    server: "http://recording",
    get unused() {
      return [...waiting];
    },
    send: async (request) => {
      const key = keyOf(request);
      const found = [...waiting].find((one) => keyOf(one) === key) ?? last.get(key);
      if (found === undefined) {
        const path = request.path.replace(/\?.*$/, "");
        throw new KubeError(
          "InvalidArgument",
          `the recording has no response to ${request.method} ${path} with this query`,
        );
      }
      waiting.delete(found);
      last.set(key, found);
      return responseOf(found);
    },
  };
}

/** Reads the file that a recorder has saved. */
export async function readRecording(path: string): Promise<RecordedExchange[]> {
  const { readFile } = await import("node:fs/promises");
  const lines = (await readFile(path, "utf8")).split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line));
}

/** The order of a query says nothing, and timeouts of watches are drawn by lot. */
function keyOf({ method, path }: Pick<HttpRequest, "method" | "path">): string {
  const url = new URL(path, "http://recording");
  url.searchParams.delete("timeoutSeconds");
  url.searchParams.sort();
  return `${method} ${url.pathname}?${url.searchParams}`;
}

function responseOf({ status, headers, chunks }: RecordedExchange): HttpResponse {
  return {
    status,
    headers,
    body: (async function* () {
      for (const chunk of chunks) {
        yield Buffer.from(chunk, "utf8");
      }
    })(),
  };
}
