import type { WireWatchEvent } from "@typekube/core/internal";
import type { ServerContext } from "../../context/server-context.js";
import { expired } from "../../errors/status-errors.js";
import type { JournalEntry } from "../../journal/journal.js";
import type { OpenWatch } from "../../store/watch-hub.js";

/** Queues an event for its watch, altered by a matching fault; returns false when the watch is over. */
export function sendStruck(
  { server, watch, entry, halves }: StruckWatch,
  event: WireWatchEvent,
): boolean {
  const { queue } = watch;
  const kind = server.faults.strikeEvent(entry, event)?.event;
  switch (kind) {
    case undefined:
      return queue.push(event);
    case "drop":
      return !queue.ended;
    case "duplicate":
      return queue.push(event) && queue.push(event);
    case "expire":
      watch.fail(expired("The event in requested index is outdated and cleared").status);
      return false;
    case "half": {
      const half = { ...event };
      halves.add(half);
      return queue.push(half);
    }
    default:
      throw new Error(`unknown fault: ${kind satisfies never}`);
  }
}

/** A watch to which faults may apply. */
export interface StruckWatch {
  readonly server: ServerContext;
  readonly watch: OpenWatch;
  readonly entry: JournalEntry;
  /** Events to cut in the middle. */
  readonly halves: Set<WireWatchEvent>;
}
