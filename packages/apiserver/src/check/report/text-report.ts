import type { CheckResult } from "../model/check-result.js";
import type { CheckLocation, Finding, Severity } from "../model/finding.js";
import type { ReportFacts, ReportOptions, ReportWriter } from "./report-format.js";

/**
 * Writes findings for people: one line `file:line:column severity rule message`, the line of the file with a caret below,
 * the hint, and a summary.
 */
export function textReport({ color = false }: ReportOptions = {}): ReportWriter {
  const paint = color ? painted : (text: string) => text;
  return {
    begin: () => "",
    result: (result) => textOfResult(result, paint),
    end: (facts) => textOfSummary(facts, paint),
  };
}

/** Returns the text of all findings of a result; empty without any. */
export function textOfResult(
  { findings, mutation }: CheckResult,
  paint: Paint = (text) => text,
): string {
  return findings
    .map((finding) => {
      const isMutation = finding.rule === "policy-mutation";
      return textOfFinding(
        isMutation ? { ...finding, message: "mutating policies change the object" } : finding,
        paint,
        isMutation ? mutation : [],
      );
    })
    .join("");
}

type Paint = (text: string, style: Severity | "dim") => string;

function textOfFinding(finding: Finding, paint: Paint, lines: readonly string[]): string {
  const {
    location,
    severity,
    rule,
    message,
    excerpt,
    hint,
    versions,
    object,
    related = [],
  } = finding;
  const name = object === undefined ? "" : ` (${object.kind} ${object.name})`;
  const releases = versions === undefined ? "" : ` [${versions.join(", ")}]`;
  const head = `${placeOf(location)} ${paint(severity, severity)} ${rule} ${oneLine(message)}${name}${releases}`;
  return [
    head,
    ...(excerpt === undefined ? [] : caretLines(excerpt, location)),
    ...(hint === undefined ? [] : [`    ${paint(hint, "dim")}`]),
    ...related.map((one) => `    ${paint(`${one.message}: ${placeOf(one.location)}`, "dim")}`),
    ...lines.map((line) => `    ${line}`),
    "",
  ].join("\n");
}

/** Returns a location as `file:line:column`. */
export function placeOf({ source, template, document, line, column }: CheckLocation): string {
  const file = template === undefined ? source : `${source}(${template})`;
  return line === undefined ? `${file}[${document - 1}]` : `${file}:${line}:${column}`;
}

/** Characters of a quoted line in front of and after the column. */
const around = 100;

function caretLines(
  excerpt: string,
  { column = 1, line, endLine, endColumn = column + 1 }: CheckLocation,
): string[] {
  const from = Math.max(0, column - around);
  const shown = oneLine(excerpt.slice(from, column + around));
  const length = line === endLine ? Math.max(1, endColumn - column) : 1;
  const before = excerpt.slice(from, column - 1).replace(/[^\t]/g, " ");
  const carets = "^".repeat(Math.min(length, Math.max(1, shown.length - before.length)));
  return shown.trim() === "" ? [] : [`    ${shown}`, `    ${before}${carets}`];
}

/** Returns a text without characters that a terminal interprets. */
function oneLine(text: string): string {
  return text.replace(/\s*[\r\n]+\s*/g, " ").replace(/(?!\t)\p{Cc}/gu, "\ufffd");
}

function textOfSummary({ summary, notes }: ReportFacts, paint: Paint): string {
  const { checked, valid, warned, invalid, skippedBy, notEvaluated, accepted } = summary;
  const counts = [
    `${checked} checked: ${valid} valid`,
    ...(warned > 0 ? [paint(`${warned} with warnings`, "warning")] : []),
    ...(invalid > 0 ? [paint(`${invalid} invalid`, "error")] : []),
    ...Object.entries(skippedBy).map(([reason, count]) => `${count} skipped (${reason})`),
    ...(accepted > 0 ? [`${accepted} findings accepted by exceptions`] : []),
    ...(notEvaluated > 0 ? [`${notEvaluated} transition rules not evaluated (use --against)`] : []),
  ];
  return `${counts.join(", ")}\n${notes.map((note) => `note: ${note}\n`).join("")}`;
}

const codes = { error: 31, warning: 33, note: 36, dim: 2 } as const;

function painted(text: string, style: Severity | "dim"): string {
  return `\u001b[${codes[style]}m${text}\u001b[0m`;
}
