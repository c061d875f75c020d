import type { LoopObserver } from "../loop/loop-observer.js";
import type { ManagerEvents } from "./manager-events.js";

/** Returns an observer that publishes the runs of a controller as events of its manager. */
export function publishRuns(events: ManagerEvents): LoopObserver {
  return {
    runStarted({ controller, key, attempt }) {
      if (events.hasReaders) {
        events.publish({ type: "runStarted", controller, key, attempt });
      }
    },
    runEnded({ controller, key, attempt }, { result, error }) {
      if (!events.hasReaders) {
        return;
      }
      events.publish(
        result === "error"
          ? { type: "runFailed", controller, key, attempt, error: error as Error }
          : { type: "runEnded", controller, key, attempt, result },
      );
    },
  };
}
