import type { HttpResponse } from "@typekube/core/internal";
import { diagnostics, monotonicNow } from "@typekube/core/internal";
import type { PodTarget } from "../pod-target/pod-target.js";
import type { Query } from "../request/query.js";
import type { LogDecoder } from "./log-decoder.js";
import type { LogOptions } from "./log-options.js";
import { openLog } from "./open-log.js";

const opened = diagnostics("typekube:stream.open");
const closed = diagnostics("typekube:stream.close");

/** A log that is read. */
export interface LogReading<T> {
  readonly target: PodTarget;
  /** Name of the container; `undefined` when the server chose it. */
  readonly container: string | undefined;
  readonly options: LogOptions;
  readonly decoder: LogDecoder<T>;
  readonly signal: AbortSignal;
}

/** Requests a log. */
export function openReading<T>(
  { target, options, signal }: LogReading<T>,
  query: Query,
): Promise<HttpResponse> {
  return openLog(target, query, options, signal);
}

/** Yields what the lines of a response become. A last line without an end stays in the decoder. */
export async function* readBody<T>(
  { target, container, decoder }: LogReading<T>,
  { body }: HttpResponse,
): AsyncGenerator<readonly T[], void, undefined> {
  const { namespace, name: pod, context } = target;
  const stream = { kind: "log", namespace, pod, container } as const;
  const startedAt = monotonicNow(context.clock);
  let stdout = 0;
  let failure: { readonly error?: unknown } = {};
  if (opened.hasSubscribers) {
    opened.publish({ stream });
  }
  try {
    for await (const chunk of body) {
      stdout += chunk.byteLength;
      const items = decoder.push(chunk);
      if (items.length > 0) {
        yield items;
      }
      if (decoder.isDone) {
        return;
      }
    }
  } catch (error) {
    failure = { error };
    throw error;
  } finally {
    if (closed.hasSubscribers) {
      const durationMs = monotonicNow(context.clock) - startedAt;
      closed.publish({ stream, bytes: { stdout }, durationMs, ...failure });
    }
  }
}
