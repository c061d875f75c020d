import { boundOf } from "./bounds.js";
import { type Finding, findingsOf } from "./findings.js";
import type { Footprint } from "./footprint.js";
import { growthTable } from "./growth.js";
import { type Machine, machineText } from "./machine.js";
import { absoluteTable, ratioTable } from "./report.js";
import type { TaskResult } from "./run-tasks.js";
import { againText, runText, shownVerdict } from "./verdicts.js";

/** What a page is made of. */
export interface Run {
  /** Of the day on which it was measured. */
  readonly date: Date;
  readonly machine: Machine;
  readonly rounds: number;
  readonly results: readonly TaskResult[];
  readonly footprint?: Footprint | undefined;
}

/**
 * A run as a page: what was meant to be reached beside what was, then everything that was measured.
 *
 * @param before - the page of the run before, whose verdicts are compared.
 */
export function performancePage(
  { date, machine, rounds, results, footprint }: Run,
  before = "",
): string {
  const findings = findingsOf(results);
  return `# Performance

Written by \`pnpm bench --page docs/performance.md\`; no figure here comes from anywhere else. [packages/bench](../packages/bench) says how it is
measured and what it does not cover.

\`\`\`text
${runText(date, rounds)}
${machineText(machine)}
\`\`\`

## Goals

Ratios are medians of the ratios within one of ${rounds} rounds, CPU of the main thread unless said; "floor" is undici with \`JSON.parse\`, which keeps
managedFields; client-go reads protobuf unless said. The interval is where the median of ever more rounds would be, nine times in ten; "close"
says that the goal is within it, so that another run may say the other. The control is the floor beside itself: how far it is from 1 is noise.
A stop of the event loop is held against the floor's, which is one \`JSON.parse\` of the whole list: 0.025 is 50 ms where that takes two seconds.

| what | beside | goal | figure | interval | control | |
|---|---|---|---|---|---|---|
${findings.map(goalRow).join("\n")}

${againText(before, findings)}${reasonsText(findings)}## Ratios

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

function goalRow({ goal, figure, interval, control, ...rest }: Finding): string {
  const digits = goal.baseline === undefined ? 0 : goal.metric === "blockMs" ? 3 : 2;
  const cells = [
    goal.what,
    goal.baseline ?? "",
    `≤ ${goal.most.toFixed(digits)}`,
    figure.toFixed(digits),
    interval.map((end) => end.toFixed(digits)).join(" to "),
    control?.toFixed(digits) ?? "",
    shownVerdict(rest),
  ];
  return `| ${cells.join(" | ")} |`;
}

/** Why goals are not reached. Those with the same reason stand together. */
function reasonsText(findings: readonly Finding[]): string {
  const reasons = new Map<string, Set<string>>();
  for (const { goal } of findings.filter(({ verdict }) => verdict === "not met")) {
    const why = boundOf(goal) ?? "not found out yet";
    reasons.set(why, (reasons.get(why) ?? new Set()).add(goal.what));
  }
  if (reasons.size === 0) {
    return "";
  }
  const lines = [...reasons].map(([why, whats]) => `- ${[...whats].join("; ")}: ${why}.`);
  return `### What is not met, and why

${lines.join("\n")}

`;
}
