/** A line of a log. */
export interface LogLine {
  readonly type: "line";
  /**
   * Time of the line as the node wrote it: RFC 3339 with nanoseconds. Empty for a line without one, such as the rest of
   * a line that was split.
   */
  readonly time: string;
  /** Text without the line end. Bytes that are not UTF-8 are U+FFFD. */
  readonly text: string;
  /** `true` when the line goes on in the next event: it is longer than 1 MiB. */
  readonly isPart: boolean;
}

/** The container restarted; the lines that follow are those of its next instance. Only with `restarts: "follow"`. */
export interface LogRestart {
  readonly type: "restart";
  /** Number of restarts so far. */
  readonly restartCount: number;
  /** Exit code of the instance that ended; `undefined` when the pod does not state it. */
  readonly exitCode: number | undefined;
  /** Reason of its end, such as `OOMKilled`. */
  readonly reason: string | undefined;
}

/** Lines may be missing here: the log was cut off, and its end was not found again. */
export interface LogGap {
  readonly type: "gap";
  /** Time of the last line before the gap; empty without one. */
  readonly after: string;
  /** Why lines may be missing. */
  readonly reason: string;
}

/** Item of `logs({ events: true })`. */
export type LogEvent = LogGap | LogLine | LogRestart;
