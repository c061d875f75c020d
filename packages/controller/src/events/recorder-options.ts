import type { ClientCore } from "@typekube/client";
import {
  type AnyOptionTable,
  type Clock,
  callback,
  milliseconds,
  type OptionCheck,
  type OptionTable,
  object,
  oneOf,
  type Random,
  text,
} from "@typekube/core/internal";
import type { LogSink } from "../log/log.js";
import type { DropReason } from "./event-queue.js";

/** Options of {@link createEventRecorder}. */
export interface EventRecorderOptions {
  /** Client of the cluster that the objects are in. */
  readonly client: ClientCore;
  /** Name of the reporting controller. */
  readonly controller: string;
  /** Name of the host, part of the reporting instance. Default: that of this host. */
  readonly host?: string | undefined;
  /**
   * `classic` records events of the core group, as client-go's `tools/record` does: at most 25 at once and one per 5 min
   * and object; similar ones are combined. Default `series`.
   */
  readonly style?: "classic" | "series" | undefined;
  /**
   * Milliseconds between two writes of the count of an event that goes on; 1,800,000 is client-go's. Only for `series`.
   * Default 60,000.
   */
  readonly countEveryMs?: number | undefined;
  /** Receives a line for each new reason of lost events. Default: warnings go to stderr. */
  readonly log?: LogSink | undefined;
  /** Called for each event that is not recorded, for metrics. Default: none. */
  readonly onDrop?: ((reason: DropReason) => void) | undefined;
  /** Default: the client's. */
  readonly clock?: Clock | undefined;
  /** Default `Math.random`. */
  readonly random?: Random | undefined;
}

const required: OptionCheck = { mustBe: "the client of a cluster", isValid: object.isValid };

/** Names and checks of {@link EventRecorderOptions}. */
export const eventRecorderOptions: OptionTable<EventRecorderOptions> = {
  client: required,
  clock: object,
  controller: text,
  countEveryMs: milliseconds,
  host: text,
  log: callback,
  onDrop: callback,
  random: callback,
  style: oneOf("classic", "series"),
} satisfies AnyOptionTable;
