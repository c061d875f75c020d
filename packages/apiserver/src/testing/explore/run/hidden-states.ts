import type { Externals } from "../scenario/externals.js";
import { externalState, hasPrivateFields, hasState } from "../world/external-state.js";
import type { CallFate } from "./operator-process.js";

/**
 * Finds external systems whose state the world can't show: they have no `state()` method, and either private fields or no
 * field that a call changes.
 */
export class HiddenStates {
  readonly #externals: Externals;
  readonly #called: Set<string> = new Set();
  readonly #changed: Set<string> = new Set();
  /** Systems with a call that returned nothing and changed nothing: what else would it be for? */
  readonly #silent: Set<string> = new Set();

  constructor(externals: Externals) {
    this.#externals = externals;
  }

  /** Returns the course of a call of a system, which is observed until its end. */
  observed(name: string, fate: CallFate): CallFate {
    return {
      ...fate,
      observe: (effect) => {
        fate.observe?.(effect);
        this.#called.add(name);
        if (effect.isChange) {
          this.#changed.add(name);
        } else if (!effect.hasResult) {
          this.#silent.add(name);
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
        : this.#isHidden(name, system)
          ? "its calls change nothing that can be seen"
          : undefined;
      return why === undefined
        ? []
        : [`the state of the external system ${name}: ${why}; a method state() would return it`];
    });
  }

  /** Returns whether the calls of a system change something that can't be seen. A system with a state may only be read. */
  #isHidden(name: string, system: object): boolean {
    const hasNothing = ["{}", "[]"].includes(externalState(system, name));
    return !this.#changed.has(name) && (hasNothing || this.#silent.has(name));
  }
}
