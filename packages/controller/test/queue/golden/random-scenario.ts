import { manualClock } from "@typekube/test-support/manual-clock";
import { seededRandom } from "@typekube/test-support/seeded-random";
import { createClassicQueue, createPriorityQueue, exponential } from "../../../src/index.js";
import type { QueueFlavour, Scenario, Step } from "./scenario.js";

/**
 * Creates a scenario of random steps. It avoids what the Go peer leaves open or does otherwise on purpose: two delays
 * that end at one moment (client-go's heap is not stable), and, for the priority queue, adds of running keys and adds
 * that end a delay: controller-runtime orders those by the first add, and not by the moment at which they became ready.
 */
export function randomScenario(seed: number, queue: QueueFlavour, count: number): Scenario {
  const random = seededRandom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const clock = manualClock();
  const ours =
    queue === "classic"
      ? createClassicQueue({ clock })
      : createPriorityQueue({ clock, retryLimiter: exponential({ jitter: 0 }) });
  const running = new Set<string>();
  const moments = new Set<number>();
  const steps: Step[] = [];
  while (steps.length < count) {
    const key = `key-${below(8)}`;
    const choice = below(10);
    if (choice < 4) {
      const afterMs = below(2) * (1 + below(300));
      const atMs = clock.now() + afterMs;
      const isWaiting = ours.snapshot().some((entry) => entry.key === key && entry.readyAtMs);
      const isOpen = running.has(key) || (isWaiting && afterMs === 0);
      if ((afterMs > 0 && moments.has(atMs)) || (queue === "priority" && isOpen)) {
        continue;
      }
      moments.add(atMs);
      const step = { op: "add", key, priority: below(5) - 2, afterMs } as const;
      ours.add(key, step);
      steps.push(step);
    } else if (choice < 6) {
      const taken = ours.takeNow();
      if (taken !== undefined) {
        running.add(taken.key);
        steps.push({ op: "take" });
      }
    } else if (choice < 8) {
      const done = [...running][below(running.size)];
      if (done !== undefined) {
        const retryAtMs = clock.now() + 5 * 2 ** ours.requeues(done);
        if (below(2) === 0 && !moments.has(retryAtMs)) {
          moments.add(retryAtMs);
          ours.retry(done);
          steps.push({ op: "retry", key: done });
        } else {
          ours.forget(done);
          steps.push({ op: "forget", key: done });
        }
        running.delete(done);
        ours.done(done);
        steps.push({ op: "done", key: done }, { op: "depth" });
      }
    } else {
      const ms = 1 + below(60);
      clock.advance(ms);
      steps.push({ op: "advance", ms }, { op: "depth" });
    }
  }
  return { name: `${queue}: seed ${seed}`, queue, steps };
}
