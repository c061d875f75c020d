import assert from "node:assert/strict";
import { it } from "vitest";
import { lintRules } from "../src/rule-checks/lint-rules.js";
import { integer, listOf, objectOf, specOf, withRules } from "./rule-schemas.js";

it("VT8 [+]: finds rules that are always true, in part always true, or that never read self", () => {
  const schema = specOf(
    { a: integer, l: { ...listOf(withRules(integer, "1 < 2")), maxItems: 9 } },
    "self.a == self.a",
    "self.a > 1 && size(self.l) >= 0",
    "oldSelf.a > 3",
    "self.a > 1 && self.a <",
    "self.a > 1",
  );
  const at = "openAPIV3Schema.properties[spec]";
  assert.deepEqual(
    lintRules(schema, { version: "1.37" }).map(({ path, code, message }) => [path, code, message]),
    [
      [
        `${at}.properties[l].items.x-kubernetes-validations[0].rule`,
        "ReadsNoSelf",
        "never reads self: 1 < 2",
      ],
      [`${at}.x-kubernetes-validations[0].rule`, "AlwaysTrue", "always true: self.a == self.a"],
      [`${at}.x-kubernetes-validations[1].rule`, "AlwaysTrue", "always true: size(self.l) >= 0"],
      [`${at}.x-kubernetes-validations[2].rule`, "ReadsNoSelf", "never reads self: oldSelf.a > 3"],
    ],
  );
});

it("VT8 [+]: a constant rule has one finding", () => {
  const lints = lintRules(objectOf({ a: withRules(integer, "true") }));
  assert.deepEqual(
    lints.map(({ code }) => code),
    ["AlwaysTrue"],
  );
});

it("VT8 [+]: rules without findings have none", () => {
  assert.deepEqual(lintRules(specOf({ a: integer }, "self.a > 0")), []);
});
