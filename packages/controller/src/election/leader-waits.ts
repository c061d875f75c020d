import { KubeError } from "@typekube/core";
import { allowManyListeners } from "@typekube/core/internal";
import type { ElectorState } from "./elector-state.js";
import type { Leadership } from "./leadership.js";

/** The calls that wait for leadership. */
export class LeaderWaits {
  readonly #waiting = new Set<(state: ElectorState) => void>();

  /** Waits until a state decides: `leader` resolves, any other than `follower` rejects. */
  wait(current: ElectorState, signal: AbortSignal | undefined): Promise<Leadership> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const end = () => {
        this.#waiting.delete(onState);
        signal?.removeEventListener("abort", onAbort);
      };
      const onAbort = () => {
        end();
        reject(signal?.reason);
      };
      const onState = (state: ElectorState) => {
        if (state.name === "follower") {
          return;
        }
        end();
        if (state.name === "leader") {
          resolve(state.leadership);
        } else {
          reject(refusalOf(state));
        }
      };
      allowManyListeners(signal);
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#waiting.add(onState);
      onState(current);
    });
  }

  /** Ends the waits that a new state decides. */
  settle(state: ElectorState): void {
    for (const onState of [...this.#waiting]) {
      onState(state);
    }
  }
}

function refusalOf(state: Exclude<ElectorState, { name: "follower" | "leader" }>): KubeError {
  switch (state.name) {
    case "lost":
      return state.error;
    case "released":
      return new KubeError("LeadershipLost", "the lease was released", {
        hint: "call rejoin() to be a candidate again",
      });
    case "stopped":
      return new KubeError("Closed", "the elector is closed");
  }
}
