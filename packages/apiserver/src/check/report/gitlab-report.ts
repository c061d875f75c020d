import type { Severity } from "../model/finding.js";
import type { ReportWriter } from "./report-format.js";
import { fingerprintOf } from "./sarif-report.js";

const severities: Readonly<Record<Severity, string>> = {
  error: "major",
  warning: "minor",
  note: "info",
};

/** Writes a code quality report of GitLab. */
export function gitlabReport(): ReportWriter {
  const entries: object[] = [];
  const seen = new Map<string, number>();
  return {
    begin: () => "",
    result({ findings }) {
      for (const finding of findings) {
        const key = fingerprintOf(finding);
        const count = (seen.get(key) ?? 0) + 1;
        seen.set(key, count);
        entries.push({
          description: finding.message,
          check_name: finding.rule,
          fingerprint: `${key}-${count}`,
          severity: severities[finding.severity],
          location: {
            path: finding.location.source.replace(/^(?:\.\/)+/, ""),
            lines: { begin: finding.location.line ?? 1 },
          },
        });
      }
      return "";
    },
    end: () => `${JSON.stringify(entries, undefined, 2)}\n`,
  };
}
