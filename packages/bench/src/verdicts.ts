import type { Finding } from "./findings.js";

/** The day and the size of a run, as a page tells them and {@link againText} finds them. */
export function runText(date: Date, rounds: number): string {
  return `Run of ${date.toISOString().slice(0, 10)}, ${rounds} rounds`;
}

/** A verdict as the table of goals shows it: `met`, `met, close`, `not met, within noise`. */
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
 * What became of the verdicts of the run before, so that a sceptic who runs the benchmarks again sees whether he is told the same, and
 * which figures moved by more than either run's noise: a goal that is met with room says nothing of what became slower.
 *
 * @param before - its page; without its table of goals there is nothing to tell.
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
  const run = /^Run of .*$/m.exec(before)?.[0] ?? "The run before";
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
            `- ${shownName(finding)}: ${way}, ${was.figure} before and ${shownLike(finding.figure, was.figure)} now`,
          ];
    });
  return `### Beside the run before

${run}: of ${both.length} goals that both measured, ${both.length - turned.length} have the same verdict${turned.length === 0 ? "" : `, ${turned.length} another, ${turned.length - sure.length} of them close or within noise in one of the runs`}.
${turns.length === 0 ? "" : `\n${turns.join("\n")}\n`}
${moves.length === 0 ? `No figure of ${leastRounds} rounds moved by more than the noise: the intervals of both runs meet.` : `Moved by more than the noise, so that the intervals of both runs do not meet:\n\n${moves.join("\n")}`}

`;
}

/** What a page says of a goal. */
interface Shown {
  readonly verdict: string;
  readonly figure: string;
  readonly interval: readonly [number, number];
}

/** The rows of a page's table of goals, by what they are about. */
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

/** Two rounds that agree by chance are no interval. */
const leastRounds = 3;

/** More than this of the smaller end between two intervals is more than how a page rounds them. */
const leastGap = 0.02;

/** Less is better, in every goal but for what is less than nothing. */
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
  return baseline === undefined ? what : `${what} beside ${baseline}`;
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
