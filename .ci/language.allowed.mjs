// Justified exceptions from check-language.mjs: file, rule, a part of the line, and the reason.

const reason = "the audience of a token, a field of the API";

/** @type {readonly { file: string; rule: string; text: string; reason: string }[]} */
export const allowed = [
  {
    file: "packages/apiserver/src/access/service-account-tokens.ts",
    rule: "audience",
    text: "their audience",
    reason,
  },
  {
    file: "packages/codegen/src/field-rules/kinds.ts",
    rule: "audience",
    text: '"uniqueBy=audience"',
    reason,
  },
  {
    file: "packages/apiserver/src/kinds/storage/csi-driver.ts",
    rule: "audience",
    text: "({ audience })",
    reason,
  },
  {
    file: "packages/config/test/exec/exec-plugin.test.ts",
    rule: "audience",
    text: 'audience: "kube"',
    reason,
  },
  {
    file: "packages/typekube/test/misspelt-options.test.ts",
    rule: "audience",
    text: 'audience: ["x"]',
    reason,
  },
];
