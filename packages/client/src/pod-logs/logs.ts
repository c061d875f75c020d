import type { Live } from "@typekube/api";
import type { Pod } from "@typekube/api/core/v1";
import { isForbidden } from "@typekube/core";
import type { Random } from "@typekube/core/internal";
import { callOptionsOf } from "../options/call-options-of.js";
import { chooseContainer, defaultContainer } from "../pod-target/choose-container.js";
import type { PodSource } from "../pod-target/pod-source.js";
import type { PodTarget } from "../pod-target/pod-target.js";
import type { Query } from "../request/query.js";
import { emitWarning } from "../request/warnings.js";
import { LogFollower } from "./follow-log.js";
import { LogDecoder } from "./log-decoder.js";
import { assertLogOptions, type LogForms, type LogOptions } from "./log-options.js";
import { type LogView, logView } from "./log-view.js";
import { type LogReading, openReading, readBody } from "./read-log.js";
import { sinceSecondsOf } from "./since-seconds.js";

/** Reads or follows the log of one container. Yields batches, as bytes arrive. */
export async function* logs(
  source: PodSource,
  options: LogForms & LogOptions,
  signal: AbortSignal,
): AsyncGenerator<readonly unknown[], void, undefined> {
  assertLogOptions(options);
  const target = await source.choose({ ...callOptionsOf(options), signal });
  const view = logView(options, (text) => emitWarning(target.context, options, text));
  yield* viewedLogs(target, options, view, signal);
}

/** {@link logs} with a view of the caller's. */
export async function* viewedLogs<T>(
  target: PodTarget,
  given: LogForms & LogOptions,
  view: LogView<T>,
  signal: AbortSignal,
  random: Random = Math.random,
): AsyncGenerator<readonly T[], void, undefined> {
  const options = { ...given, signal };
  const {
    follow = false,
    previous = false,
    timestamps = false,
    until,
    limitBytes,
    events,
  } = options;
  const isFollowed = follow && !previous;
  // Resuming, limits of time and events need the time of each line.
  const isTimed = isFollowed || until !== undefined || events === true;
  const decoder = new LogDecoder({
    view,
    isTimed: isTimed || timestamps,
    keepsTime: timestamps,
    until,
    limitBytes: isTimed ? limitBytes : undefined,
  });
  const pod = isFollowed ? await readPod(target, options) : undefined;
  const container =
    pod === undefined
      ? await chooseContainer(target, options)
      : (options.container ?? defaultContainer(pod));
  const query: Query = {
    container,
    follow,
    previous,
    timestamps: isTimed || timestamps,
    ...sinceQuery(options),
    tailLines: options.tailLines,
    // Times that the reader does not get must not count.
    limitBytes: isTimed ? undefined : limitBytes,
    insecureSkipTLSVerifyBackend: options.insecureSkipTLSVerifyBackend,
    stream: options.stream,
  };
  const reading: LogReading<T> = { target, container, options, decoder, signal };
  if (isFollowed) {
    yield* new LogFollower({ ...reading, view, pod, query, random }).batches();
    return;
  }
  yield* readBody(reading, await openReading(reading, query));
  yield decoder.flush();
}

function sinceQuery({ since, sinceSeconds, sinceTime }: LogOptions): Query {
  return {
    sinceSeconds: typeof since === "string" ? sinceSecondsOf(since) : sinceSeconds,
    sinceTime: since instanceof Date ? since.toISOString() : sinceTime,
  };
}

/** Reads the pod, whose status tells the instances of its container apart. `undefined` without permission. */
async function readPod(target: PodTarget, options: LogOptions): Promise<Live<Pod> | undefined> {
  try {
    return await target.get(callOptionsOf(options));
  } catch (error) {
    if (isForbidden(error)) {
      return undefined;
    }
    throw error;
  }
}
