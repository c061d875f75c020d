import type { ContainerStatus, Pod as PodObject } from "@typekube/api/core/v1";
import { Pod } from "@typekube/api/core/v1";
import type { ClientSettings, PodCalls } from "@typekube/client";
import type { HttpRequest, HttpResponse } from "@typekube/core/internal";
import { manualClock } from "@typekube/test-support/manual-clock";
import { statusResponse, type TestResponse } from "@typekube/test-support/scripted-server";
import { Client } from "typekube/internal";

/** Chunks of a log; an error among them cuts it off, and `wait` keeps it open until the reader stops. */
export type LogBody = readonly (Error | Uint8Array | string | "wait")[];

/** A response to a request for a log: its bytes, or an error response. */
export type LogAnswer = Error | LogBody | TestResponse;

/** A server of one pod, whose logs and states the test gives in order. Time is virtual. */
export interface LogServer {
  readonly pod: PodCalls;
  readonly client: Client;
  /** Queries of the requests for the log, in order. */
  readonly queries: Readonly<Record<string, string>>[];
  readonly clock: ReturnType<typeof manualClock>;
  /** Number of log bodies that are open. */
  readonly open: number;
  /** Number of reads of the pod. */
  readonly reads: number;
}

/** Returns the status of the container `main`. */
export function state(
  restartCount: number,
  state: ContainerStatus["state"],
  lastState: ContainerStatus["state"] = {},
): PodObject["status"] {
  const name = "main";
  return {
    containerStatuses: [
      { name, image: "x", imageID: "", ready: true, restartCount, state, lastState },
    ],
  };
}

export const running: ContainerStatus["state"] = { running: {} };
export const terminated = (exitCode: number, reason = "Error"): ContainerStatus["state"] => ({
  terminated: { exitCode, reason },
});

/**
 * Creates a server.
 *
 * @param logs - one for each request; a further request is an error of the test.
 * @param states - of the pod, one for each read of it; the last one repeats. `gone` and `forbidden` are errors.
 */
export function logServer(
  logs: readonly LogAnswer[],
  states: readonly (PodObject["status"] | "forbidden" | "gone" | Error)[] = [undefined],
  { spec = {}, settings = {} }: { spec?: object; settings?: Partial<ClientSettings> } = {},
): LogServer {
  const clock = manualClock();
  const queries: Record<string, string>[] = [];
  let open = 0;
  let reads = 0;
  const send = async (request: HttpRequest): Promise<HttpResponse> => {
    request.signal?.throwIfAborted();
    const [path = "", query] = request.path.split("?");
    if (path.endsWith("/log")) {
      const answer = logs[queries.length] ?? new Error("a request that the test does not expect");
      queries.push(Object.fromEntries(new URLSearchParams(query)));
      if (answer instanceof Error) {
        throw answer;
      }
      return Array.isArray(answer)
        ? { status: 200, headers: { "content-type": "text/plain" }, body: body(answer, request) }
        : plain(answer as TestResponse);
    }
    const status = states[Math.min(reads, states.length - 1)];
    reads += 1;
    if (status instanceof Error) {
      throw status;
    }
    if (status === "gone" || status === "forbidden") {
      return plain(
        status === "gone" ? statusResponse(404, "NotFound") : statusResponse(403, "Forbidden"),
      );
    }
    const metadata = { name: "web-0", namespace: "prod", uid: "u1" };
    const containers = [{ name: "main", image: "x" }];
    const pod = { apiVersion: "v1", kind: "Pod", metadata, spec: { containers, ...spec }, status };
    return plain({ body: pod });
  };
  async function* body(chunks: LogBody, { signal }: HttpRequest) {
    open += 1;
    try {
      for (const chunk of chunks) {
        signal?.throwIfAborted();
        if (chunk instanceof Error) {
          throw chunk;
        }
        if (chunk === "wait") {
          await new Promise((_, reject) => {
            signal?.addEventListener("abort", () => reject(signal.reason));
          });
        }
        yield typeof chunk === "string" ? Buffer.from(chunk) : (chunk as Uint8Array);
      }
    } finally {
      open -= 1;
    }
  }
  const client = new Client({ server: "http://scripted", send, clock, ...settings });
  return {
    client,
    pod: client.resource(Pod, "prod").named("web-0"),
    queries,
    clock,
    get open() {
      return open;
    },
    get reads() {
      return reads;
    },
  };
}

function plain({ status = 200, body = {} }: TestResponse): HttpResponse {
  return {
    status,
    headers: { "content-type": "application/json" },
    body: (async function* () {
      yield Buffer.from(JSON.stringify(body));
    })(),
  };
}

/** Reads a log to its end, moving the clock whenever something waits for it. */
export async function readAll<T>(
  server: LogServer,
  lines: AsyncIterable<T>,
  onItem: (item: T) => void = () => {},
): Promise<T[]> {
  const items: T[] = [];
  let isOver = false;
  const read = (async () => {
    for await (const item of lines) {
      items.push(item);
      onItem(item);
    }
  })().finally(() => {
    isOver = true;
  });
  read.catch(() => {});
  while (!isOver) {
    await new Promise((resolve) => setImmediate(resolve));
    if (server.clock.pending > 0) {
      server.clock.advance(250);
    }
  }
  await read;
  return items;
}
