import { KubeError } from "@typekube/core";
import type { WireWatchEvent } from "@typekube/core/internal";
import type { ServerContext } from "../../context/server-context.js";
import {
  cause,
  expired,
  invalidOptions,
  resourceVersionTooLarge,
  type StatusError,
} from "../../errors/status-errors.js";
import type { FaultRule } from "../../faults/fault-rule.js";
import { faultEvent } from "../../faults/faults.js";
import type { JournalEntry } from "../../journal/journal.js";
import {
  type ListOptions,
  readListOptions,
  readResourceVersion,
} from "../../request/list-options.js";
import { assertWatchable } from "../../request/negotiation.js";
import type { ResourceRequest } from "../../request/request-info.js";
import type { ResponseFormat } from "../../request/response-format.js";
import { createFilter, type ObjectFilter } from "../../request/selectors.js";
import type { Upgrade } from "../../request/upgrade.js";
import { minorOf } from "../../resources/feature-gates.js";
import { includedOf } from "../../response/table/table-of.js";
import { EventQueue } from "../../store/event-queue.js";
import type { OpenWatch } from "../../store/watch-hub.js";
import { waitForRevision } from "../read/wait-for-revision.js";
import { bookmark } from "./bookmarks.js";
import { sendStruck } from "./struck-watch.js";
import { closable, readQueue } from "./watch-body.js";
import { seenThrough } from "./watch-events.js";
import { scheduleBookmarks, scheduleEnd } from "./watch-timers.js";

/** Number of events by which a reader may fall behind before its watch is ended. */
export const watchQueueLimit = 10_000;

/** A watch that can be read. */
export interface WatchStream {
  readonly body: AsyncIterable<Uint8Array>;
}

/** The journal entry of a watch request, and the fault that applies to it. */
export interface WatchOrigin {
  readonly entry: JournalEntry;
  readonly rule?: FaultRule | undefined;
  /** The WebSocket that the client requested; absent for a watch over plain HTTP. */
  readonly upgrade?: Upgrade | undefined;
}

/** Opens a watch: events since the requested resourceVersion, then live events. */
export function openWatch(
  server: ServerContext,
  request: ResourceRequest,
  format: ResponseFormat,
  signal: AbortSignal,
  { entry, rule, upgrade }: WatchOrigin,
): WatchStream {
  assertStreamingLists(server, request.query);
  const options = readListOptions(request.query, true);
  if (format.view === "table") {
    includedOf(request.query, format.viewVersion);
  }
  const filter = createFilter(server, request.resource, options);
  const requested = requestedVersionOf(server, options);
  assertWatchable(format, server.gates);
  const queue = new EventQueue<WireWatchEvent>(watchQueueLimit);
  const cleanups: (() => void)[] = [];
  const watch: OpenWatch = {
    id: server.watches.nextId(),
    resource: request.resource.plural,
    namespace: request.namespace,
    user: entry.user,
    storage: request.resource.storage,
    queue,
    end: () => close(),
    fail: (status) => {
      queue.prefill([{ type: "ERROR", object: status }]);
      close();
    },
    drop: () => {
      queue.fail(new KubeError("ConnectionReset", "the connection of the watch was reset"));
      close();
    },
  };
  // Frees timers and listeners at the end, whether or not the queued events are read.
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
  const halves = new Set<WireWatchEvent>();
  const send = (event: WireWatchEvent) => sendStruck({ server, watch, entry, halves }, event);
  start({
    server,
    request,
    options,
    filter,
    queue,
    cleanups,
    requested,
    signal,
    close,
    send,
  });
  scheduleEnd(server, options, close, cleanups);
  const finalEvent = rule && faultEvent(rule);
  if (finalEvent !== undefined) {
    watch.fail(finalEvent);
  }
  if (signal.aborted) {
    onAbort();
  }
  const framing = upgrade === undefined ? "stream" : "messages";
  const events = { queue, format, request, server, halves, framing } as const;
  return { body: closable(() => readQueue(events), close) };
}

/** Rejects the parameter on servers without streaming lists, or with the feature disabled. */
function assertStreamingLists({ gates }: ServerContext, query: URLSearchParams): void {
  if (!gates.WatchList && (query.get("sendInitialEvents") ?? "") !== "") {
    const field = "sendInitialEvents";
    const why = `${field} is forbidden for watch unless the WatchList feature gate is enabled`;
    throw invalidOptions("ListOptions", [cause.forbidden(field, why)]);
  }
}

/**
 * Returns the resourceVersion from which to watch. A streaming list without one must reach the leader's current state;
 * a watch that requests no initial events begins now.
 */
function requestedVersionOf({ leader, store }: ServerContext, options: ListOptions): bigint {
  const isFromNow = options.resourceVersionMatch !== "" && !options.sendInitialEvents;
  if (isFromNow && options.resourceVersion === "") {
    return store.revision;
  }
  return options.sendInitialEvents && options.resourceVersion === "" && leader !== undefined
    ? leader.revision
    : readResourceVersion(options.resourceVersion, "get");
}

interface Opening {
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

function start(opening: Opening): void {
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

function attach({
  server,
  request,
  options,
  filter,
  queue,
  cleanups,
  requested,
  close,
  send,
}: Opening): void {
  if (queue.ended) {
    return;
  }
  const { store, clock } = server;
  const { resource, namespace } = request;
  const collection = store.collection(resource.storage);
  const prefix = namespace === "" ? "" : `${namespace}/`;
  const first: WireWatchEvent[] = [];
  const fromState = options.sendInitialEvents || requested === 0n;
  if (fromState) {
    for (const [, object] of collection.entries(prefix)) {
      if (filter.matches(object)) {
        first.push({ type: "ADDED", object });
      }
    }
    // Since 1.36 a plain watch with initial events gets this bookmark too (recorded from 1.36.4).
    const marksAll = minorOf(server.version) >= 36;
    if (options.allowWatchBookmarks && (options.sendInitialEvents || marksAll)) {
      first.push(bookmark(resource, store.revision, true));
    }
  } else {
    for (const event of collection.history.after(requested)) {
      const seen = event.key.startsWith(prefix) ? seenThrough(event, filter) : undefined;
      if (seen !== undefined) {
        first.push(seen);
      }
    }
  }
  if (fromState) {
    queue.prefill(first);
  } else {
    // Past events since a resourceVersion can be held back like live ones. The queue limit applies only to live events.
    queue.prefillHeld(first);
  }
  cleanups.push(
    collection.listen((event) => {
      if (!event.key.startsWith(prefix) || (!fromState && event.revision <= requested)) {
        return;
      }
      const seen = seenThrough(event, filter);
      if (seen !== undefined && !send(seen)) {
        close();
      }
    }),
  );
  if (options.allowWatchBookmarks) {
    scheduleBookmarks(clock, options.timeoutSeconds, fromState, cleanups, () => {
      if (store.revision >= requested) {
        send(bookmark(resource, store.revision, false));
      }
    });
  }
}

function endWithError({ queue, close }: Opening, { status }: StatusError): void {
  queue.push({ type: "ERROR", object: status });
  close();
}
