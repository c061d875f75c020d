import { boundOf } from "./bounds.js";
import type { Footprint } from "./footprint.js";
import { controlOf, figureOf, type Goal, goals } from "./goals.js";
import { growthTable } from "./growth.js";
import { type Machine, machineText } from "./machine.js";
import { absoluteTable, ratioTable } from "./report.js";
import type { TaskResult } from "./run-tasks.js";

/** A run as a page: what was meant to be reached beside what was, then everything that was measured. */
export function performancePage(
  machine: Machine,
  rounds: number,
  results: readonly TaskResult[],
  footprint: Footprint | undefined,
): string {
  const rows = goals.flatMap((goal) => goalRow(goal, results));
  return `# Performance

Written by \`pnpm bench --page docs/performance.md\`; no figure here comes from anywhere else. [packages/bench](../packages/bench) says how it is
measured and what it does not cover.

\`\`\`text
${machineText(machine)}
\`\`\`

## Goals

Ratios are medians of the ratios within one of ${rounds} rounds, CPU of the main thread unless said; "floor" is undici with \`JSON.parse\`, which keeps
managedFields; client-go reads protobuf unless said. The control is the floor beside itself: how far it is from 1 is noise.

| what | beside | goal | figure | control | |
|---|---|---|---|---|---|
${rows.join("\n")}

${reasonsText(results)}## Ratios

\`\`\`text
${ratioTable(results)}
\`\`\`

${growthText(results)}${footprint === undefined ? "" : footprintText(footprint)}## Absolute figures

Medians, and half the range in percent.

\`\`\`text
${absoluteTable(results)}
\`\`\`
`;
}

function growthText(results: readonly TaskResult[]): string {
  const table = growthTable(results, "informer-sync-");
  return table === ""
    ? ""
    : `## Growth

What one pod costs an informer's first sync, the more pods there are.

\`\`\`text
${table}
\`\`\`

`;
}

function footprintText({ installed, typeCheck }: Footprint): string {
  const rows = Object.entries(installed).map(([name, size]) =>
    size === undefined
      ? `| ${name} | - | - |`
      : `| ${name} | ${size.packages} | ${size.megabytes.toFixed(1)} |`,
  );
  const [ours, theirs] = [installed["typekube"], installed["@kubernetes/client-node"]];
  const share = ours && theirs && ours.megabytes / theirs.megabytes;
  const shareText =
    share === undefined
      ? ""
      : `Installed, TypeKube is ${share.toFixed(2)} of client-node (goal: ≤ 0.35${share <= 0.35 ? "" : ", **not met**"}). `;
  const more = typeCheck.threeGroups - typeCheck.nothing;
  return `## Before a program runs

| what is installed, with its dependencies | packages | MB |
|---|---|---|
${rows.join("\n")}

${shareText}Type-checking a file that uses three group-versions takes ${more.toFixed(2)} s more than an empty one (goal: ≤ 0.50).

`;
}

function goalRow(goal: Goal, results: readonly TaskResult[]): string[] {
  const figure = figureOf(goal, results);
  if (figure === undefined) {
    return [];
  }
  const digits = goal.baseline === undefined ? 0 : 2;
  const cells = [
    goal.what,
    goal.baseline ?? "",
    `≤ ${goal.most.toFixed(digits)}`,
    figure.toFixed(digits),
    controlOf(goal, results)?.toFixed(digits) ?? "",
    isMet(goal, figure) ? "met" : "**not met**",
  ];
  return [`| ${cells.join(" | ")} |`];
}

function isMet({ most }: Goal, figure: number): boolean {
  return figure <= most;
}

const noise = "no further from the goal than two equal programs were from each other in this run";

/** Whether a figure is as near to its goal as the control row is to 1. */
function isWithinNoise(goal: Goal, results: readonly TaskResult[]): boolean {
  const figure = figureOf(goal, results) ?? Number.NaN;
  const control = controlOf(goal, results) ?? 1;
  return figure / goal.most <= Math.max(control, 1 / control);
}

/** Why goals are not reached. Those with the same reason stand together. */
function reasonsText(results: readonly TaskResult[]): string {
  const missed = goals.filter((goal) => {
    const figure = figureOf(goal, results);
    return figure !== undefined && !isMet(goal, figure);
  });
  if (missed.length === 0) {
    return "";
  }
  const reasons = new Map<string, Set<string>>();
  for (const goal of missed) {
    const why = isWithinNoise(goal, results) ? noise : (boundOf(goal) ?? "not found out yet");
    reasons.set(why, (reasons.get(why) ?? new Set()).add(goal.what));
  }
  const lines = [...reasons].map(([why, whats]) => `- ${[...whats].join("; ")}: ${why}.`);
  return `### What is not met, and why

${lines.join("\n")}

`;
}
