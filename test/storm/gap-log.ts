import type { WatcherState } from "typekube/types";

/** What a new picture stands for: whatever happened after one version and up to another need not be told step by step. */
export interface Gap {
  readonly after: string;
  readonly upTo: string;
}

/** Notes where an informer left off and where its next picture began. */
export class GapLog {
  #leftAt: string | undefined;
  #gaps: Gap[] = [];

  /**
   * The informer is in another state.
   *
   * @param reached - the version up to which everything was told.
   */
  entered(state: WatcherState, reached: string): void {
    if (state.name === "streaming" || state.name === "listing") {
      this.#leftAt ??= reached;
    } else if (state.name === "watching" && this.#leftAt !== undefined) {
      this.#gaps.push({ after: this.#leftAt, upTo: state.resourceVersion });
      this.#leftAt = undefined;
    }
  }

  /** The gaps that were closed since the last call. */
  take(): Gap[] {
    const gaps = this.#gaps;
    this.#gaps = [];
    return gaps;
  }
}
