import { KubeError } from "@typekube/core";
import type { HttpRequest, HttpResponse, HttpSend } from "@typekube/core/internal";
import type { RecordedExchange } from "./recorded-exchange.js";

/** A transport that replays the responses of a recording. */
export interface Replayer {
  /** Returns the recorded response of a request. */
  readonly send: HttpSend;
  /** URL that identifies the recording. */
  readonly server: string;
  /** Exchanges that have not been replayed yet. */
  readonly unused: readonly RecordedExchange[];
}

/**
 * Replays a recording: each request gets the response of the first unused exchange with the same method, path and
 * query, and after the last one that one again. A recorded watch ends after its recorded events.
 *
 * @param exchanges - exchanges of a recorder, or read with {@link readRecording}.
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

/** Reads a file saved by a recorder. */
export async function readRecording(path: string): Promise<RecordedExchange[]> {
  const { readFile } = await import("node:fs/promises");
  const lines = (await readFile(path, "utf8")).split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line));
}

/**
 * Returns the key of a request. It ignores the order of query parameters, and the timeouts of watches, which are
 * random.
 */
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
