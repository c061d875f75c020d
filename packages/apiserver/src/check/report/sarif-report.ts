import { createHash } from "node:crypto";
import { checkRules } from "../model/check-rules.js";
import type { CheckLocation, Finding, Severity } from "../model/finding.js";
import type { ReportWriter } from "./report-format.js";

const levels: Readonly<Record<Severity, string>> = {
  error: "error",
  warning: "warning",
  note: "note",
};

/** Writes SARIF 2.1.0, which code hosts show beside the lines of a change. */
export function sarifReport(): ReportWriter {
  const findings: Finding[] = [];
  return {
    begin: () => "",
    result(result) {
      findings.push(...result.findings);
      return "";
    },
    end: () => `${JSON.stringify(sarifOf(findings), undefined, 2)}\n`,
  };
}

function sarifOf(findings: readonly Finding[]): object {
  const ids = Object.keys(checkRules);
  const seen = new Map<string, number>();
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "typekube check",
            informationUri: "https://github.com/typekube/typekube",
            rules: Object.entries(checkRules).map(([id, { severity, description }]) => ({
              id,
              shortDescription: { text: description },
              defaultConfiguration: { level: levels[severity] },
            })),
          },
        },
        columnKind: "utf16CodeUnits",
        results: findings.map((finding) => {
          const key = fingerprintOf(finding);
          const count = (seen.get(key) ?? 0) + 1;
          seen.set(key, count);
          return {
            ruleId: finding.rule,
            ruleIndex: ids.indexOf(finding.rule),
            level: levels[finding.severity],
            message: { text: textOf(finding) },
            locations: [{ physicalLocation: physicalLocation(finding.location) }],
            ...(finding.related && {
              relatedLocations: finding.related.map(({ message, location }, id) => ({
                id,
                message: { text: message },
                physicalLocation: physicalLocation(location),
              })),
            }),
            partialFingerprints: { "typekubeCheck/v1": `${key}:${count}` },
          };
        }),
      },
    ],
  };
}

function textOf({ message, hint }: Finding): string {
  return hint === undefined ? message : `${message} (${hint})`;
}

function physicalLocation({
  source,
  line = 1,
  column = 1,
  endLine,
  endColumn,
}: CheckLocation): object {
  return {
    artifactLocation: { uri: uriOf(source) },
    region: {
      startLine: line,
      startColumn: column,
      ...(endLine && { endLine }),
      ...(endColumn && { endColumn }),
    },
  };
}

/** Returns a relative URI of a path. */
function uriOf(path: string): string {
  const relative = path
    .replaceAll("\\", "/")
    .replace(/^(?:\.\/)+/, "")
    .replace(/^\/+/, "");
  return relative.split("/").map(encodeURIComponent).join("/");
}

/** Identifies a finding without its line, so that it stays the same when lines move. */
export function fingerprintOf({ rule, object, field, message, location }: Finding): string {
  const { apiVersion = "", kind = "", namespace = "", name = "" } = object ?? {};
  const parts = [rule, location.source, apiVersion, kind, namespace, name, field ?? "", message];
  return createHash("sha256").update(parts.join("\n")).digest("hex").slice(0, 32);
}
