import { type ExploredFault, faultText } from "../faults/explored-fault.js";
import { type Call, callText } from "./call.js";

/** Something that happened in a run. */
export type TraceEntry =
  | { readonly type: "step"; readonly atMs: number; readonly step: number; readonly name: string }
  | { readonly type: "call"; readonly atMs: number; readonly call: Call; outcome?: string }
  | {
      readonly type: "event";
      readonly atMs: number;
      readonly process: string;
      readonly text: string;
    }
  | {
      readonly type: "fault";
      readonly atMs: number;
      readonly fault: ExploredFault;
      readonly call?: Call;
    }
  /** The end of a fault that lasts for a time. */
  | { readonly type: "recovery"; readonly atMs: number; readonly text: string }
  | {
      readonly type: "process";
      readonly atMs: number;
      readonly process: string;
      readonly text: string;
    }
  | { readonly type: "note"; readonly atMs: number; readonly text: string };

/** An entry in words, for reports. */
export interface TraceLine {
  /** Milliseconds of the scenario's clock since the start. */
  readonly atMs: number;
  readonly who: string;
  readonly what: string;
  /** Response of a call. */
  readonly result: string;
  readonly type: TraceEntry["type"];
}

/** Returns an entry in words. */
export function traceLine(entry: TraceEntry): TraceLine {
  const { atMs, type } = entry;
  switch (entry.type) {
    case "step":
      return { atMs, type, who: "user", what: `step ${entry.step}: ${entry.name}`, result: "" };
    case "call":
      return {
        atMs,
        type,
        who: entry.call.process,
        what: `${entry.call.call}. ${callText(entry.call)}`,
        result: entry.outcome ?? "no answer",
      };
    case "event":
      return { atMs, type, who: entry.process, what: `sees ${entry.text}`, result: "" };
    case "fault":
      return { atMs, type, who: "fault", what: faultText(entry.fault), result: "" };
    case "recovery":
      return { atMs, type, who: "fault", what: entry.text, result: "" };
    case "process":
      return { atMs, type, who: entry.process, what: entry.text, result: "" };
    case "note":
      return { atMs, type, who: "explorer", what: entry.text, result: "" };
  }
}

/**
 * Returns the lines that a person needs to understand a run: steps, faults, starts, and calls that wrote. It ends with what
 * went wrong.
 *
 * @param end - position of the note that says what went wrong.
 */
export function essentialLines(entries: readonly TraceEntry[], end: number): TraceLine[] {
  return entries
    .slice(0, end + 1)
    .filter(({ type, ...entry }) => type !== "event" && !(type === "call" && isRead(entry)))
    .map(traceLine);
}

function isRead(entry: object): boolean {
  const { isWrite, isExternal } = (entry as { readonly call: Call }).call;
  return !(isWrite || isExternal);
}
