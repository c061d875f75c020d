import { createVirtualClock } from "@typekube/apiserver";
import type { ListOptions, WatchOptions } from "@typekube/client";
import type { ReadSupervisor } from "@typekube/client/internal";
import { KubeError, type KubeErrorCode } from "@typekube/core";
import { type Clock, type ListPart, sleep, type WireWatchEvent } from "@typekube/core/internal";
import type { WatcherOptions } from "@typekube/informer";
import { Watcher, type WatchSource, watcherSettings } from "@typekube/informer/internal";
import { expect, it } from "vitest";
import { slowReaderError } from "../../src/watcher/slow-reader.js";
import { afterFailures, type StepsAfterFailure } from "../../src/watcher/watcher-state.js";
import { bookmark, failure } from "../wire-events.js";

type Column = keyof StepsAfterFailure;

/** Way in which a request fails. */
interface Cause {
  /** Thrown instead of a response, or after it with `response`. */
  readonly error?: KubeError;
  /** Behaviour of the response before it fails; `lasts` is longer than a second. */
  readonly response?: "begins" | "ends" | "lasts" | "silent" | "stale";
  /** The consumer fails, not the server. */
  readonly isReader?: boolean;
  /** Number of requests of the state that fail. Default 1. */
  readonly times?: number;
  /** The requests of other states fail too. */
  readonly failsAll?: boolean;
  readonly options?: WatcherOptions;
  /** States in which this failure can't happen. */
  readonly never?: readonly Column[];
}

const network = (code: KubeErrorCode) => ({ error: new KubeError(code, "no connection") });
const unreadable: Cause = { error: new KubeError("Decode", "odd"), response: "begins" };
const cut: Cause = { error: new KubeError("ConnectionReset", "cut"), response: "begins" };
const noResponse = { error: new KubeError("DeadlineExceeded", "no response headers") };
const gone = { error: failure(410, "Expired") };
const closed = { error: new KubeError("Closed", "the client is closed") };
const silent: Cause = { response: "silent" };

/** The ways to fail that each row of the table stands for. */
const causes: Readonly<Record<string, readonly Cause[]>> = {
  "410": [gone],
  "410 again": [{ ...gone, times: 2 }],
  "resourceVersion too large": [{ error: failure(504, "Timeout", "Too large resource version") }],
  "400": [{ error: failure(400, "BadRequest") }],
  "422 or 405": [{ error: failure(422, "Invalid") }, { error: failure(405, "MethodNotAllowed") }],
  "429, or 5xx with Retry-After": [
    { error: failure(429, "TooManyRequests") },
    { error: failure(503, "ServiceUnavailable", "later", { retryAfterSeconds: 1 }) },
  ],
  "401": [{ error: failure(401, "Unauthorized") }],
  "403, 404, or another status": [
    { error: failure(403, "Forbidden") },
    { error: failure(404, "NotFound") },
    { error: failure(500, "InternalError") },
    { error: failure(503, "ServiceUnavailable") },
  ],
  "500 within internalErrorWindowMs": [
    { error: failure(500, "InternalError"), options: { internalErrorWindowMs: 60_000 } },
  ],
  "connection, DNS or TLS failed": [
    network("ConnectionRefused"),
    network("HostNotFound"),
    network("Tls"),
  ],
  "cut within a second": [cut],
  "cut within a second, third in a row": [{ ...cut, times: 3 }],
  "cut later": [{ ...cut, response: "lasts" }],
  "ended within a second": [{ response: "ends", never: ["listing"] }],
  unreadable: [unreadable],
  "unreadable, third in a row": [{ ...unreadable, times: 3, never: ["streaming"] }],
  "no response": [noResponse],
  "no response, fifth in a row": [{ ...noResponse, times: 5, never: ["streaming"] }],
  silent: [{ ...silent, never: ["listing"] }],
  "silent, second in a row": [{ ...silent, times: 2, never: ["streaming", "listing"] }],
  "snapshot older than the known resourceVersion": [{ response: "stale", never: ["watching"] }],
  "reader too slow": [
    { isReader: true, error: slowReaderError(1), never: ["streaming", "listing"] },
  ],
  "client closed": [closed],
  "client closed, second in a row": [{ ...closed, times: 2, failsAll: true }],
};

/** resourceVersion of every snapshot but the stale one. */
const known = "10";

/**
 * A server that fails in one state of the watcher, and records the step that follows. For a failure of a snapshot it
 * lets the first watch expire, and before a `listing` of a watcher that streams, it refuses the streaming list.
 */
class FailingSource implements WatchSource {
  /** The step after the last failure. */
  step: string | undefined;
  /** `true` when the consumer has to throw now. */
  throwsNow = false;
  stateOf: () => string = () => "";
  readonly #column: Column;
  readonly #cause: Cause;
  readonly #clock: Clock;
  #requests = 0;
  #failures = 0;
  #endedAt = 0;

  constructor(column: Column, cause: Cause, clock: Clock) {
    this.#column = column;
    this.#cause = cause;
    this.#clock = clock;
  }

  async descriptor() {
    return { kind: "Pod", plural: "pods" };
  }

  async *listParts({ resourceVersion }: ListOptions): AsyncIterable<ListPart> {
    this.#begin(`listing ${resourceVersion ? "known" : "newest"}`);
    const isFailing = this.#isFailing();
    try {
      if (isFailing && this.#cause.response === "lasts") {
        await sleep(this.#clock, 1_500);
      }
      if (isFailing && this.#cause.error) {
        throw this.#cause.error;
      }
      const version = isFailing ? "5" : known;
      yield {
        apiVersion: "v1",
        kind: "PodList",
        metadata: { resourceVersion: version },
        items: [],
      };
    } finally {
      this.#endedAt = this.#clock.now();
    }
  }

  async *watchBatches(
    { resourceVersion, sendInitialEvents, signal }: WatchOptions,
    supervisor?: ReadSupervisor,
  ): AsyncIterable<readonly WireWatchEvent[]> {
    const name = sendInitialEvents ? "streaming" : "watching";
    this.#begin(`${name} ${resourceVersion ? "known" : "newest"}`);
    try {
      if (this.#isFailing()) {
        yield* this.#fail(signal as AbortSignal, supervisor);
        return;
      }
      const isFirst = this.#requests === 1;
      if (name === "streaming" && this.#column === "listing" && !isFirst && !this.#isOver) {
        throw failure(403, "Forbidden");
      }
      supervisor?.onResponse?.();
      if (name === "streaming") {
        yield [bookmark(known, "true")];
        if (!isFirst && this.#isFailing()) {
          yield* this.#fail(signal as AbortSignal, supervisor);
          return;
        }
      }
      if (this.#failures === 0) {
        if (this.#column === "watching") {
          // The failure needs a watch of its own, which follows at once.
          await sleep(this.#clock, 1_500, signal);
          throw cut.error;
        }
        throw gone.error;
      }
      await new Promise((_, reject) => {
        signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
      });
    } finally {
      this.#endedAt = this.#clock.now();
    }
  }

  /** `true` after the last failure. */
  get #isOver(): boolean {
    return this.#failures === (this.#cause.times ?? 1);
  }

  /** Records the step when the failures are over. */
  #begin(request: string): void {
    this.#requests++;
    if (this.#isOver) {
      const timing = this.#clock.now() > this.#endedAt ? "after a wait" : "at once";
      this.step ??= `${timing}: ${request}`;
    }
  }

  /** Returns true when the current request has to fail. The first snapshot never does. */
  #isFailing(): boolean {
    const { failsAll = false } = this.#cause;
    const isColumn = this.stateOf() === this.#column || (failsAll && this.#failures > 0);
    const isFailing = isColumn && this.#requests > 1 && !this.#isOver;
    this.#failures += isFailing ? 1 : 0;
    return isFailing;
  }

  async *#fail(
    signal: AbortSignal,
    supervisor: ReadSupervisor | undefined,
  ): AsyncIterable<readonly WireWatchEvent[]> {
    const { error, response, isReader } = this.#cause;
    if (response !== undefined) {
      supervisor?.onResponse?.();
    }
    switch (response) {
      case "stale":
        yield [bookmark(5, "true")];
        break;
      case "lasts":
        await sleep(this.#clock, 1_500, signal);
        break;
      case "silent":
        await new Promise((_, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason), { once: true });
        });
        break;
      default:
    }
    if (isReader) {
      this.throwsNow = true;
      yield [bookmark(known)];
    }
    if (error) {
      throw error;
    }
  }
}

/** Makes a watcher fail in a state, and returns its next step. */
async function stepAfter(column: Column, cause: Cause, streamingList: boolean): Promise<string> {
  const clock = createVirtualClock();
  const source = new FailingSource(column, cause, clock);
  const settings = watcherSettings({ ...cause.options, streamingList, random: () => 0 });
  const end = new AbortController();
  const watcher = new Watcher(source, settings, clock, end.signal);
  source.stateOf = () => watcher.state.name;
  const run = watcher.run();
  const pump = async () => {
    let isDone = false;
    while (!isDone) {
      const throws = source.throwsNow;
      source.throwsNow = false;
      const result = throws && cause.error ? await run.throw(cause.error) : await run.next();
      isDone = result.done === true;
    }
  };
  let isStopped = false;
  const pumping = pump().catch((error: unknown) => {
    isStopped = error === closed.error;
  });
  await clock.advance(20 * 60_000);
  end.abort();
  await pumping;
  return isStopped ? "stopped" : (source.step ?? "no request");
}

const cells = Object.entries(afterFailures).flatMap(([row, steps]) =>
  Object.entries(steps)
    .filter(([, step]) => step !== "-")
    .flatMap(([column, step]) =>
      (column === "streaming" ? [true] : [true, false]).flatMap((streamingList) =>
        (causes[row] ?? []).map((cause) => ({ row, column, step, streamingList, cause })),
      ),
    ),
);

it("the table has exactly these failures, and no step where one can't happen", () => {
  const cellsWithout = (steps: StepsAfterFailure) =>
    Object.entries(steps).flatMap(([column, step]) => (step === "-" ? [column] : []));
  expect(Object.entries(afterFailures).map(([row, steps]) => [row, cellsWithout(steps)])).toEqual(
    Object.entries(causes).map(([row, [first]]) => [row, first?.never ?? []]),
  );
});

for (const { row, column, step, streamingList, cause } of cells) {
  const how = cause.error?.code ?? cause.response;
  const server = streamingList ? "" : " without streaming lists";
  it(`after a failure in ${column}${server} (${row}, ${how}), ${step}`, async () => {
    const expected = step.replace("snapshot", streamingList ? "streaming" : "listing");
    expect(await stepAfter(column as Column, cause, streamingList)).toBe(expected);
  });
}
