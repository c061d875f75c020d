import type { Clock } from "@typekube/core/internal";

/** How important a line is. */
export type LogLevel = "debug" | "error" | "info" | "warn";

/** One line of a log. */
export interface LogEntry {
  readonly level: LogLevel;
  readonly message: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly controller?: string | undefined;
  /** Key of the object. */
  readonly key?: string | undefined;
  /** Identifies the run. */
  readonly reconcileId?: string | undefined;
  readonly error?: unknown;
  /** Values that the program added. */
  readonly fields?: Readonly<Record<string, unknown>> | undefined;
}

/** Receives the lines of a log. */
export type LogSink = (entry: LogEntry) => void;

/** Writes lines about one run. */
export interface Log {
  debug(message: string, fields?: Readonly<Record<string, unknown>>): void;
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  /** @param error - its message is printed, never its stack. */
  error(message: string, error?: unknown, fields?: Readonly<Record<string, unknown>>): void;
}

/** Names that stand in each line of a log. */
export type LogContext = Pick<LogEntry, "controller" | "key" | "reconcileId">;

/** Returns a log whose lines go to a sink, each with the context. */
export function createLog(sink: LogSink, clock: Clock, context: LogContext = {}): Log {
  const write = (
    level: LogLevel,
    message: string,
    fields: LogEntry["fields"],
    more: Pick<LogEntry, "error"> = {},
  ) => {
    try {
      sink({ level, message, time: clock.now(), ...context, ...more, fields });
    } catch {
      // A full disk must not end the work that is logged.
    }
  };
  return {
    debug: (message, fields) => write("debug", message, fields),
    info: (message, fields) => write("info", message, fields),
    warn: (message, fields) => write("warn", message, fields),
    error: (message, error, fields) => write("error", message, fields, { error }),
  };
}

/** Returns an entry as one line: `warn shops prod/tea: message: error`. */
export function formatLogEntry({ level, controller, key, message, error }: LogEntry): string {
  const place = [controller, key].filter((part) => part !== undefined).join(" ");
  const why =
    error === undefined ? "" : `: ${error instanceof Error ? error.message : String(error)}`;
  const text = `${level} ${place === "" ? "" : `${place}: `}${message}${why}`;
  return text.replaceAll(/[\r\n]+/g, " ");
}

/** Writes warnings and errors to stderr, a line each. */
export const stderrSink: LogSink = (entry) => {
  if (entry.level === "error" || entry.level === "warn") {
    process.stderr.write(`${formatLogEntry(entry)}\n`);
  }
};
