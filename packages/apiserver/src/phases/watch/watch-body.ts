import { concatBytes, type WireWatchEvent } from "@typekube/core/internal";
import type { ServerContext } from "../../context/server-context.js";
import { connectionReset } from "../../faults/faults.js";
import type { ApiObject } from "../../objects/api-object.js";
import type { ResourceRequest } from "../../request/request-info.js";
import type { ResponseFormat } from "../../request/response-format.js";
import { prepareViews } from "../../resources/versions/conversion.js";
import type { EventQueue } from "../../store/event-queue.js";
import { filledBookmark, isBookmark } from "./bookmarks.js";
import { encodeEvent, tablesOfWatch } from "./watch-events.js";

/** Returns an iterable that calls `close` when it ends, even if it was never read. */
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

/** The event queue of one watch and its format. */
export interface QueuedEvents {
  readonly queue: EventQueue<WireWatchEvent>;
  readonly format: ResponseFormat;
  readonly request: ResourceRequest;
  readonly server: ServerContext;
  /** Events that a fault cuts in the middle. */
  readonly halves: ReadonlySet<WireWatchEvent>;
  /** `messages` yields each event separately, `stream` yields all queued events as one chunk. */
  readonly framing: "messages" | "stream";
}

/** Encodes the queued events in the format of the watch. */
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
    const { defined } = request.resource;
    if (defined !== undefined) {
      await prepareEvents(events, defined);
    }
    const empty =
      format.view === "full" && events.some(isBookmark)
        ? (await server.forms(request.resource))?.empty
        : undefined;
    // An event is not a list: a real server ends such a watch instead of sending its first event.
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
    // Many watches share the bytes of a single event without copying them.
    yield frames.length === 1 && only !== undefined ? only : concatBytes(frames);
    if (broken !== -1) {
      throw connectionReset();
    }
  }
}

/** Converts the objects of events to the watch's version, if that requires an asynchronous conversion. */
async function prepareEvents(
  events: readonly WireWatchEvent[],
  defined: NonNullable<ResourceRequest["resource"]["defined"]>,
): Promise<void> {
  const objects = events.filter(({ type }) => type !== "ERROR" && type !== "BOOKMARK");
  await prepareViews(
    objects.map(({ object }) => object as ApiObject),
    defined,
  );
}
