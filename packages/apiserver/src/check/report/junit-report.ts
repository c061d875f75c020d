import type { CheckResult } from "../model/check-result.js";
import type { ReportWriter } from "./report-format.js";
import { placeOf, textOfResult } from "./text-report.js";

/** Writes JUnit XML: one suite per source, one case per object. */
export function junitReport(): ReportWriter {
  const bySource = new Map<string, CheckResult[]>();
  return {
    begin: () => "",
    result(result) {
      const { source } = result.location;
      const results = bySource.get(source) ?? [];
      results.push(result);
      bySource.set(source, results);
      return "";
    },
    end() {
      const all = [...bySource.values()].flat();
      const suites = [...bySource].map(([source, results]) => suite(source, results));
      return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="typekube check"${counts(all)}>\n${suites.join("")}</testsuites>\n`;
    },
  };
}

function counts(results: readonly CheckResult[]): string {
  const number = (status: CheckResult["status"]) =>
    results.filter((one) => one.status === status).length;
  return ` tests="${results.length}" failures="${number("invalid")}" errors="0"`;
}

function suite(source: string, results: readonly CheckResult[]): string {
  const skipped = results.filter(({ status }) => status === "skipped").length;
  const cases = results.map((result) => testCase(result)).join("");
  return `  <testsuite name="${xml(source)}"${counts(results)} skipped="${skipped}">\n${cases}  </testsuite>\n`;
}

function testCase(result: CheckResult): string {
  const { status, location, reason = "" } = result;
  const open = `    <testcase classname="${xml(location.source)}" name="${xml(nameOf(result))}"`;
  if (status === "skipped") {
    return `${open}>\n      <skipped message="${xml(reason)}"/>\n    </testcase>\n`;
  }
  if (result.findings.length === 0) {
    return `${open}/>\n`;
  }
  const text = xml(textOfResult(result));
  const [first] = result.findings.filter(({ severity }) => severity === "error");
  return first === undefined
    ? `${open}>\n      <system-out>${text}</system-out>\n    </testcase>\n`
    : `${open}>\n      <failure type="${first.rule}" message="${xml(first.message)}">${text}</failure>\n    </testcase>\n`;
}

/** Returns the name of a result: kind, namespace and name, and its place. */
export function nameOf({ object, location }: CheckResult): string {
  if (object === undefined) {
    return `document ${location.document}`;
  }
  const { apiVersion, kind, namespace, name } = object;
  return `${apiVersion} ${kind} ${namespace === undefined ? "" : `${namespace}/`}${name} (${placeOf(location)})`;
}

/** Escapes a text for XML, which has no form for control characters. */
function xml(text: string): string {
  return text
    .replace(/(?![\t\n\r])\p{Cc}|[\ufffe\uffff]|\p{Surrogate}/gu, "\ufffd")
    .replace(/[&<>"]/g, (one) => entities[one] ?? one);
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};
