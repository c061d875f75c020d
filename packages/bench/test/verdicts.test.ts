import { describe, expect, it } from "vitest";
import type { Finding } from "../src/findings.js";
import type { Goal } from "../src/goal.js";
import { performancePage } from "../src/performance-page.js";
import { againText, shownVerdict } from "../src/verdicts.js";
import { measurementOf } from "./measurement-of.js";

const goal: Goal = {
  what: "list",
  task: "list-10k",
  program: "TypeKube",
  metric: "mainMs",
  baseline: "floor",
  most: 0.5,
};

/** Returns a finding with an interval and a figure. */
function finding(...figures: [low: number, middle: number, high: number]): Finding {
  const [low, figure, high] = figures;
  return {
    goal,
    figure,
    rounds: 3,
    interval: [low, high],
    control: 1,
    floor: undefined,
    verdict: figure <= goal.most ? "met" : "not met",
    isClose: low <= goal.most && goal.most < high,
    isWithinNoise: false,
  };
}

/** Returns a page on which this is the only goal. */
function pageOf({ figure, interval, verdict, isClose }: Finding, rounds = 3): string {
  const shown = isClose ? `${verdict}, close` : verdict;
  const cells = ["list", "floor", "≤ 0.50", figure, interval.join(" to "), "1.00"];
  return `Run of 2026-01-02, ${rounds} rounds\n| ${cells.join(" | ")} | ${verdict === "met" ? shown : `**${shown}**`} |`;
}

describe("comparison with the previous run", () => {
  it("reports equal verdicts as the same", () => {
    const text = againText(pageOf(finding(0.4, 0.41, 0.45)), [finding(0.38, 0.42, 0.44)]);
    expect(text).toContain(
      "Run of 2026-01-02, 3 rounds: of 1 goals that both runs measured, 1 have the same verdict.\n",
    );
    expect(text).toContain("No figure with at least 3 rounds moved beyond the noise");
    expect(text).not.toContain("- list");
  });

  it("reports a changed verdict, and whether it was close", () => {
    const sure = againText(pageOf(finding(0.4, 0.41, 0.45)), [finding(0.6, 0.62, 0.65)]);
    expect(sure).toContain(
      "0 have the same verdict and 1 another (0 of these were close or within noise",
    );
    expect(sure).toContain("- list compared with floor: met, now **not met**\n");
    const close = againText(pageOf(finding(0.4, 0.41, 0.55)), [finding(0.6, 0.62, 0.65)]);
    expect(close).toContain("1 another (1 of these were close or within noise in one of the runs)");
    expect(close).toContain("- list compared with floor: met, close, now **not met**\n");
  });

  it("counts a verdict within noise as unsure", () => {
    const noisy = { ...finding(0.51, 0.52, 0.53), isWithinNoise: true };
    expect(shownVerdict(noisy)).toBe("**not met, within noise**");
    expect(againText(pageOf(finding(0.4, 0.41, 0.45)), [noisy])).toContain(
      "1 another (1 of these were close or within noise",
    );
  });

  it("reports an increase of a fifth when both intervals are narrower, even if the goal is still met", () => {
    const before = pageOf(finding(0.38, 0.4, 0.41));
    expect(againText(before, [finding(0.46, 0.48, 0.49)])).toContain(
      "- list compared with floor: worse, from 0.4 to 0.5\n",
    );
    expect(againText(before, [finding(0.3, 0.32, 0.33)])).toContain(
      "- list compared with floor: better,",
    );
    expect(againText(before, [finding(0.4, 0.48, 0.49)])).toContain(
      "No figure with at least 3 rounds moved",
    );
  });

  it("never reports a movement with one or two rounds", () => {
    const before = pageOf(finding(0.4, 0.4, 0.4), 2);
    expect(againText(before, [finding(0.46, 0.48, 0.49)])).not.toContain("worse");
    const now = { ...finding(0.48, 0.48, 0.48), rounds: 1 };
    expect(againText(pageOf(finding(0.4, 0.4, 0.4)), [now])).not.toContain("worse");
  });

  it("is empty for a page without goals", () => {
    expect(againText("# Performance", [finding(0.4, 0.41, 0.45)])).toBe("");
    expect(againText("", [finding(0.4, 0.41, 0.45)])).toBe("");
  });

  it("reads back a written page, whatever its units", () => {
    const machine = { cpu: "c", cores: 2, memoryGb: 1, platform: "p", node: "24", versions: {} };
    const page = (ms: number, before?: string) =>
      performancePage(
        {
          topic: "client",
          date: new Date(0),
          machine,
          rounds: 3,
          results: [
            {
              name: "embedded-create",
              pods: 1,
              count: 20_000,
              rows: [
                {
                  program: "TypeKube",
                  cell: "",
                  variant: "",
                  rounds: [measurementOf(ms), measurementOf(ms + 1), measurementOf(ms + 2)],
                },
              ],
            },
          ],
        },
        before,
      );
    expect(page(1_500, page(800))).toContain(
      "- 20,000 creates on the embedded API server, ms: worse, from 801 to 1501\n",
    );
  });
});
