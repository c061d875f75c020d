import { concatBytes, type WireWatchEvent } from "@typekube/core/internal";
import { connectionReset } from "../control/faults.js";
import { prepareViews } from "../custom-resources/conversion.js";
import type { ResourceRequest } from "../request/request-info.js";
import type { ResponseFormat } from "../response/response-format.js";
import type { ServerContext } from "../server-context.js";
import type { ApiObject } from "../store/stored-object.js";
import { filledBookmark, isBookmark } from "./bookmarks.js";
import type { EventQueue } from "./event-queue.js";
import { encodeEvent, tablesOfWatch } from "./watch-events.js";

/** An iterable whose end frees what stands behind it, even when the reader never began. */
export function closable(
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

/** The events of one watch, and how they are written. */
export interface QueuedEvents {
  readonly queue: EventQueue<WireWatchEvent>;
  readonly format: ResponseFormat;
  readonly request: ResourceRequest;
  readonly server: ServerContext;
  /** Events of which a fault lets half through. */
  readonly halves: ReadonlySet<WireWatchEvent>;
  /** `messages` yields each event alone, `stream` all that wait as one chunk. */
  readonly framing: "messages" | "stream";
}

/** Writes the events of a queue in the format of its watch. */
export async function* readQueue({
  queue,
  format,
  request,
  server,
  halves,
  framing,
}: QueuedEvents): AsyncGenerator<Uint8Array, void, undefined> {
  const table = tablesOfWatch(request, server, format.viewVersion);
  for (;;) {
    const events = await queue.take();
    if (events === undefined) {
      return;
    }
    await prepareEvents(events, request.resource);
    const empty =
      format.view === "full" && events.some(isBookmark)
        ? (await server.forms(request.resource))?.empty
        : undefined;
    // An event is no list: a real server ends such a watch where its first event should stand.
    if (format.view === "metadataList" && events.some(({ type }) => type !== "ERROR")) {
      return;
    }
    const broken = halves.size === 0 ? -1 : events.findIndex((event) => halves.has(event));
    const sent = broken === -1 ? events : events.slice(0, broken + 1);
    const frames = await Promise.all(
      sent.map((event) =>
        encodeEvent(
          isBookmark(event) ? filledBookmark(event, empty, request.resource) : event,
          format,
          request.resource,
          table,
        ),
      ),
    );
    const last = frames.at(-1);
    if (broken !== -1 && last !== undefined) {
      frames[broken] = last.subarray(0, last.byteLength >> 1);
    }
    if (framing === "messages") {
      yield* frames;
      if (broken !== -1) {
        throw connectionReset();
      }
      continue;
    }
    const [only] = frames;
    // What one event is to many watches is the same bytes, not a copy for each.
    yield frames.length === 1 && only !== undefined ? only : concatBytes(frames);
    if (broken !== -1) {
      throw connectionReset();
    }
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
