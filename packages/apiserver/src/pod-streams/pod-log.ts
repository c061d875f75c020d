import type { HttpResponse } from "@typekube/core/internal";
import { streamResponse } from "../response/responses.js";
import type { PodHandlers, PodLogLine, PodLogRequest } from "./pod-handlers.js";

/** Responds with the log of a container, limited by the request's options. */
export function podLog(
  log: NonNullable<PodHandlers["log"]>,
  request: PodLogRequest,
  nowMs: number,
): HttpResponse {
  return streamResponse("text/plain", limited(lines(log(request), request, nowMs), request));
}

interface Line {
  readonly text: string;
  readonly timeMs: number;
}

async function* lines(
  source: AsyncIterable<PodLogLine> | Iterable<PodLogLine>,
  { sinceMs, follow, tailLines, timestamps, signal }: PodLogRequest,
  nowMs: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const bytesOf = ({ text, timeMs }: Line) => {
    const time = timestamps ? `${new Date(timeMs).toISOString().replace("Z", "000000Z")} ` : "";
    return Buffer.from(`${time}${text}\n`, "utf8");
  };
  const last: Line[] = [];
  for await (const given of source) {
    signal.throwIfAborted();
    const line = typeof given === "string" ? { text: given, timeMs: nowMs } : given;
    if (sinceMs !== undefined && line.timeMs < sinceMs) {
      continue;
    }
    if (follow || tailLines === undefined) {
      yield bytesOf(line);
      continue;
    }
    last.push(line);
    if (last.length > tailLines) {
      last.shift();
    }
  }
  for (const line of last) {
    yield bytesOf(line);
  }
}

/** Stops reading from the handler at `limitBytes` or when the client disconnects. */
async function* limited(
  source: AsyncIterable<Uint8Array>,
  { limitBytes = Number.POSITIVE_INFINITY }: PodLogRequest,
): AsyncGenerator<Uint8Array, void, undefined> {
  let left = limitBytes;
  for await (const chunk of source) {
    yield chunk.subarray(0, left);
    left -= chunk.byteLength;
    if (left <= 0) {
      return;
    }
  }
}
