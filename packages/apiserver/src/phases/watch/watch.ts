import type { WireWatchEvent } from "@typekube/core/internal";
import type { ServerContext } from "../../context/server-context.js";
import { cause } from "../../errors/field-errors.js";
import { invalidOptions } from "../../errors/status-errors.js";
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
import { createFilter } from "../../request/selectors.js";
import type { Upgrade } from "../../request/upgrade.js";
import { includedOf } from "../../response/table/table-of.js";
import { registerWatch } from "./registered-watch.js";
import { startWatch } from "./start-watch.js";
import { sendStruck } from "./struck-watch.js";
import { closable, readQueue } from "./watch-body.js";
import { scheduleEnd } from "./watch-timers.js";

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
  const { watch, cleanups, close } = registerWatch(server, request, entry.user);
  const { queue } = watch;
  const onAbort = () => {
    queue.fail(signal.reason);
    close();
  };
  signal.addEventListener("abort", onAbort, { once: true });
  cleanups.push(() => signal.removeEventListener("abort", onAbort));
  const halves = new Set<WireWatchEvent>();
  const send = (event: WireWatchEvent) => sendStruck({ server, watch, entry, halves }, event);
  startWatch({ server, request, options, filter, queue, cleanups, requested, signal, close, send });
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
