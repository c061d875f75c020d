import type { LogEvent, LogGap, LogRestart } from "./log-event.js";
import type { LogForms, LogOptions } from "./log-options.js";
import { textOf } from "./text-of.js";

/** Creates the items of a log. `undefined` leaves one out. */
export interface LogView<T> {
  /**
   * @param start - index of the time of the line.
   * @param text - index of its text; equals `start` for a line without a time.
   * @param isPart - `true` when the line goes on in the next call.
   */
  line(bytes: Buffer, start: number, text: number, end: number, isPart: boolean): T | undefined;
  mark(mark: LogGap | LogRestart): T | undefined;
}

/** Views that `logs` offers. Those without events report a gap and a split line through `warn`. */
export function logView(
  options: LogForms & LogOptions,
  warn: (text: string) => void,
): LogView<unknown> {
  const { events, json, raw, timestamps = false, grep } = options;
  if (events) {
    return filtered(grep, eventView(timestamps));
  }
  const mark = (given: LogGap | LogRestart): undefined => {
    if (given.type === "gap") {
      warn(
        `lines of the log may be missing after ${given.after || "its beginning"}: ${given.reason}`,
      );
    }
  };
  const from = (start: number, text: number) => (timestamps ? start : text);
  if (raw) {
    return filtered(grep, {
      line: (bytes, start, text, end) => Buffer.from(bytes.subarray(from(start, text), end)),
      mark,
    });
  }
  if (json) {
    return filtered(grep, {
      line: (bytes, _start, text, end) => jsonOrText(textOf(bytes, text, end)),
      mark,
    });
  }
  return filtered(grep, {
    line: (bytes, start, text, end) => textOf(bytes, from(start, text), end),
    mark,
  });
}

/** Returns the view with events. */
function eventView(timestamps: boolean): LogView<LogEvent> {
  return {
    line: (bytes, start, text, end, isPart) => ({
      type: "line",
      time: text > start ? bytes.toString("latin1", start, text - 1) : "",
      text: textOf(bytes, timestamps ? start : text, end),
      isPart,
    }),
    mark: (mark) => mark,
  };
}

function filtered<T>(grep: LogOptions["grep"], view: LogView<T>): LogView<T> {
  return grep === undefined
    ? view
    : {
        line: (bytes, start, text, end, isPart) =>
          grep(textOf(bytes, text, end)) ? view.line(bytes, start, text, end, isPart) : undefined,
        mark: view.mark,
      };
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Programs also print what is not JSON: a stack trace, the banner of a runtime.
    return text;
  }
}
