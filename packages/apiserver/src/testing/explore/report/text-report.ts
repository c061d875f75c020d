import type { Exploration } from "../exploration.js";
import { faultText } from "../faults/explored-fault.js";
import type { Finding } from "../findings/finding.js";
import { plural } from "./plural.js";

/** The part of a result that reports show. */
export type Searched = Pick<
  Exploration,
  "absentFaults" | "coverage" | "findings" | "known" | "name" | "runs" | "seed"
>;

/** Returns a search as text. Equal for equal seeds. */
export function textReport(searched: Searched): string {
  const { name, seed, runs, findings, known, absentFaults, coverage } = searched;
  const title = name === undefined ? "" : `${name}: `;
  const absent =
    absentFaults.length === 0 ? "" : `; ${plural(absentFaults.length, "fault")} did not occur`;
  const lines = [
    `${title}${plural(findings.length, "finding")}${known.length === 0 ? "" : `, ${known.length} known`} in ${plural(runs, "run")}, seed ${seed}${absent}`,
    ...findings.flatMap((finding, at) => ["", ...findingLines(finding, at + 1)]),
    ...(absentFaults.length === 0 ? [] : ["", ...absentLines(absentFaults)]),
    ...(known.length === 0 ? [] : ["", "known:", ...known.flatMap(knownLines)]),
    "",
    "what was tried at the calls of the run without faults:",
    ...coverage.calls.map(({ call, tried }) => `  ${call}: ${tried.join(", ") || "nothing"}`),
    ...coverage.events.map(
      ({ resource, events, tried }) =>
        `  ${plural(events, "event")} of ${resource}: ${plural(tried, "fault")} at each`,
    ),
  ];
  if (coverage.notExplored.length > 0) {
    lines.push("", "not explored:", ...coverage.notExplored.map((what) => `  ${what}`));
  }
  return `${lines.join("\n")}\n`;
}

function absentLines(faults: Searched["absentFaults"]): string[] {
  return ["did not occur:", ...faults.map((fault) => `  ${faultText(fault)}`)];
}

function knownLines({ kind, message, alsoIn, replay }: Finding): string[] {
  return [`  ${kind}: ${message}`, `    ${alsoInText(alsoIn)}`, `    ${replay}`];
}

/** Returns in words how many further runs failed like a finding. */
export function alsoInText({ runs, faults }: Finding["alsoIn"]): string {
  return runs === 0
    ? "no other run fails in the same way"
    : `${plural(runs, "other run")}, with ${plural(faults, "different fault")}, ${runs === 1 ? "fails" : "fail"} in the same way, and ${runs === 1 ? "is" : "are"} not shown`;
}

/** Most lines of one run that are shown, from its beginning and from its end. */
const shownLines = { first: 30, last: 5 };

/** Returns one finding as lines of text. */
export function findingLines(
  { kind, message, faults, lines, difference, advice, seed, alsoIn, replay }: Finding,
  number: number,
): string[] {
  return [
    `${number}. ${kind}: ${message}`,
    `   ${faults.length === 0 ? "without any fault" : `when ${faults.map(faultText).join(", and ")}`}${seed === undefined ? "" : ` (seed ${seed})`}`,
    "",
    ...runLines(lines),
    ...(difference.length === 0
      ? []
      : [
          "",
          "   the world, beside the one without faults:",
          ...difference.map((line) => `   ${line}`),
        ]),
    "",
    ...(advice === undefined ? [] : [`   ${advice}`]),
    ...(alsoIn.runs === 0 ? [] : [`   ${alsoInText(alsoIn)}`]),
    `   repeat it: explore(scenario, { replay: '${replay}' })`,
  ];
}

/** Returns the events of a run as lines of text. */
export function runLines(lines: Finding["lines"]): string[] {
  const time = Math.max(...lines.map(({ atMs }) => String(atMs).length), 2);
  const who = Math.max(...lines.map((line) => line.who.length), 3);
  return shortened(
    lines.map(
      (line) =>
        `   ${String(line.atMs).padStart(time)} ms  ${line.who.padEnd(who)}  ${line.what}${line.result === "" ? "" : ` → ${line.result}`}`,
    ),
  );
}

function shortened(lines: readonly string[]): string[] {
  const { first, last } = shownLines;
  const left = lines.length - first - last;
  return left <= 0
    ? [...lines]
    : [...lines.slice(0, first), `   … ${left} more`, ...lines.slice(-last)];
}
