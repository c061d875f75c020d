import assert from "node:assert/strict";
import type { ConformanceCase } from "../conformance-case.js";
import {
  customDefinition,
  customResource,
  rejectionCauses,
  version,
} from "../support/custom-resources.js";

/** Patterns, each with a text that matches and one that does not; JavaScript reads most of them differently. */
const patterns = [
  ["^(?i)x$", "X", "y"],
  ["a(?s:.)b.c", "a\nbxc", "a\nb\nc"],
  ["(?m)^b$", "a\nb", "ab"],
  ["^a$", "a", "a\n"],
  ["\\Aa\\z", "a", "a\n"],
  ["^.$", "😀", "\n"],
  ["^[😀-😃]$", "😁", "😄"],
  ["^[[:alpha:]]+$", "abC", "ab1"],
  ["^\\pL+$", "aéß漢", "a1"],
  ["^\\PC*$", "aé😀", "\u0007\u000b\u0001\u007f\u00ad\u2028\u{e0001}"],
  ["^\\Qa.b*\\E$", "a.b*", "axb"],
  ["^\\w\\d\\s$", "a1 ", "é1 "],
  ["^([-a-zA-Z0-9_]+[.]?)+$", "a.b", `${"a".repeat(28)}!`],
  ["(?P<n>a)(?P<n>b)", "ab", "ac"],
] as const;

/** Returns a text as the server quotes it. */
const quoted = (text: string) =>
  text.startsWith("\u0007") ? '"\\a\\v\\x01\\x7f\\u00ad\\u2028\\U000e0001"' : JSON.stringify(text);

/** Cases for the meaning of schema patterns: RE2, as in Go. */
export const customResourcePatterns: readonly ConformanceCase[] = [
  {
    id: "ES14-patterns",
    name: "custom: patterns have RE2 semantics",
    needs: ["crd"],
    async run(context) {
      const properties = Object.fromEntries(
        patterns.map(([pattern], at) => [`p${at}`, { type: "string", pattern }]),
      );
      const schema = { type: "object", properties: { spec: { type: "object", properties } } };
      const resource = await customResource(context, customDefinition("Motto", [version(schema)]));
      const matched = patterns.map(([, text], at) => [`p${at}`, text]);
      await resource.create({ metadata: { name: "a" }, spec: Object.fromEntries(matched) });
      const others = patterns.map(([, , text], at) => [`p${at}`, text]);
      const refused = resource.create({
        metadata: { name: "b" },
        spec: Object.fromEntries(others),
      });
      assert.deepEqual(
        await rejectionCauses(refused),
        patterns
          .map(
            ([pattern, , text], at) =>
              `spec.p${at} | FieldValueInvalid | Invalid value: ${quoted(text)}: spec.p${at} in body should match '${pattern}'`,
          )
          .sort(),
      );
    },
  },
];
