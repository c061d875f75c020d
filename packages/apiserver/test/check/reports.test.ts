import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { Validator } from "@cfworker/json-schema";
import { check, formatReport } from "@typekube/apiserver/check";
import { describe, expect, test } from "vitest";
import { configMap } from "./lines-of.js";

const input = [
  {
    name: "./deploy/a b.yaml",
    text: `${configMap("a", 'dta: {x: "<&>"}\n')}---\n${configMap("a")}`,
  },
  { name: "b,c.yaml", text: `${configMap("b", '  uid: "1"\n')}---\nkind: [\n---\nx: 1\n` },
];
const report = () => check(input, { skipNonManifests: true });

describe("reports", () => {
  test("MC53: SARIF is valid by the schema of the npm package @microsoft/jest-sarif", async () => {
    const path = createRequire(import.meta.url).resolve("@microsoft/jest-sarif/package.json");
    const schema = JSON.parse(
      await readFile(path.replace(/package\.json$/, "lib/schemas/sarif-2.1.0-rtm.5.json"), "utf8"),
    );
    const validator = new Validator(schema, "4", false);
    for (const checked of [await report(), await check(configMap("a"))]) {
      const log = JSON.parse(formatReport(checked, "sarif"));
      expect(validator.validate(log).errors).toEqual([]);
      expect(log.runs[0].results).toHaveLength(checked.findings.length);
    }
    expect(validator.validate({ version: "2.1.0", runs: [{}] }).valid).toBe(false);
  });

  test("MC53: SARIF has relative URIs, rules with metadata, and fingerprints that survive moved lines", async () => {
    const resultsOf = async (text: string) => {
      const log = JSON.parse(
        formatReport(await check({ name: "./deploy/a b.yaml", text }), "sarif"),
      );
      const { rules } = log.runs[0].tool.driver;
      return log.runs[0].results.map((result: Record<string, never>) => ({
        ...result,
        rule: rules[result["ruleIndex"] as never]?.id,
      }));
    };
    const text = configMap("a", "dta: {}\n");
    const [result] = await resultsOf(text);
    expect(result).toMatchObject({
      ruleId: "unknown-field",
      rule: "unknown-field",
      level: "error",
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: "deploy/a%20b.yaml" },
            region: { startLine: 6, startColumn: 1 },
          },
        },
      ],
    });
    const [moved] = await resultsOf(`# moved\n\n${text}`);
    expect(moved.partialFingerprints).toEqual(result.partialFingerprints);
    expect(moved.locations[0].physicalLocation.region.startLine).toBe(8);
  });

  test("MC54: JUnit has one case per object, and skipped ones as skipped", async () => {
    const xml = formatReport(await report(), "junit");
    expect(xml).toContain('<testsuites name="typekube check" tests="5" failures="3" errors="0">');
    expect(xml).toContain(
      '<testsuite name="b,c.yaml" tests="3" failures="1" errors="0" skipped="1">',
    );
    expect(xml.match(/<testcase /g)).toHaveLength(5);
    expect(xml).toContain('<skipped message="not a manifest"/>');
    expect(xml).toContain("&quot;dta&quot;");
    const open = [...xml.matchAll(/<([\w-]+)(?:\s[^>]*[^/?])?>/g)].map(([, name]) => name);
    const closed = [...xml.matchAll(/<\/([\w-]+)>/g)].map(([, name]) => name);
    expect(open.sort()).toEqual(closed.sort());
  });

  test("MC54: TAP counts objects, GitHub annotates lines, GitLab has fingerprints and severities", async () => {
    const tap = formatReport(await report(), "tap").split("\n");
    expect(tap[0]).toBe("TAP version 14");
    expect(
      tap.filter((line) => /^(?:not )?ok /.test(line)).map((line) => line.split(" - ")[0]),
    ).toEqual(["not ok 1", "not ok 2", "ok 3", "not ok 4", "ok 5"]);
    expect(tap.at(-2)).toBe("1..5");
    const [first = "", , third = ""] = formatReport(await report(), "github").split("\n");
    expect(first).toBe(
      '::error file=./deploy/a b.yaml,line=6,endLine=6,col=1,endColumn=4,title=unknown-field::unknown field "dta" (did you mean data?)',
    );
    expect(third).toMatch(/^::warning file=b%2Cc\.yaml,line=6/);
    const entries = JSON.parse(formatReport(await report(), "gitlab"));
    expect(entries[0]).toMatchObject({
      check_name: "unknown-field",
      severity: "major",
      location: { path: "deploy/a b.yaml", lines: { begin: 6 } },
    });
    expect(
      new Set(entries.map(({ fingerprint }: { fingerprint: string }) => fingerprint)).size,
    ).toBe(entries.length);
  });

  test("MC52: an unknown format is refused", async () => {
    const checked = await check(configMap("a"));
    expect(() => formatReport(checked, "xml" as never)).toThrow(/text/);
  });
});
