import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { Validator } from "@cfworker/json-schema";
import { check, formatReport } from "@typekube/apiserver/check";
import { describe, expect, test } from "vitest";
import { junitProblems } from "./junit-problems.js";
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

  test("MC54: JUnit has the elements, attributes and counts that readers know, whatever the input", async () => {
    const odd = [
      {
        name: 'a"<&>\u0000\u001b.yaml',
        text: configMap("a", 'dta: "]]> \\u0000 \\ud83d\\ude00 <&>"\n'),
      },
      {
        name: "b\ud800.yaml",
        text: `kind: "\u0001"\napiVersion: "]]>"\nmetadata: {name: "\uffff"}\n`,
      },
      { name: "empty.yaml", text: "# nothing\n" },
      { name: "c.yaml", text: "a: {{ b }}\n---\n- 1\n---\nx: &a [*a]\n" },
    ];
    for (const checked of [
      await report(),
      await check(odd),
      await check(""),
      await check(odd, { skipNonManifests: true }),
    ]) {
      expect(junitProblems(formatReport(checked, "junit"))).toEqual([]);
    }
    const xml = formatReport(await report(), "junit");
    for (const [from, to, problem] of [
      ['tests="5"', 'tests="4"', 'testsuites tests="4" instead of 5'],
      ["<skipped ", "<ignored ", "unknown element ignored"],
      ['classname="', 'class="', "testcase with attribute class"],
      [' errors="0" skipped', " skipped", "testsuite without attribute errors"],
      ["&lt;", "<", /not XML/],
      ["</testsuites>", "", "not one element"],
    ] as const) {
      expect(junitProblems(xml.replace(from, to)), from).toContainEqual(
        typeof problem === "string" ? problem : expect.stringMatching(problem),
      );
    }
  });

  test("MC54: entries of GitLab have the required fields, relative paths and one fingerprint each", async () => {
    const text = configMap("a", "dta: {}\n");
    const twice = await check([
      { name: "./a.yaml", text: `${text}---\n${text}` },
      { name: "deploy/b.yaml", text: text.replace("name: a", "name: b") },
    ]);
    const entries = JSON.parse(formatReport(twice, "gitlab"));
    expect(entries).toHaveLength(twice.findings.length);
    for (const entry of entries) {
      expect(entry).toEqual({
        description: expect.stringMatching(/./),
        check_name: expect.stringMatching(/^[a-z-]+$/),
        fingerprint: expect.stringMatching(/^[\w-]{8,}$/),
        severity: expect.stringMatching(/^(?:info|minor|major|critical|blocker)$/),
        location: {
          path: expect.stringMatching(/^(?!\.?\/)/),
          lines: { begin: expect.any(Number) },
        },
      });
      expect(entry.location.lines.begin).toBeGreaterThanOrEqual(1);
    }
    const fingerprints = entries.map(({ fingerprint }: { fingerprint: string }) => fingerprint);
    expect(new Set(fingerprints).size).toBe(entries.length);
    expect(JSON.parse(formatReport(await check(""), "gitlab"))).toEqual([]);
  });

  test("MC52: an unknown format is refused", async () => {
    const checked = await check(configMap("a"));
    expect(() => formatReport(checked, "xml" as never)).toThrow(/text/);
  });
});
