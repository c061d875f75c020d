import { KubeError } from "@typekube/core";
import type { CheckReport } from "../model/check-result.js";
import { githubReport } from "./github-report.js";
import { gitlabReport } from "./gitlab-report.js";
import { jsonReport, ndjsonReport } from "./json-report.js";
import { junitReport } from "./junit-report.js";
import type { ReportOptions, ReportWriter } from "./report-format.js";
import { sarifReport } from "./sarif-report.js";
import { tapReport } from "./tap-report.js";
import { textReport } from "./text-report.js";

/** Format of a report. */
export type ReportFormat =
  | "github"
  | "gitlab"
  | "json"
  | "junit"
  | "ndjson"
  | "sarif"
  | "tap"
  | "text";

const makers: Readonly<Record<ReportFormat, (options: ReportOptions) => ReportWriter>> = {
  github: githubReport,
  gitlab: gitlabReport,
  json: jsonReport,
  junit: junitReport,
  ndjson: ndjsonReport,
  sarif: sarifReport,
  tap: tapReport,
  text: textReport,
};

/** Names of the formats. */
export const reportFormats: readonly string[] = Object.keys(makers);

/**
 * Creates the writer of a report.
 *
 * @throws {KubeError} `InvalidArgument` for an unknown format.
 */
export function createReport(format: ReportFormat, options: ReportOptions = {}): ReportWriter {
  if (!Object.hasOwn(makers, format)) {
    throw new KubeError(
      "InvalidArgument",
      `unknown report format ${JSON.stringify(format)}: expected ${reportFormats.join(", ")}`,
    );
  }
  return makers[format](options);
}

/**
 * Returns a report as text.
 *
 * @param format - `text` for people, `json` and `ndjson` for programs, `sarif`, `github`, `gitlab`, `junit` and `tap` for CI.
 * @throws {KubeError} `InvalidArgument` for an unknown format.
 */
export function formatReport(
  report: CheckReport,
  format: ReportFormat = "text",
  options: ReportOptions = {},
): string {
  const writer = createReport(format, options);
  const begin = writer.begin();
  const results = report.results.map((result) => writer.result(result)).join("");
  return `${begin}${results}${writer.end(report)}`;
}
