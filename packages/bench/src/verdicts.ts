import type { Finding } from "./findings.js";

/** Returns the date and size of a run, in the form that {@link againText} looks for on a page. */
export function runText(date: Date, rounds: number): string {
  return `Run of ${date.toISOString().slice(0, 10)}, ${rounds} rounds`;
}

/** Returns a verdict as the table of goals shows it: `met`, `met, close`, `not met, within noise`. */
export function shownVerdict({
  verdict,
  isClose,
  isWithinNoise,
}: Pick<Finding, "isClose" | "isWithinNoise" | "verdict">): string {
  const shown = [verdict, ...(isWithinNoise ? ["within noise"] : isClose ? ["close"] : [])].join(
    ", ",
  );
  return verdict === "met" ? shown : `**${shown}**`;
}

/**
 * Compares the verdicts with those of the previous run, so that readers who repeat the benchmarks see whether they get
 * the same verdicts, and lists the figures that moved by more than the noise of both runs: a goal that is met with room
 * to spare hides a slowdown.
 *
 * @param before - page of the previous run; without a table of goals the text is empty.
 */
export function againText(before: string, findings: readonly Finding[]): string {
  const earlier = rowsOn(before);
  const both = findings.flatMap((finding) => {
    const was = earlier.get(nameOf(finding));
    return was === undefined ? [] : [{ finding, was, is: shownVerdict(finding) }];
  });
  if (both.length === 0) {
    return "";
  }
  const turned = both.filter(({ was, is }) => isMet(was.verdict) !== isMet(is));
  const sure = turned.filter(({ was, is }) => !isUnsure(was.verdict) && !isUnsure(is));
  const run = /^Run of .*$/m.exec(before)?.[0] ?? "The previous run";
  const turns = turned.map(
    ({ finding, was, is }) => `- ${shownName(finding)}: ${was.verdict}, now ${is}`,
  );
  const roundsBefore = Number(/, (\d+) rounds$/.exec(run)?.[1]);
  const isSure = (finding: Finding) => Math.min(finding.rounds, roundsBefore) >= leastRounds;
  const moves = both
    .filter(({ finding }) => isSure(finding))
    .flatMap(({ finding, was }) => {
      const way = movedFrom(was.interval, finding.interval);
      return way === undefined
        ? []
        : [
            `- ${shownName(finding)}: ${way}, from ${was.figure} to ${shownLike(finding.figure, was.figure)}`,
          ];
    });
  return `### Comparison with the previous run

${run}: of ${both.length} goals that both runs measured, ${both.length - turned.length} have the same verdict${turned.length === 0 ? "" : ` and ${turned.length} another (${turned.length - sure.length} of these were close or within noise in one of the runs)`}.
${turns.length === 0 ? "" : `\n${turns.join("\n")}\n`}
${moves.length === 0 ? `No figure with at least ${leastRounds} rounds moved beyond the noise: the intervals of both runs overlap.` : `Moved beyond the noise: the intervals of both runs do not overlap.\n\n${moves.join("\n")}`}

`;
}

/** A goal's row on a page. */
interface Shown {
  readonly verdict: string;
  readonly figure: string;
  readonly interval: readonly [number, number];
}

/** Returns the rows in a page's table of goals, by goal and baseline. */
function rowsOn(page: string): Map<string, Shown> {
  const rows = page.split("\n").flatMap((line): [string, Shown][] => {
    const cells = line.split("|").map((cell) => cell.trim());
    const [, what, baseline, , figure = "", range = ""] = cells;
    const verdict = cells.at(-2) ?? "";
    if (!/^(\*\*)?(not )?met/.test(verdict)) {
      return [];
    }
    const [low = Number.NaN, high = Number.NaN] = range.split(" to ").map(Number);
    return [[`${what} | ${baseline}`, { verdict, figure, interval: [low, high] }]];
  });
  return new Map(rows);
}

/** Two rounds may agree by chance, so they give no interval. */
const leastRounds = 3;

/**
 * Smallest gap between two intervals, relative to the earlier interval's upper end, that is larger than the page's
 * rounding.
 */
const leastGap = 0.02;

/** Compares two intervals. Less is better for every goal; `Math.abs` handles negative ends. */
function movedFrom(
  [low, high]: readonly [number, number],
  [lowNow, highNow]: readonly [number, number],
): "better" | "worse" | undefined {
  const room = Math.abs(high) * leastGap;
  return lowNow > high + room ? "worse" : highNow < low - room ? "better" : undefined;
}

function shownLike(figure: number, shown: string): string {
  return figure.toFixed(shown.split(".")[1]?.length ?? 0);
}

function shownName(finding: Finding): string {
  const { what, baseline } = finding.goal;
  return baseline === undefined ? what : `${what} compared with ${baseline}`;
}

function nameOf({ goal }: Finding): string {
  return `${goal.what} | ${goal.baseline ?? ""}`;
}

function isUnsure(shown: string): boolean {
  return shown.includes("close") || shown.includes("within noise");
}

function isMet(shown: string): boolean {
  return shown.startsWith("met");
}
