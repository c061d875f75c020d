import { manualClock } from "@typekube/test-support/manual-clock";
import {
  createClassicQueue,
  createPriorityQueue,
  exponential,
  type WorkQueue,
} from "../../../src/index.js";

export type QueueFlavour = "classic" | "priority";

/** A step of a scenario, as the Go program reads it. */
export type Step =
  | {
      readonly op: "add";
      readonly key: string;
      readonly priority: number;
      readonly afterMs: number;
    }
  | { readonly op: "done" | "forget" | "requeues" | "retry"; readonly key: string }
  | { readonly op: "advance"; readonly ms: number }
  | { readonly op: "close"; readonly drain: boolean }
  | { readonly op: "closed" }
  | { readonly op: "depth" }
  | { readonly op: "take" };

/** Steps on one queue. */
export interface Scenario {
  readonly name: string;
  readonly queue: QueueFlavour;
  readonly steps: readonly Step[];
}

/** Results of a scenario, as the Go program writes them. */
export interface ScenarioResult {
  readonly name: string;
  /** One text per step that returns something. */
  readonly returned: readonly string[];
  readonly adds: number;
  readonly retries: number;
  readonly depth: number;
  readonly waitedMs: readonly number[];
  readonly workedMs: readonly number[];
}

/** Runs a scenario on one of our queues, with the rate limiters and exact delays of its Go peer. */
export async function runScenario({
  name,
  queue: flavour,
  steps,
}: Scenario): Promise<ScenarioResult> {
  const clock = manualClock();
  const counts = { adds: 0, retries: 0, depth: 0 };
  const waitedMs: number[] = [];
  const workedMs: number[] = [];
  const observer = {
    onAdd: () => counts.adds++,
    onRetry: () => counts.retries++,
    onDepth: (_: number, change: number) => {
      counts.depth += change;
    },
    onTake: (ms: number) => waitedMs.push(Math.round(ms)),
    onDone: (ms: number) => workedMs.push(Math.round(ms)),
  };
  const queue =
    flavour === "classic"
      ? createClassicQueue({ clock, observer })
      : createPriorityQueue({ clock, observer, retryLimiter: exponential({ jitter: 0 }) });
  const returned: string[] = [];
  const closing = { isClosed: false, isDone: false };
  for (const step of steps) {
    if (step.op === "close") {
      closing.isClosed = true;
      void queue.close({ drain: step.drain }).then(() => {
        closing.isDone = true;
      });
    } else if (step.op === "advance") {
      clock.advance(step.ms);
    } else if (step.op === "closed") {
      await new Promise(setImmediate);
      returned.push(`closed ${closing.isDone}`);
    } else if (step.op === "take") {
      const taken = queue.takeNow();
      const nothing = closing.isClosed ? "closed" : "none";
      returned.push(taken ? `${taken.key} ${taken.priority}` : nothing);
    } else if (step.op === "depth") {
      returned.push(`depth ${queue.depth}`);
    } else {
      apply(queue, step, returned);
    }
  }
  return { name, returned, ...counts, waitedMs, workedMs };
}

type KeyStep = Extract<Step, { readonly key: string }>;

function apply(queue: WorkQueue, step: KeyStep, returned: string[]): void {
  switch (step.op) {
    case "add":
      queue.add(step.key, { priority: step.priority, afterMs: step.afterMs });
      break;
    case "retry":
      queue.retry(step.key);
      break;
    case "forget":
      queue.forget(step.key);
      break;
    case "done":
      queue.done(step.key);
      break;
    case "requeues":
      returned.push(`requeues ${queue.requeues(step.key)}`);
      break;
    default:
      throw step satisfies never;
  }
}
