import type { QueueFlavour, Scenario, Step } from "./scenario.js";

/** Reads a step: `add KEY PRIORITY AFTER_MS`, `retry KEY`, `take`, `done KEY`, `advance MS` and so on. */
function readStep(text: string): Step {
  const [op, first = "", second = "0", third = "0"] = text.trim().split(/\s+/);
  switch (op) {
    case "add":
      return { op, key: first, priority: Number(second), afterMs: Number(third) };
    case "done":
    case "forget":
    case "requeues":
    case "retry":
      return { op, key: first };
    case "advance":
      return { op, ms: Number(first) };
    case "close":
      return { op, drain: first === "drain" };
    case "closed":
    case "depth":
    case "take":
      return { op };
    default:
      throw new Error(`unknown step: ${text}`);
  }
}

function scenarioOf(name: string, queue: QueueFlavour, text: string): Scenario {
  return { name: `${queue}: ${name}`, queue, steps: text.split(";").map(readStep) };
}

/** Scenarios in which both queues agree with their Go peer. */
const common: Readonly<Record<string, string>> = {
  "CQ1 order and duplicates": "add a; add a; add b; add a; depth; take; take; take; depth",
  "CQ9 the earliest delay":
    "add a 0 10000; add a 0 5000; add a 0 20000; depth; advance 4999; depth; advance 1; depth; take; done a; advance 20000; take",
  "CQ13 the order of becoming ready":
    "add x 0 100; add y 0 90; add z 0 50; advance 60; add ready; advance 40; take; take; take; take",
  "CQ14 back-off of one key": Array.from(
    { length: 21 },
    () => "retry a; advance 1000000; take; done a",
  ).join("; "),
  "CQ15 forgetting failures":
    "retry a; retry a; requeues a; forget a; requeues a; advance 10; take; retry a; done a; advance 4; take; advance 1; take",
  "CQ17 200 retries at one moment": `${Array.from({ length: 200 }, (_, i) => `retry k${i}`).join("; ")}; advance 5; depth; advance 500; depth; advance 9000; depth; advance 1000; depth`,
  "CQ5 adds after closing": "close; add a; add b 0 5; advance 10; depth; take; take",
  "CM20 waits and work":
    "add a; advance 50; take; advance 25; done a; add a 0 10; advance 17; take; add b; advance 3; take; done a",
};

const classic: Readonly<Record<string, string>> = {
  "CQ2 added during its run":
    "add a; take; add a; add a; add b; depth; add a; done a; depth; take; take; done b; done a; take",
  "CQ10 a delay stands apart":
    "add a 0 10000; advance 2000; add a; take; done a; advance 8000; take; done a; take",
  "CQ10 a delayed add of a ready key": "add a; add a 0 10; advance 10; take; done a; take",
  "CQ6 ready keys after closing":
    "add a; add b; add c 0 5; close; closed; take; advance 10; take; take; take",
  "U3 draining":
    "add a; add b; take; take; close drain; closed; done a; closed; done b; closed; take",
  "U3 an added key after closing": "add a; take; add a; close; done a; take; take",
};

const priority: Readonly<Record<string, string>> = {
  "CQ20 priorities":
    "add a; add low -100; add high 10; add b; add high2 10; take; take; take; take; take",
  "CQ21 a rising priority":
    "add a; add b; add c; add x 10; add b 10; add a -50; take; take; take; take",
  "CQ21 the highest priority and the earliest moment":
    "add a -100 100; add a 5 200; add b 3 50; add b -1; take; advance 100; take",
  "CQ21 a rising priority of waiting keys":
    "add a 0 100; add b 0 100; add a 1 100; add b 1 100; add c 1 100; advance 100; take; take; take",
  "CQ21 a retried key keeps its priority":
    "add a 7; add b -100; add c 3; take; take; take; retry a; retry b; retry c; done b; done a; done c; advance 5; take; take; take",
  "CQ10 an add ends the delay":
    "add a 0 10000; advance 2000; add a; take; done a; advance 20000; take",
  "CQ10 a delayed add of a ready key":
    "add a; add b; add a 5 10000; take; done a; take; advance 10000; take",
  "CQ2 added during its run": "add a; take; add a 3; add a 1; done a; take; done a; take",
  "CQ30 an add during the back-off":
    "retry a; retry a; add a; take; requeues a; retry a; done a; advance 19; take; advance 1; take",
  "CQ7 closing drops delayed keys":
    "add a; add b 0 5; take; close; advance 10; take; done a; closed; take",
};

/**
 * Scenarios for both queues. They leave out what we do otherwise on purpose: closing the priority queue waits for the runs
 * and takes the dropped keys out of the depth, which controller-runtime does not; draining waits for the ready keys, too.
 */
export const scenarios: readonly Scenario[] = [
  ...Object.entries({ ...common, ...classic }).map(([name, text]) =>
    scenarioOf(name, "classic", text),
  ),
  ...Object.entries({ ...common, ...priority }).map(([name, text]) =>
    scenarioOf(name, "priority", text),
  ),
];
