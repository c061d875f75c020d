import type { WatcherState } from "typekube/types";

/**
 * A range that a snapshot covers: changes after one resourceVersion and up to another need not be delivered step by
 * step.
 */
export interface Gap {
  readonly after: string;
  readonly upTo: string;
}

/** Records where an informer stopped and where its next snapshot began. */
export class GapLog {
  #leftAt: string | undefined;
  #gaps: Gap[] = [];

  /**
   * Records a state change of the informer.
   *
   * @param reached - resourceVersion up to which everything was delivered.
   */
  entered(state: WatcherState, reached: string): void {
    if (state.name === "streaming" || state.name === "listing") {
      this.#leftAt ??= reached;
    } else if (state.name === "watching" && this.#leftAt !== undefined) {
      this.#gaps.push({ after: this.#leftAt, upTo: state.resourceVersion });
      this.#leftAt = undefined;
    }
  }

  /** Returns the gaps that were closed since the last call. */
  take(): Gap[] {
    const gaps = this.#gaps;
    this.#gaps = [];
    return gaps;
  }
}
