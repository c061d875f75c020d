import { nameOf } from "./junit-report.js";
import type { ReportWriter } from "./report-format.js";
import { textOfResult } from "./text-report.js";

/** Writes TAP 14: one test point per object, findings as comments. */
export function tapReport(): ReportWriter {
  let count = 0;
  return {
    begin: () => "TAP version 14\n",
    result(result) {
      count += 1;
      const { status, reason } = result;
      const skip = status === "skipped" ? ` # SKIP ${reason}` : "";
      const comments = textOfResult(result)
        .split("\n")
        .filter((line) => line !== "");
      const name = nameOf(result).replace(/[#\\]/g, "\\$&").replace(/\s+/g, " ");
      return `${status === "invalid" ? "not ok" : "ok"} ${count} - ${name}${skip}\n${comments.map((line) => `# ${line}\n`).join("")}`;
    },
    end: () => `1..${count}\n`,
  };
}
