import type { Live } from "typekube";
import type { ConfigMap } from "typekube/api/core/v1";
import { describe, expect, it } from "vitest";
import { differenceInOrder, differenceWithGaps } from "./event-log.js";
import { problematicKinds } from "./known-problems.js";
import { RebuiltState } from "./rebuilt-state.js";
import { runAndShrink } from "./run-and-shrink.js";
import { runStorm } from "./storm.js";
import { type StormPlan, stormPlan } from "./storm-plan.js";
import { showReport } from "./storm-report.js";
import { embeddedSubject } from "./subjects/embedded.js";

const calm = (faults: number, seed: number): StormPlan =>
  stormPlan({ seed, faults, objects: 50, without: problematicKinds() });

describe("a storm", () => {
  it("repeats exactly: the seed decides everything that is counted", async () => {
    const run = async () => {
      const { report, failure } = await runStorm(calm(200, 7), await embeddedSubject(7));
      expect(failure).toBeUndefined();
      return showReport({ ...report, heap: undefined });
    };
    expect(await run()).toBe(await run());
  });

  it("fails when one event is lost on its way to the informer, and shrinks to a few steps", {
    timeout: 600_000,
  }, async () => {
    const { steps, ...rest } = calm(100, 8);
    const middle = steps.findIndex(({ do: what }, at) => what === "quiet" && at > 300) + 1;
    const loss = {
      do: "strike",
      on: "listing",
      fault: { kind: "dropped-event", bytes: 0 },
    } as const;
    const quiet = { do: "quiet" } as const;
    const plan = {
      ...rest,
      steps: [...steps.slice(0, middle), loss, quiet, ...steps.slice(middle)],
    };
    const { result, minimal } = await runAndShrink(plan);
    expect(result.failure?.step).toBe(middle + 1);
    expect(minimal?.steps).toEqual([loss, quiet]);
  });
});

function configMap(name: string, resourceVersion: number, uid = "u1"): Live<ConfigMap> {
  const metadata = { name, uid, resourceVersion: String(resourceVersion) };
  return { apiVersion: "v1", kind: "ConfigMap", metadata } as Live<ConfigMap>;
}

describe("a rebuilt state reports", () => {
  const a1 = configMap("a", 1);
  const a2 = configMap("a", 2);
  const b3 = configMap("a", 3, "u2");
  const cases: [what: string, tell: (state: RebuiltState["handler"]) => void, problems: number][] =
    [
      [
        "nothing for a possible life cycle",
        (h) => {
          h.add?.(a1, { initial: false, moved: false });
          h.update?.(a2, a1);
          h.replaced?.(b3, a2);
          h.delete?.(b3, { finalStateUnknown: true, moved: false });
        },
        0,
      ],
      [
        "an object that is added twice",
        (h) => {
          h.add?.(a1, { initial: false, moved: false });
          h.add?.(a2, { initial: false, moved: false });
        },
        1,
      ],
      ["an update of an unknown object", (h) => h.update?.(a2, a1), 1],
      [
        "a deletion of an unknown object",
        (h) => h.delete?.(a1, { finalStateUnknown: false, moved: false }),
        1,
      ],
      [
        "an update from a state that was never delivered",
        (h) => {
          h.add?.(a1, { initial: false, moved: false });
          h.update?.(b3, a2);
        },
        2,
      ],
      [
        "a state that is delivered twice",
        (h) => {
          h.add?.(a1, { initial: false, moved: false });
          h.update?.(a1, a1);
        },
        1,
      ],
      [
        "a state older than a delivered one",
        (h) => {
          h.add?.(a2, { initial: false, moved: false });
          h.update?.(a1, a2);
        },
        1,
      ],
      [
        "an object that returns with its state from before the deletion",
        (h) => {
          h.add?.(a1, { initial: false, moved: false });
          h.delete?.(a2, { finalStateUnknown: false, moved: false });
          h.add?.(a1, { initial: false, moved: false });
        },
        1,
      ],
    ];

  it.each(cases)("the number of problems found in: %s", (_, tell, problems) => {
    const state = new RebuiltState();
    tell(state.handler);
    expect(state.takeProblems()).toHaveLength(problems);
  });
});

describe("a log of writes", () => {
  const a = { name: "a", version: "2" };
  const gone = { name: "a", version: undefined };
  const b = { name: "b", version: "3" };

  it("must be delivered step by step when there was no relist", () => {
    expect(differenceInOrder([a, b, gone], [a, b, gone])).toBeUndefined();
    expect(differenceInOrder([a, b, gone], [a, gone])).toContain("step 2 of 3 was b 3");
    expect(differenceInOrder([a, b], [a, b, gone])).toContain("was nothing");
  });

  it("may be delivered with gaps after a relist, but never reordered or with invented steps", () => {
    const all = { after: "", upTo: "9" };
    expect(differenceWithGaps([a, b, gone], [b, gone], [all], 0)).toBeUndefined();
    expect(differenceWithGaps([a, gone], [gone, a], [all], 0)).toContain(
      "after the steps that it received before",
    );
    expect(differenceWithGaps([a], [b], [all], 0)).toContain("which was not written");
  });

  it("may have only gaps that a snapshot covers, and steps lost through reordered events", () => {
    const c = { name: "c", version: "5" };
    const log = [a, b, gone, c];
    expect(differenceWithGaps(log, [a, gone, c], [{ after: "2", upTo: "3" }], 0)).toBeUndefined();
    expect(differenceWithGaps(log, [a, gone, c], [{ after: "3", upTo: "9" }], 0)).toContain(
      "never received b 3",
    );
    expect(differenceWithGaps(log, [a, b, c], [{ after: "3", upTo: "4" }], 0)).toBeUndefined();
    expect(differenceWithGaps(log, [a, b, c], [{ after: "", upTo: "3" }], 0)).toContain(
      "never received a gone",
    );
    expect(differenceWithGaps(log, [b], [], 1)).toContain("never received a 2");
    expect(differenceWithGaps(log, [b, a, gone, c], [], 0)).toContain("received a 2 after 3");
    const unseen = { ...gone, isUnseen: true };
    expect(differenceWithGaps(log, [a, b, unseen, c], [], 0)).toContain("received a gone with");
    expect(
      differenceWithGaps(log, [a, b, c, unseen], [{ after: "3", upTo: "5" }], 0),
    ).toBeUndefined();
    expect(differenceWithGaps(log, [b, c], [], 1)).toBeUndefined();
  });
});
