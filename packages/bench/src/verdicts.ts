import type { Finding } from "./findings.js";

/** The day and the size of a run, as a page tells them and {@link againText} finds them. */
export function runText(date: Date, rounds: number): string {
  return `Run of ${date.toISOString().slice(0, 10)}, ${rounds} rounds`;
}

/** A verdict as the table of goals shows it: `met`, `met, close`. */
export function shownVerdict({ verdict, isClose }: Pick<Finding, "isClose" | "verdict">): string {
  const shown = isClose ? `${verdict}, close` : verdict;
  return verdict === "met" ? shown : `**${shown}**`;
}

/**
 * What became of the verdicts of the run before: whether a sceptic who runs the benchmarks again is told the same.
 *
 * @param before - its page; without its table of goals there is nothing to tell.
 */
export function againText(before: string, findings: readonly Finding[]): string {
  const earlier = verdictsOn(before);
  const both = findings.flatMap((finding) => {
    const was = earlier.get(nameOf(finding));
    return was === undefined ? [] : [{ finding, was, is: shownVerdict(finding) }];
  });
  if (both.length === 0) {
    return "";
  }
  const turned = both.filter(({ was, is }) => isMet(was) !== isMet(is));
  const sure = turned.filter(({ was, is }) => !was.includes("close") && !is.includes("close"));
  const run = /^Run of .*$/m.exec(before)?.[0] ?? "The run before";
  const lines = turned.map(
    ({ finding, was, is }) => `- ${nameOf(finding).replace("|", "beside")}: ${was}, now ${is}`,
  );
  return `### Beside the run before

${run}: of ${both.length} goals that both measured, ${both.length - turned.length} have the same verdict${turned.length === 0 ? "" : `, ${turned.length} another, ${turned.length - sure.length} of them close in one of the runs`}.
${lines.length === 0 ? "" : `\n${lines.join("\n")}\n`}
`;
}

/** The verdicts in a page's table of goals, by what they are about. */
function verdictsOn(page: string): Map<string, string> {
  const rows = page.split("\n").flatMap((line): [string, string][] => {
    const cells = line.split("|").map((cell) => cell.trim());
    const verdict = cells.at(-2) ?? "";
    return /^(\*\*)?(not )?met/.test(verdict) ? [[`${cells[1]} | ${cells[2]}`, verdict]] : [];
  });
  return new Map(rows);
}

function nameOf({ goal }: Finding): string {
  return `${goal.what} | ${goal.baseline ?? ""}`;
}

function isMet(shown: string): boolean {
  return shown.startsWith("met");
}
