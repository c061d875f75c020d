import type { Externals } from "../scenario/externals.js";
import { externalState, hasPrivateFields, hasState } from "../world/external-state.js";
import type { CallFate } from "./operator-process.js";

/**
 * Finds external systems whose state the world can't show: they have no `state()` method, and either private fields or no
 * field that a call changes.
 */
export class HiddenStates {
  readonly #externals: Externals;
  /** The visible state at the beginning, of the systems that nobody has seen change. */
  readonly #still: Map<string, string> = new Map();
  readonly #called: Set<string> = new Set();

  constructor(externals: Externals) {
    this.#externals = externals;
    for (const [name, system] of Object.entries(externals)) {
      if (!hasState(system)) {
        this.#still.set(name, externalState(system));
      }
    }
  }

  /** Returns the course of a call of a system, which is observed until its end. */
  observed(name: string, fate: CallFate): CallFate {
    return {
      ...fate,
      settle: (outcome) => {
        fate.settle(outcome);
        this.#called.add(name);
        const before = this.#still.get(name);
        if (before !== undefined && externalState(this.#externals[name]) !== before) {
          this.#still.delete(name);
        }
      },
    };
  }

  /** The parts that can't be compared, each with the reason. */
  get unexplored(): string[] {
    return Object.entries(this.#externals).flatMap(([name, system]) => {
      if (hasState(system) || !this.#called.has(name)) {
        return [];
      }
      const why = hasPrivateFields(system)
        ? "it has private fields"
        : this.#still.has(name)
          ? "its calls change nothing that can be seen"
          : undefined;
      return why === undefined
        ? []
        : [`the state of the external system ${name}: ${why}; a method state() would return it`];
    });
  }
}
