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
import { type TopicName, topicNames, topicOf, topics } from "./topics.js";
import { againText, runText, shownVerdict } from "./verdicts.js";

/** Input of a page. */
export interface Run {
  readonly topic: TopicName;
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
  { topic, date, machine, rounds, results, footprint }: Run,
  before = "",
): string {
  const findings = findingsOf(results);
  const { title, subject, page, notes } = topics[topic];
  const command = topic === "client" ? "" : `--topic ${topic} `;
  return `# ${title}

${subject} \`pnpm bench ${command}--page ${page}\` writes this page. All figures are from that run, except
those in the reasons for missed goals, which are from profiles. [packages/bench](../packages/bench) describes the method and its limits.

${otherPages(topic)}

\`\`\`text
${runText(date, rounds)}
${machineText(machine)}
\`\`\`

## Goals

- Ratios are medians of the ratios within each of ${rounds} rounds, of main-thread CPU unless stated otherwise.
${notes.map((note) => `- ${note}`).join("\n")}
- ${intervalText(rounds)}
- "close": the goal lies within the interval, so another run may have the other verdict.

| measurement | compared with | goal | figure | interval | control | verdict |
|---|---|---|---|---|---|---|
${findings.map(goalRow).join("\n")}

${missingText(topic, results, findings)}${againText(before, findings)}${reasonsText(findings)}## Ratios

${topic === "client" ? '"lean" rows are without managedFields, and "shared" rows share equal parts of objects. ' : ""}\`main\` is CPU of the main thread, \`cpu\` that of all threads, \`rss\` the peak memory,
\`kept\` the memory that the result keeps after garbage collection, \`block\` the longest event loop block.

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
      : `TypeKube's sizes are at most ${(100 * off).toFixed(0)} % off the line (goal: ≤ ${100 * mostOffLine} %, ${metText(off <= mostOffLine)}).\n`;
  return table === ""
    ? ""
    : `## Growth

Cost of one pod in an informer's first sync, by number of pods. "increase" is the largest increase over a smaller size. "off line" is the largest distance of a size
from the straight line that is nearest to all sizes; it also grows when pods cost less at larger sizes.
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
      : `TypeKube's installed size is ${share.toFixed(2)} of client-node's (goal: ≤ 0.35, ${metText(share <= 0.35)}). `;
  const more = typeCheck.threeGroups - typeCheck.nothing;
  return `## Installation and type checking

| package with its dependencies | packages | MB |
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
    ? "One round has no interval. Another run may have other figures, so every verdict is close."
    : `The interval contains the true median, that of unlimited rounds, with a probability of ${Math.round(100 * medianConfidence(rounds))} %. Tasks of about a second have three times as many rounds.`;
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

/** Links the pages of the other parts. */
function otherPages(topic: TopicName): string {
  const links = topicNames
    .filter((name) => name !== topic)
    .map((name) => `[${topics[name].title}](${topics[name].page.replace("docs/", "")})`);
  return `Other pages: ${links.join(", ")}.`;
}

/** Lists the tasks and goals of a full run of the topic that this run did not measure. */
function missingText(
  topic: TopicName,
  results: readonly TaskResult[],
  findings: readonly Finding[],
): string {
  const measured = new Set(
    results.flatMap(({ name, rows }) =>
      rows.some(({ rounds }) => rounds.some((round) => round !== undefined)) ? [name] : [],
    ),
  );
  const tasks = planTasks(false).filter(
    ({ name }) => topicOf(name) === topic && !measured.has(name),
  );
  const found = new Set(findings.map(({ goal }) => goal));
  const unseen = goals.filter((goal) => topicOf(goal.task) === topic && !found.has(goal));
  const lines = [
    ...(tasks.length === 0 ? [] : [`- tasks: ${tasks.map(({ name }) => name).join(", ")}`]),
    ...unseen.map(
      ({ what, baseline }) => `- goal: ${what}${baseline ? ` compared with ${baseline}` : ""}`,
    ),
  ];
  return lines.length === 0 ? "" : `### Not measured in this run\n\n${lines.join("\n")}\n\n`;
}

/** Lists the reasons of missed goals, grouped by reason. */
function reasonsText(findings: readonly Finding[]): string {
  const reasons = new Map<string, Set<string>>();
  for (const { goal, floor } of findings.filter(({ verdict }) => verdict === "not met")) {
    const why = boundOf(goal) ?? "not known yet";
    const what =
      floor === undefined
        ? goal.what
        : `${goal.what} (compared with ${goal.baseline}; the floor itself is at ${floor.toFixed(2)})`;
    reasons.set(why, (reasons.get(why) ?? new Set()).add(what));
  }
  if (reasons.size === 0) {
    return "";
  }
  const lines = [...reasons].map(([why, whats]) => `- ${[...whats].join("; ")}: ${why}.`);
  return `### Missed goals and reasons

Figures in a reason are from a profile at the time of writing, not from this run.

${lines.join("\n")}

`;
}
