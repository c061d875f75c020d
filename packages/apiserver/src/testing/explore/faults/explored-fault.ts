/** A status that an API server may answer instead of doing what a request asks for. */
export type RefusalStatus = 409 | 429 | 500;

/**
 * One thing that goes wrong in a run. `call` counts the operator's requests, and its calls of systems outside of the
 * cluster, from 1; `event` counts the events of one resource that it gets, from 1.
 */
export type ExploredFault =
  /** The operator stops before a call is made, or after it had its effect, and starts again. */
  | {
      readonly type: "crash";
      readonly call: number;
      readonly when: "after" | "before";
      /** Starts again only after the next user step. Default: at once. */
      readonly down?: true;
    }
  /** The call fails, and has no effect. */
  | { readonly type: "refuse"; readonly call: number; readonly status: RefusalStatus }
  /** The connection breaks: before the call has an effect, or after it. */
  | { readonly type: "lose"; readonly call: number; readonly when: "after" | "before" }
  /** The events of a resource wait, from one on: for a number of the operator's calls, or until nothing else happens. */
  | {
      readonly type: "lag";
      readonly resource: string;
      readonly event: number;
      readonly calls?: number;
      /** They also wait through the next user step. */
      readonly long?: true;
    }
  /** Like a long lag, then the watch ends and the operator lists again: it never sees the states between. */
  | {
      readonly type: "miss";
      readonly resource: string;
      readonly event: number;
      readonly long?: true;
    }
  /** The watch breaks after an event, or expires with 410. */
  | {
      readonly type: "cut";
      readonly resource: string;
      readonly event: number;
      readonly how: "break" | "expire";
    }
  /** A list or watch that accepts an old state gets one that lacks the last writes. */
  | { readonly type: "stale"; readonly call: number; readonly writes: number }
  /** The process stands still before a call, until another one has taken over. Its call is lost. */
  | { readonly type: "pause"; readonly call: number }
  /** The wall clock of the operator jumps before a call. */
  | { readonly type: "jump"; readonly call: number; readonly ms: number }
  /** A user step happens before a call that belongs to an earlier step. */
  | { readonly type: "early"; readonly step: number; readonly call: number };

/** Type of a fault that `explore()` tries. */
export type FaultType = ExploredFault["type"];

/** All types of faults. */
export const faultTypes: readonly FaultType[] = [
  "crash",
  "cut",
  "early",
  "jump",
  "lag",
  "lose",
  "miss",
  "pause",
  "refuse",
  "stale",
];

/** Returns a fault in words. */
export function faultText(fault: ExploredFault): string {
  switch (fault.type) {
    case "crash":
      return `the operator stops ${fault.when} call ${fault.call}${fault.down ? ", and starts after the next step" : ""}`;
    case "refuse":
      return `call ${fault.call} is refused with ${fault.status}`;
    case "lose":
      return `the connection breaks ${fault.when} call ${fault.call} had its effect`;
    case "lag": {
      const end =
        fault.calls === undefined
          ? `until nothing else happens${fault.long ? ", through the next step" : ""}`
          : `for ${fault.calls} call${fault.calls === 1 ? "" : "s"}`;
      return `events of ${fault.resource} wait from event ${fault.event} on, ${end}`;
    }
    case "miss":
      return `events of ${fault.resource} from event ${fault.event} on are missed${fault.long ? ", through the next step" : ""}: the operator lists again`;
    case "cut":
      return `the watch of ${fault.resource} ${fault.how === "break" ? "breaks" : "expires"} after event ${fault.event}`;
    case "stale":
      return `call ${fault.call} reads the state ${fault.writes} write${fault.writes === 1 ? "" : "s"} ago`;
    case "pause":
      return `the leader stands still before call ${fault.call}`;
    case "jump":
      return `the clock jumps by ${fault.ms} ms before call ${fault.call}`;
    case "early":
      return `step ${fault.step} happens before call ${fault.call}`;
  }
}
