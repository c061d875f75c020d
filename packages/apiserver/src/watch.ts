import {
  type Clock,
  concatBytes,
  KubeError,
  type Status,
  type WireWatchEvent,
} from "@typekube/core";
import { prepareViews } from "./custom-resources/conversion.js";
import { EventQueue } from "./event-queue.js";
import { type ListOptions, readListOptions, readResourceVersion } from "./list-options.js";
import { assertWatchable } from "./negotiation.js";
import type { ResourceRequest } from "./request-info.js";
import type { ResponseFormat } from "./response-format.js";
import { createFilter, type ObjectFilter } from "./selectors.js";
import type { ServerContext } from "./server-context.js";
import { expired, resourceVersionTooLarge, type StatusError } from "./status-errors.js";
import type { ApiObject } from "./stored-object.js";
import { includedOf } from "./table/table-of.js";
import { waitForRevision } from "./wait-for-revision.js";
import { bookmark, encodeEvent, seenThrough, tablesOfWatch } from "./watch-events.js";
import type { OpenWatch } from "./watch-hub.js";

/** How far a reader may fall behind before its watch is ended. */
export const watchQueueLimit = 10_000;

const bookmarkEveryMs = 60_000;
/** The last bookmark comes this long before the watch ends. */
const bookmarkBeforeEndMs = 2_000;
/** A watch without a timeout lasts half an hour to an hour (`--min-request-timeout`). */
const minTimeoutSeconds = 1_800;

/** A watch that is ready to be read. */
export interface WatchStream {
  readonly body: AsyncIterable<Uint8Array>;
}

/** Opens a watch: everything from the version that was asked for, then what happens. */
export function openWatch(
  server: ServerContext,
  request: ResourceRequest,
  format: ResponseFormat,
  signal: AbortSignal,
  finalEvent?: Status,
): WatchStream {
  const options = readListOptions(request.query, true);
  if (format.view === "table") {
    includedOf(request.query, format.viewVersion);
  }
  const filter = createFilter(request.resource, options.labelSelector, options.fieldSelector);
  const asked = readResourceVersion(options.resourceVersion, "get");
  assertWatchable(format, server.gates);
  const queue = new EventQueue<WireWatchEvent>(watchQueueLimit);
  const cleanups: (() => void)[] = [];
  const watch: OpenWatch = {
    resource: request.resource.plural,
    storage: request.resource.storage,
    end: () => close(),
    drop: () => {
      queue.fail(new KubeError("ConnectionReset", "the connection of the watch was cut"));
      close();
    },
  };
  // Frees timers and listeners at the end, whether or not anybody reads what is still queued.
  const close = () => {
    queue.end();
    server.watches.remove(watch);
    for (const cleanup of cleanups.splice(0)) {
      cleanup();
    }
  };
  const onAbort = () => {
    queue.fail(signal.reason);
    close();
  };
  server.watches.add(watch);
  signal.addEventListener("abort", onAbort, { once: true });
  cleanups.push(() => signal.removeEventListener("abort", onAbort));
  start({ server, request, options, filter, queue, cleanups, asked, signal, close });
  scheduleEnd(server, options, close, cleanups);
  if (finalEvent !== undefined) {
    queue.push({ type: "ERROR", object: finalEvent });
    close();
  }
  if (signal.aborted) {
    onAbort();
  }
  return { body: closable(() => readQueue(queue, format, request, server), close) };
}

/** An iterable whose end frees what stands behind it, even when the reader never began. */
function closable(
  open: () => AsyncGenerator<Uint8Array, void, undefined>,
  close: () => void,
): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]() {
      const source = open();
      return {
        async next() {
          try {
            const result = await source.next();
            if (result.done) {
              close();
            }
            return result;
          } catch (error) {
            close();
            throw error;
          }
        },
        async return() {
          close();
          return source.return();
        },
      };
    },
  };
}

interface Opening {
  readonly server: ServerContext;
  readonly request: ResourceRequest;
  readonly options: ListOptions;
  readonly filter: ObjectFilter;
  readonly queue: EventQueue<WireWatchEvent>;
  readonly cleanups: (() => void)[];
  readonly asked: bigint;
  readonly signal: AbortSignal;
  readonly close: () => void;
}

function start(opening: Opening): void {
  const { server, request, options, asked, signal } = opening;
  const { store } = server;
  if (options.sendInitialEvents && asked > store.revision) {
    // A streaming list at a version of the future: the answer has begun, so the refusal comes as an event.
    waitForRevision(server, asked, signal).then(
      () => attach(opening),
      () => endWithError(opening, resourceVersionTooLarge(asked, store.revision)),
    );
    return;
  }
  const floor = store.floor(request.resource.storage);
  if (!options.sendInitialEvents && asked > 0n && asked < floor) {
    endWithError(opening, expired(`too old resource version: ${asked} (${floor})`));
    return;
  }
  attach(opening);
}

function attach({
  server,
  request,
  options,
  filter,
  queue,
  cleanups,
  asked,
  close,
}: Opening): void {
  if (queue.ended) {
    return;
  }
  const { store, clock } = server;
  const { resource, namespace } = request;
  const collection = store.collection(resource.storage);
  const prefix = namespace === "" ? "" : `${namespace}/`;
  const first: WireWatchEvent[] = [];
  const fromState = options.sendInitialEvents || asked === 0n;
  if (fromState) {
    for (const [, object] of collection.entries(prefix)) {
      if (filter.matches(object)) {
        first.push({ type: "ADDED", object });
      }
    }
    // Since 1.37 a plain watch that begins with the state gets this bookmark too.
    if (options.allowWatchBookmarks) {
      first.push(bookmark(resource, store.revision, true));
    }
  } else {
    for (const event of collection.history.after(asked)) {
      const seen = event.key.startsWith(prefix) ? seenThrough(event, filter) : undefined;
      if (seen !== undefined) {
        first.push(seen);
      }
    }
  }
  queue.prefill(first);
  cleanups.push(
    collection.listen((event) => {
      if (!event.key.startsWith(prefix) || (!fromState && event.revision <= asked)) {
        return;
      }
      const seen = seenThrough(event, filter);
      if (seen !== undefined && !queue.push(seen)) {
        close();
      }
    }),
  );
  if (options.allowWatchBookmarks) {
    scheduleBookmarks(clock, options.timeoutSeconds, fromState, cleanups, () => {
      if (store.revision >= asked) {
        queue.push(bookmark(resource, store.revision, false));
      }
    });
  }
}

/** Bookmarks come each minute and once more shortly before the end that the client asked for. */
function scheduleBookmarks(
  clock: Clock,
  timeoutSeconds: number | undefined,
  hadInitialBookmark: boolean,
  cleanups: (() => void)[],
  send: () => void,
): void {
  let cancel = () => {};
  const again = () => {
    cancel = clock.schedule(bookmarkEveryMs, () => {
      send();
      again();
    });
  };
  again();
  cleanups.push(() => cancel());
  const lastMs = (timeoutSeconds ?? 0) * 1_000 - bookmarkBeforeEndMs;
  if (lastMs > 0 && (lastMs >= bookmarkEveryMs || !hadInitialBookmark)) {
    cleanups.push(clock.schedule(lastMs, send));
  }
}

function scheduleEnd(
  { clock, random }: ServerContext,
  { timeoutSeconds }: ListOptions,
  close: () => void,
  cleanups: (() => void)[],
): void {
  const seconds =
    timeoutSeconds !== undefined && timeoutSeconds > 0
      ? timeoutSeconds
      : minTimeoutSeconds * (1 + random());
  cleanups.push(clock.schedule(seconds * 1_000, close));
}

function endWithError({ queue, close }: Opening, { status }: StatusError): void {
  queue.push({ type: "ERROR", object: status });
  close();
}

async function* readQueue(
  queue: EventQueue<WireWatchEvent>,
  format: ResponseFormat,
  request: ResourceRequest,
  server: ServerContext,
): AsyncGenerator<Uint8Array, void, undefined> {
  const table = tablesOfWatch(request, server, format.viewVersion);
  for (;;) {
    const events = await queue.take();
    if (events === undefined) {
      return;
    }
    await prepareEvents(events, request.resource);
    // An event is no list: a real server ends such a watch where its first event should stand.
    if (format.view === "metadataList" && events.some(({ type }) => type !== "ERROR")) {
      return;
    }
    yield concatBytes(
      await Promise.all(events.map((event) => encodeEvent(event, format, request.resource, table))),
    );
  }
}

/** Gets the objects of events into the version of the watch, where that takes a question to somebody. */
async function prepareEvents(
  events: readonly WireWatchEvent[],
  { defined }: ResourceRequest["resource"],
): Promise<void> {
  if (defined !== undefined) {
    const objects = events.filter(({ type }) => type !== "ERROR" && type !== "BOOKMARK");
    await prepareViews(
      objects.map(({ object }) => object as ApiObject),
      defined,
    );
  }
}
