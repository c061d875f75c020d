import { boundOf } from "./bounds.js";
import { type Finding, findingsOf } from "./findings.js";
import type { Footprint } from "./footprint.js";
import { goals } from "./goals.js";
import { farthestOffLine, growthTable } from "./growth.js";
import { type Machine, machineText } from "./machine.js";
import { planTasks } from "./plan.js";
import { absoluteTable, ratioTable } from "./report.js";
import type { TaskResult } from "./run-tasks.js";
import { medianConfidence } from "./statistics.js";
import { againText, runText, shownVerdict } from "./verdicts.js";

/** Input of a page. */
export interface Run {
  /** Date of the measurement. */
  readonly date: Date;
  readonly machine: Machine;
  readonly rounds: number;
  readonly results: readonly TaskResult[];
  readonly footprint?: Footprint | undefined;
}

/**
 * Renders a run as a page: goals beside figures, then everything that was measured.
 *
 * @param before - the page of the previous run, whose verdicts are compared.
 */
export function performancePage(
  { date, machine, rounds, results, footprint }: Run,
  before = "",
): string {
  const findings = findingsOf(results);
  return `# Performance

Written by \`pnpm bench --page docs/performance.md\`; no figure here comes from anywhere else, but for those that reasons take from profiles.
[packages/bench](../packages/bench) says how it is measured and what it does not cover.

\`\`\`text
${runText(date, rounds)}
${machineText(machine)}
\`\`\`

## Goals

Ratios are medians of the ratios within one of ${rounds} rounds, CPU of the main thread unless said. "floor" is undici with \`JSON.parse\`; client-go
reads protobuf and has two cores unless said. Without managedFields, and in informers, TypeKube drops those before they are decoded; all others keep them.
${intervalText(rounds)}
"close" says that the goal is within it, so that another run may say the other. The control is the floor beside itself: how far it is from 1 is noise.
"within noise" says that the figure is nearer to its goal than the control is to 1, so that the verdict says nothing.
A stop of the event loop is held against the floor's, which is one \`JSON.parse\` of the whole list: 0.025 is 50 ms where that takes two seconds.

| what | beside | goal | figure | interval | control | |
|---|---|---|---|---|---|---|
${findings.map(goalRow).join("\n")}

${missingText(results, findings)}${againText(before, findings)}${reasonsText(findings)}## Ratios

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

/** Limit of the distance from a straight line over the sizes of an informer's sync. */
const mostOffLine = 0.1;

function growthText(results: readonly TaskResult[]): string {
  const prefix = "informer-sync-";
  const table = growthTable(results, prefix);
  const off = farthestOffLine(results, prefix);
  const verdict =
    off === undefined
      ? ""
      : `TypeKube's are ${(100 * off).toFixed(0)} % off at most (goal: ≤ ${100 * mostOffLine} %, ${metText(off <= mostOffLine)}).\n`;
  return table === ""
    ? ""
    : `## Growth

What one pod costs an informer's first sync, the more pods there are; how much more than at a smaller size, at most; and how far the
sizes are from the straight line that is nearest to all of them, which they also are where a pod costs less the more there are.
${verdict}
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
      : `Installed, TypeKube is ${share.toFixed(2)} of client-node (goal: ≤ 0.35, ${metText(share <= 0.35)}). `;
  const more = typeCheck.threeGroups - typeCheck.nothing;
  return `## Before a program runs

| what is installed, with its dependencies | packages | MB |
|---|---|---|
${rows.join("\n")}

${shareText}Type-checking a file that uses three group-versions takes ${more.toFixed(2)} s more than an empty one (goal: ≤ 0.50, ${metText(more <= 0.5)}).

`;
}

function metText(isMet: boolean): string {
  return isMet ? "met" : "**not met**";
}

/** Explains the interval column. */
function intervalText(rounds: number): string {
  return rounds === 1
    ? "Of one round there is no interval, and nothing that says how near a figure is to that of another run: every verdict is close."
    : `The interval is where the median of ever more rounds would be, ${Math.round(100 * medianConfidence(rounds))} times in 100; tasks of a second have three rounds for one.`;
}

function goalRow(finding: Finding): string {
  const { goal, figure, interval, control } = finding;
  const digits = digitsOf(finding);
  const cells = [
    goal.what,
    goal.baseline ?? "",
    `≤ ${goal.most.toFixed(digits)}`,
    figure.toFixed(digits),
    finding.rounds === 1 ? "one round" : interval.map((end) => end.toFixed(digits)).join(" to "),
    control?.toFixed(digits) ?? "",
    shownVerdict(finding),
  ];
  return `| ${cells.join(" | ")} |`;
}

/** Returns enough digits for the shown figures to agree with the verdict: 0.953 is more than 0.952. */
function digitsOf({ goal, figure, verdict }: Finding): number {
  let digits = goal.baseline === undefined ? 0 : goal.metric === "blockMs" ? 3 : 2;
  const shown = (value: number) => Number(value.toFixed(digits));
  while (digits < 6 && shown(figure) <= shown(goal.most) !== (verdict === "met")) {
    digits++;
  }
  return digits;
}

/** Lists the tasks and goals of a full run that this run did not measure. */
function missingText(results: readonly TaskResult[], findings: readonly Finding[]): string {
  const measured = new Set(
    results.flatMap(({ name, rows }) =>
      rows.some(({ rounds }) => rounds.some((round) => round !== undefined)) ? [name] : [],
    ),
  );
  const tasks = planTasks(false).filter(({ name }) => !measured.has(name));
  const found = new Set(findings.map(({ goal }) => goal));
  const unseen = goals.filter((goal) => !found.has(goal));
  const lines = [
    ...(tasks.length === 0 ? [] : [`- tasks: ${tasks.map(({ name }) => name).join(", ")}`]),
    ...unseen.map(
      ({ what, baseline }) => `- goal: ${what}${baseline ? ` beside ${baseline}` : ""}`,
    ),
  ];
  return lines.length === 0 ? "" : `### Not measured in this run\n\n${lines.join("\n")}\n\n`;
}

/** Lists the reasons of missed goals, grouped by reason. */
function reasonsText(findings: readonly Finding[]): string {
  const reasons = new Map<string, Set<string>>();
  for (const { goal, floor } of findings.filter(({ verdict }) => verdict === "not met")) {
    const why = boundOf(goal) ?? "not found out yet";
    const what =
      floor === undefined
        ? goal.what
        : `${goal.what} (beside ${goal.baseline}, where the floor itself is at ${floor.toFixed(2)})`;
    reasons.set(why, (reasons.get(why) ?? new Set()).add(what));
  }
  if (reasons.size === 0) {
    return "";
  }
  const lines = [...reasons].map(([why, whats]) => `- ${[...whats].join("; ")}: ${why}.`);
  return `### What is not met, and why

Figures in a reason are of a profile made when it was written, not of this run.

${lines.join("\n")}

`;
}
