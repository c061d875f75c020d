import type { ExploredFault } from "../faults/explored-fault.js";

/** A fault of one type. */
export type FaultOf<Type extends ExploredFault["type"]> = Extract<
  ExploredFault,
  { readonly type: Type }
>;

/** A fault at a call. */
export type FaultAtCall = Extract<ExploredFault, { readonly call: number }>;

/** The faults of one run, by the moment at which they occur. Each occurs once. */
export class FaultSchedule {
  readonly #left: Set<ExploredFault>;
  /** The faults that occurred. */
  readonly struck: ExploredFault[] = [];

  constructor(faults: readonly ExploredFault[]) {
    this.#left = new Set(faults);
  }

  /** True for a run without faults. */
  get isEmpty(): boolean {
    return this.#left.size === 0 && this.struck.length === 0;
  }

  /**
   * Takes the faults at a call.
   *
   * @param isPossible - returns whether a fault can occur at this call. One that can't counts as one that did not occur.
   */
  atCall(call: number, isPossible: (fault: FaultAtCall) => boolean): FaultAtCall[] {
    return this.#take(
      (fault) => "call" in fault && fault.call === call && isPossible(fault),
    ) as FaultAtCall[];
  }

  /** Takes the faults of one type at an event of a resource. */
  atEvent<Type extends ExploredFault["type"]>(
    resource: string,
    event: number,
    ...types: readonly Type[]
  ): FaultOf<Type>[] {
    return this.#take(
      (fault) =>
        "resource" in fault &&
        fault.resource === resource &&
        fault.event === event &&
        types.some((type) => type === fault.type),
    ) as FaultOf<Type>[];
  }

  #take(matches: (fault: ExploredFault) => boolean): ExploredFault[] {
    const taken: ExploredFault[] = [];
    if (this.#left.size > 0) {
      for (const fault of this.#left) {
        if (matches(fault)) {
          this.#left.delete(fault);
          this.struck.push(fault);
          taken.push(fault);
        }
      }
    }
    return taken;
  }
}
