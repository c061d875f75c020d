import type { ClientCore } from "@typekube/client";
import type { Clock } from "@typekube/core/internal";
import type { Log } from "../log/log.js";

/** Argument of a part of a manager. */
export interface RunnableContext {
  /** Aborts when the part has to end. */
  readonly signal: AbortSignal;
  readonly client: ClientCore;
  readonly clock: Clock;
  readonly log: Log;
}

/** A part of a manager: work that begins with it and ends with it. */
export interface Runnable {
  /** Names the part in logs and errors. */
  readonly name: string;
  /** Works until the signal aborts or nothing is left to do. A rejection ends the manager. */
  run(context: RunnableContext): Promise<void> | void;
  /** `restart` begins again with a growing delay instead of ending the manager. Default `stop`. */
  readonly onError?: "restart" | "stop" | undefined;
}

/** Options of {@link Runnable}s that are added to a manager. */
export interface RunnableOptions {
  /** Runs only while this process leads; with `shards`, while it holds the first one. Default false. */
  readonly leaderOnly?: boolean | undefined;
}
