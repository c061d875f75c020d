import type { ExploredFault } from "../faults/explored-fault.js";
import { equalCalls } from "../plan/equal-calls.js";
import { type Call, callText } from "../record/call.js";

/** The faults that a search tried at one call of the operator. */
export interface CoveredCall {
  /** The call in words. */
  readonly call: string;
  /** The faults at the call, each in some run: `crash after`, `429`. */
  readonly tried: readonly string[];
}

/** The extent of a search. */
export interface Coverage {
  /**
   * The operator's calls in the run without faults, in order. Those that repeat another one at rest are left out, unless
   * faults were tried at them.
   */
  readonly calls: readonly CoveredCall[];
  /** Events of each resource that the operator got in that run, and how many kinds of faults each met at least. */
  readonly events: readonly {
    readonly resource: string;
    readonly events: number;
    readonly tried: number;
  }[];
  /** The parts that were not tried, each with the reason. */
  readonly notExplored: readonly string[];
}

/** Collects what a search tries. */
export class CoverageBook {
  readonly #calls: readonly Call[];
  readonly #events: ReadonlyMap<string, number>;
  readonly #tried: Map<number, Set<string>> = new Map();
  readonly #triedEvents: Map<string, Set<string>> = new Map();
  readonly #notExplored: Set<string> = new Set();

  constructor(calls: readonly Call[], events: ReadonlyMap<string, number>) {
    this.#calls = calls;
    this.#events = events;
  }

  /** Records the faults of a run that has only these. */
  add(struck: readonly ExploredFault[]): void {
    for (const fault of struck) {
      if ("call" in fault) {
        add(this.#tried, fault.call, faultWord(fault));
      } else {
        add(this.#triedEvents, `${fault.resource} ${fault.event}`, faultWord(fault));
      }
    }
  }

  /** Records something that was not tried. */
  leaveOut(what: string): void {
    this.#notExplored.add(what);
  }

  get coverage(): Coverage {
    const equal = equalCalls(this.#calls);
    return {
      calls: this.#calls
        .filter(({ call }) => this.#tried.has(call) || !equal.has(call))
        .map((call) => ({
          call: callText(call),
          tried: [...(this.#tried.get(call.call) ?? [])],
        })),
      events: [...this.#events].map(([resource, events]) => ({
        resource,
        events,
        tried: Math.min(
          ...Array.from(
            { length: events },
            (_, at) => this.#triedEvents.get(`${resource} ${at + 1}`)?.size ?? 0,
          ),
        ),
      })),
      notExplored: [...this.#notExplored],
    };
  }
}

function add<K>(map: Map<K, Set<string>>, key: K, value: string): void {
  const known = map.get(key);
  if (known === undefined) {
    map.set(key, new Set([value]));
  } else {
    known.add(value);
  }
}

/** Returns the kind of a fault in words, without its place. */
export function faultWord(fault: ExploredFault): string {
  switch (fault.type) {
    case "crash":
      return `crash ${fault.when}${fault.down ? " (late start)" : ""}`;
    case "lose":
      return fault.when === "after" ? "lost response" : "lost request";
    case "refuse":
      return String(fault.status);
    case "jump":
      return `clock ${fault.ms > 0 ? "ahead" : "back"}`;
    case "early":
      return `step ${fault.step} before`;
    case "stale":
      return `state ${fault.writes} writes old`;
    case "pause":
      return "leadership lost";
    case "lag":
      return `lag ${fault.calls ?? (fault.long ? "long" : "until rest")}`;
    case "miss":
      return fault.long ? "missed long" : "missed";
    case "cut":
      return fault.how;
  }
}
