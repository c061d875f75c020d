import { hostname } from "node:os";
import { contextOf } from "@typekube/client/internal";
import { assertOptions } from "@typekube/core/internal";
import { createLog, stderrSink } from "../log/log.js";
import { ClassicRecorder } from "./classic-recorder.js";
import { dropReport } from "./drop-report.js";
import { eventNames } from "./event-names.js";
import { EventQueue } from "./event-queue.js";
import type { EventRecorder } from "./event-recorder.js";
import { coreEvents, newEvents } from "./event-store.js";
import { type Occurrence, occurrenceOf } from "./occurrence.js";
import { type EventRecorderOptions, eventRecorderOptions } from "./recorder-options.js";
import { SeriesRecorder } from "./series-recorder.js";

/** A recorder that its owner closes. */
export interface ClosableEventRecorder extends EventRecorder, AsyncDisposable {
  /**
   * Writes what was recorded, for at most `timeoutMs` (default 2,000), and drops the rest. Records nothing afterwards.
   * Never rejects.
   */
  close(options?: { readonly timeoutMs?: number | undefined }): Promise<void>;
}

/** Milliseconds in which `close()` writes what was recorded. */
const defaultCloseMs = 2_000;
/** Milliseconds between two writes of a growing count. client-go's is 30 min (refreshTime). */
const defaultCountEveryMs = 60_000;

/**
 * Creates a recorder of events, for programs without a manager: controllers have `run.events`. Events of events.k8s.io
 * that repeat within 6 minutes become one, with a count that is written with the second occurrence and then once a minute
 * while it grows. New events of one reason about one object are limited to 25 at once and one per minute. Up to 1,000
 * events wait while the server cannot be reached, each for 12 attempts. (client-go `tools/events`)
 *
 * @example
 * ```ts
 * await using events = createEventRecorder({ client, controller: "shop-importer" });
 * events.normal(shop, "Imported", "12 products");
 * ```
 *
 * @throws {KubeError} `InvalidArgument` for an invalid option.
 */
export function createEventRecorder(options: EventRecorderOptions): ClosableEventRecorder {
  assertOptions("createEventRecorder()", options, eventRecorderOptions);
  const { client, controller, style = "series", host = hostname() } = options;
  const { countEveryMs = defaultCountEveryMs, random = Math.random } = options;
  const clock = options.clock ?? contextOf(client).clock;
  const log = createLog(options.log ?? stderrSink, clock, { controller });
  const onDrop = dropReport(log, options.onDrop);
  const parts = {
    clock,
    names: eventNames(`${controller}-${host}`, clock, random),
    queue: new EventQueue({ clock, random, onDrop }),
    reporter: { controller, host },
    onBudget: (what: string) => onDrop("budget", what),
  };
  const recorder =
    style === "classic"
      ? new ClassicRecorder(parts, coreEvents(client))
      : new SeriesRecorder(
          parts,
          { events: newEvents(client), core: coreEvents(client) },
          countEveryMs,
        );
  const recordAs =
    (type: Occurrence["type"]): EventRecorder["normal"] =>
    (object, reason, note, details) =>
      recorder.record(occurrenceOf(type, object, reason, note, clock.now(), details));
  const close: ClosableEventRecorder["close"] = ({ timeoutMs = defaultCloseMs } = {}) => {
    recorder.close();
    return parts.queue.close(timeoutMs);
  };
  return {
    normal: recordAs("Normal"),
    warning: recordAs("Warning"),
    close,
    [Symbol.asyncDispose]: close,
  };
}
