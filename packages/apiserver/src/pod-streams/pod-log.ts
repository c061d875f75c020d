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
  /** Time as the kubelet writes it: nine fractional digits. */
  readonly time: string;
  readonly timeMs: number;
  readonly isPartial: boolean;
}

async function* lines(
  source: AsyncIterable<PodLogLine> | Iterable<PodLogLine>,
  { sinceMs, follow, tailLines, timestamps, signal }: PodLogRequest,
  nowMs: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  // The time stands at the beginning of a line only, and `tailLines` and `sinceTime` count parts of lines, too. (kubelet)
  let isStart = true;
  const bytesOf = ({ text, time, isPartial }: Line) => {
    const prefix = timestamps && isStart ? `${time} ` : "";
    isStart = !isPartial;
    return Buffer.from(`${prefix}${text}${isPartial ? "" : "\n"}`, "utf8");
  };
  const last: Line[] = [];
  for await (const given of source) {
    signal.throwIfAborted();
    const line = lineOf(given, nowMs);
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

function lineOf(given: PodLogLine, nowMs: number): Line {
  if (typeof given === "string") {
    return { text: given, time: withNanoseconds(nowMs), timeMs: nowMs, isPartial: false };
  }
  const { text, isPartial = false } = given;
  if ("timeMs" in given) {
    return { text, time: withNanoseconds(given.timeMs), timeMs: given.timeMs, isPartial };
  }
  return { text, time: padded(given.time), timeMs: Date.parse(given.time), isPartial };
}

function withNanoseconds(ms: number): string {
  return new Date(ms).toISOString().replace("Z", "000000Z");
}

function padded(time: string): string {
  return time.replace(
    /^(.{19})(?:\.(\d{1,9}))?/,
    (_, second: string, digits = "") => `${second}.${digits.padEnd(9, "0")}`,
  );
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
