import type { WireWatchEvent } from "@typekube/core/internal";
import type { ServerContext } from "../../context/server-context.js";
import { expired, resourceVersionTooLarge, type StatusError } from "../../errors/status-errors.js";
import type { ListOptions } from "../../request/list-options.js";
import type { ResourceRequest } from "../../request/request-info.js";
import type { ObjectFilter } from "../../request/selectors.js";
import { minorOf } from "../../resources/feature-gates.js";
import type { EventQueue } from "../../store/event-queue.js";
import { waitForRevision } from "../read/wait-for-revision.js";
import { bookmark } from "./bookmarks.js";
import { seenThrough } from "./watch-events.js";
import { scheduleBookmarks } from "./watch-timers.js";

/** A watch that is being opened, and what its request asks for. */
export interface Opening {
  readonly server: ServerContext;
  readonly request: ResourceRequest;
  readonly options: ListOptions;
  readonly filter: ObjectFilter;
  readonly queue: EventQueue<WireWatchEvent>;
  readonly cleanups: (() => void)[];
  readonly requested: bigint;
  readonly signal: AbortSignal;
  readonly close: () => void;
  /** Queues an event; returns false when the watch is over. */
  readonly send: (event: WireWatchEvent) => boolean;
}

/** Sends the first events of a watch and follows the storage, once the requested resourceVersion is reached. */
export function startWatch(opening: Opening): void {
  const { server, request, options, requested, signal } = opening;
  const { store } = server;
  if (options.sendInitialEvents && requested > store.revision) {
    // A streaming list at a future resourceVersion: the response has begun, so the rejection is sent as an event.
    waitForRevision(server, requested, signal).then(
      () => attach(opening),
      () => endWithError(opening, resourceVersionTooLarge(requested, store.revision)),
    );
    return;
  }
  const floor = store.floor(request.resource.storage);
  if (!options.sendInitialEvents && requested > 0n && requested < floor) {
    endWithError(opening, expired(`too old resource version: ${requested} (${floor})`));
    return;
  }
  attach(opening);
}

function attach(opening: Opening): void {
  const { server, request, options, queue, cleanups, requested, send } = opening;
  if (queue.ended) {
    return;
  }
  const { store, clock } = server;
  if (beginsWithState(opening)) {
    queue.prefill(initialEvents(opening));
  } else {
    // Past events since a resourceVersion can be held back like live ones. The queue limit applies only to live events.
    queue.prefillHeld(pastEvents(opening));
  }
  followStorage(opening);
  if (options.allowWatchBookmarks) {
    scheduleBookmarks(clock, options.timeoutSeconds, beginsWithState(opening), cleanups, () => {
      if (store.revision >= requested) {
        send(bookmark(request.resource, store.revision, false));
      }
    });
  }
}

/** Returns whether a watch begins with the current objects, instead of the events since a resourceVersion. */
function beginsWithState({ options, requested }: Opening): boolean {
  return options.sendInitialEvents || requested === 0n;
}

/** Returns the current objects as events, and the bookmark after them. */
function initialEvents({ server, request, options, filter }: Opening): WireWatchEvent[] {
  const { store, version } = server;
  const { resource } = request;
  const events: WireWatchEvent[] = [];
  for (const [, object] of store.collection(resource.storage).entries(prefixOf(request))) {
    if (filter.matches(object)) {
      events.push({ type: "ADDED", object });
    }
  }
  // Since 1.36 a plain watch with initial events gets this bookmark too (recorded from 1.36.4).
  const isMarked = options.sendInitialEvents || minorOf(version) >= 36;
  if (options.allowWatchBookmarks && isMarked) {
    events.push(bookmark(resource, store.revision, true));
  }
  return events;
}

/** Returns the events since the requested resourceVersion. */
function pastEvents({ server, request, filter, requested }: Opening): WireWatchEvent[] {
  const prefix = prefixOf(request);
  const events: WireWatchEvent[] = [];
  for (const event of server.store.collection(request.resource.storage).history.after(requested)) {
    const seen = event.key.startsWith(prefix) ? seenThrough(event, filter) : undefined;
    if (seen !== undefined) {
      events.push(seen);
    }
  }
  return events;
}

/** Sends live events until the watch is over. */
function followStorage(opening: Opening): void {
  const { server, request, filter, cleanups, requested, close, send } = opening;
  const prefix = prefixOf(request);
  const fromState = beginsWithState(opening);
  const forget = server.store.collection(request.resource.storage).listen((event) => {
    if (!event.key.startsWith(prefix) || (!fromState && event.revision <= requested)) {
      return;
    }
    const seen = seenThrough(event, filter);
    if (seen !== undefined && !send(seen)) {
      close();
    }
  });
  cleanups.push(forget);
}

function prefixOf({ namespace }: ResourceRequest): string {
  return namespace === "" ? "" : `${namespace}/`;
}

function endWithError({ queue, close }: Opening, { status }: StatusError): void {
  queue.push({ type: "ERROR", object: status });
  close();
}
