import type { ReportWriter } from "./report-format.js";

/** Version of the JSON report. It grows when a field is removed or changes its meaning. */
const formatVersion = 1;

/** Writes one JSON object: `{ version, results, summary, versions, notes }`, with valid results, too. */
export function jsonReport(): ReportWriter {
  let count = 0;
  return {
    begin: () => `{"version":${formatVersion},"results":[`,
    result(result) {
      count += 1;
      return `${count > 1 ? "," : ""}\n${JSON.stringify(result)}`;
    },
    end: ({ versions, summary, notes }) =>
      `\n],"summary":${JSON.stringify(summary)},"versions":${JSON.stringify(versions)},"notes":${JSON.stringify(notes)}}\n`,
  };
}

/** Writes one JSON object per line: results as they come, then `{ summary, versions, notes }`. */
export function ndjsonReport(): ReportWriter {
  return {
    begin: () => "",
    result: (result) => `${JSON.stringify(result)}\n`,
    end: (facts) => `${JSON.stringify({ version: formatVersion, ...facts })}\n`,
  };
}
