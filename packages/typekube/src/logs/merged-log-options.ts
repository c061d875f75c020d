import type { LogGap, LogOptions, LogRestart } from "@typekube/client";

/** Default maximum of logs that are read at once. kubectl stops at 5, since each one is a connection. */
export const defaultMaxLogs = 50;

/** Milliseconds for which `order: "time"` holds a line of a followed log back, for earlier lines of others. */
export const orderWindowMs = 200;

/** Options of `client.logs`. */
export interface MergedLogOptions
  extends Pick<
    LogOptions,
    | "grep"
    | "insecureSkipTLSVerifyBackend"
    | "onWarning"
    | "signal"
    | "since"
    | "sinceSeconds"
    | "sinceTime"
    | "tailLines"
    | "timeoutMs"
  > {
  /**
   * `true` goes on with new lines, new pods and restarted containers until the loop ends; for a Job, until it has
   * finished. Default false: the lines that there are.
   */
  readonly follow?: boolean | undefined;
  /** Only containers with this name. Default: all, init and ephemeral ones too. */
  readonly container?: string | undefined;
  /**
   * `time` merges the lines of containers by their times; with `follow` it waits 200 ms for earlier ones. Default
   * `arrival`. The lines of one container always keep their order.
   */
  readonly order?: "arrival" | "time" | undefined;
  /** Maximum of logs that are read at once; the others wait for one to end. Default 50. */
  readonly maxLogs?: number | undefined;
}

/** The container of a line. */
export interface LogSource {
  readonly namespace: string;
  /** Name of the pod. */
  readonly pod: string;
  readonly container: string;
}

/** A line of one of many logs. */
export interface MergedLogLine extends LogSource {
  /** Time of the line as the node wrote it: RFC 3339 with nanoseconds. Empty for the rest of a line over 1 MiB. */
  readonly time: string;
  /** Text without the line end. */
  readonly text: string;
}

/** A log could not be read; it is tried again when the failure may pass. */
export interface LogFailed {
  readonly type: "failed";
  readonly error: unknown;
}

/** Item of `client.logs` with `events: true`. */
export type MergedLogEvent = LogSource &
  (
    | LogFailed
    | LogGap
    | LogRestart
    | (Pick<MergedLogLine, "text" | "time"> & {
        readonly type: "line";
        /** `true` when the line goes on in the next event of its container: it is longer than 1 MiB. */
        readonly isPart: boolean;
      })
  );
