import type { Finding } from "../model/finding.js";
import type { ReportWriter } from "./report-format.js";

const commands = { error: "error", warning: "warning", note: "notice" } as const;

/** Writes workflow commands of GitHub Actions, which annotate the lines of a change. */
export function githubReport(): ReportWriter {
  return {
    begin: () => "",
    result: ({ findings }) => findings.map(command).join(""),
    end: () => "",
  };
}

function command({ severity, rule, message, hint, location }: Finding): string {
  const { source, line = 1, column = 1, endLine = line, endColumn } = location;
  const properties = [
    `file=${property(source)}`,
    `line=${line}`,
    `endLine=${endLine}`,
    `col=${column}`,
    ...(endColumn === undefined || endLine !== line ? [] : [`endColumn=${endColumn}`]),
    `title=${property(rule)}`,
  ];
  const text = hint === undefined ? message : `${message} (${hint})`;
  return `::${commands[severity]} ${properties.join(",")}::${data(text)}\n`;
}

function data(text: string): string {
  return text.replace(/%/g, "%25").replace(/\r/g, "%0D").replace(/\n/g, "%0A");
}

function property(text: string): string {
  return data(text).replace(/:/g, "%3A").replace(/,/g, "%2C");
}
