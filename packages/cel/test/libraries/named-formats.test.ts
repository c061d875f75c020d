import assert from "node:assert/strict";
import { it } from "vitest";
import { celEnv } from "../../src/environment/cel-env.js";
import { formatLibrary } from "../../src/libraries/format/format-library.js";
import { namedFormats } from "../../src/libraries/format/named-formats.js";
import { CelOptional } from "../../src/values/cel-optional.js";
import { equality } from "../../src/values/equals.js";
import { call, plain } from "./call.js";
import { outcomeOf } from "./term.js";

const env = celEnv();

/** Returns the problems of a text; none for a valid one. */
const problemsOf = (name: string, text: string) =>
  plain(outcomeOf(env, [".validate", [`format.${name}`], text]).result);
const valid = { optional: "none" };
const problems = (...texts: string[]) => ({ optional: texts });

const label =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const label1035 =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
const namePart =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const labelValue =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

it("VK13: each format accepts a good text and explains a bad one word for word", () => {
  const cases: readonly (readonly [string, string, string, ...string[]])[] = [
    ["dns1123Label", "my-label-1", "My_Label", label],
    ["dns1123Label", "0", "a.b", "must not contain dots"],
    ["dns1123Label", "a", "a".repeat(64), "must be no more than 63 characters"],
    ["dns1123Label", "a", "-", label],
    ["dns1123Subdomain", "apiextensions.k8s.io", "a..b", subdomain],
    ["dns1123Subdomain", "a", "_".repeat(254), "must be no more than 253 characters", subdomain],
    ["dns1035Label", "my-label-1", "1a", label1035],
    ["dns1035Label", "a", "A".repeat(64), "must be no more than 63 characters", label1035],
    [
      "qualifiedName",
      "apiextensions.k8s.io/v1beta1",
      "a/",
      "name part must be non-empty",
      namePart,
    ],
    ["qualifiedName", "My.Name", "/a", "prefix part must be non-empty"],
    ["qualifiedName", "a", "A_/a", `prefix part ${subdomain}`],
    ["qualifiedName", "a", "é".repeat(32), "name part must be no more than 63 bytes", namePart],
    ["dns1123LabelPrefix", "my-label-prefix-", "my-label-prefix_", label],
    ["dns1123LabelPrefix", "a_-", "_a-", label],
    ["dns1123LabelPrefix", "a-", "é-", label],
    ["dns1123SubdomainPrefix", "mysubdomain.prefix.-", "mysubdomain..prefix-", subdomain],
    ["dns1035LabelPrefix", "my-label-prefix-", "1a-", label1035],
    ["labelValue", "", "-a", labelValue],
    ["labelValue", "My_value.1", "a".repeat(64), "must be no more than 63 bytes"],
    ["uri", "http://example.com", "x", 'parse "x": invalid URI for request'],
    ["uuid", "123E4567-e89b-12d3-a456426614174000", "123", "does not match the UUID format"],
    ["byte", "aGVsbG8=", "aGVsbG8", "invalid base64"],
    ["byte", "aGVsbA==", "", "invalid base64"],
    ["byte", "+/+/", "a===", "invalid base64"],
    ["date", "2024-02-29", "2023-02-29", "invalid date"],
    ["date", "0000-02-29", "2024-2-9", "invalid date"],
    ["date", "2024-12-31", "2024-04-31", "invalid date"],
    ["datetime", "2021-01-01T00:00:00Z", "2021-01-01", "invalid datetime"],
    ["datetime", "2021-01-01t23:59:59,5+99:99", "2021-01-01T24:00:00Z", "invalid datetime"],
    ["datetime", "2021-01-01T00:00:00ztrest", "2021-01-01T00:00:60Z", "invalid datetime"],
  ];
  for (const [name, good, bad, ...texts] of cases) {
    assert.deepEqual(problemsOf(name, good), valid, `${name} of ${good}`);
    assert.deepEqual(problemsOf(name, bad), problems(...texts), `${name} of ${bad}`);
  }
});

it("VK13: a dash at the end of a prefix hides the character in front of it", () => {
  assert.deepEqual(problemsOf("dns1123LabelPrefix", "a.-"), valid);
  assert.deepEqual(problemsOf("dns1123LabelPrefix", "-"), problems(label));
});

it("VK13: format.named gives the format of a name or none; names are case-sensitive", () => {
  const names = Array.from(namedFormats.keys());
  assert.deepEqual(names, [
    "dns1123Label",
    "dns1123Subdomain",
    "dns1035Label",
    "qualifiedName",
    "dns1123LabelPrefix",
    "dns1123SubdomainPrefix",
    "dns1035LabelPrefix",
    "labelValue",
    "uri",
    "uuid",
    "byte",
    "date",
    "datetime",
  ]);
  for (const name of ["", "DNS1123Label", "dns1123label", "constructor", "date-time"]) {
    assert.deepEqual(plain(call(formatLibrary, "format.named", name)), valid);
  }
});

it("VK14: two formats are equal if they are the same format", () => {
  for (const a of namedFormats.keys()) {
    for (const b of namedFormats.keys()) {
      const named = call(formatLibrary, "format.named", b);
      assert.ok(named instanceof CelOptional);
      const format = namedFormats.get(a);
      assert.ok(format !== undefined && named.value !== undefined);
      assert.equal(equality(format, named.value), a === b);
    }
  }
});

it("VC1: validate costs the length of the text times the length of the pattern", () => {
  const costOf = (name: string, text: string) =>
    outcomeOf(env, [".validate", [`format.${name}`], text]).cost;
  // 1 unit for the format; 0.1 units per character, one more than the text has, times 0.25 units per character.
  assert.equal(costOf("dns1123Label", "my-label-name"), 1 + 2 * 8);
  assert.equal(costOf("uri", ""), 1 + 1 * 276);
  assert.equal(costOf("uuid", "x"), 1 + 18);
  assert.equal(costOf("byte", "x"), 1 + 21);
  assert.equal(costOf("date", "x"), 1 + 18);
});
