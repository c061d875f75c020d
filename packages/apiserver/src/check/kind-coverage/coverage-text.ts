import type { KindCoverage } from "./kind-coverage.js";

const ofEveryObject = `Of every object: whether images exist, quotas in use, the webhooks and aggregated APIs of a cluster, permissions, and
references to objects that are not in the input, unless --references is given.
`;

/** Returns a text about what is not checked, for people. */
export function coverageText(version: string, kinds: readonly KindCoverage[]): string {
  const [without, withCode] = [false, true].map((has) =>
    kinds.filter(({ hasCode }) => hasCode === has),
  ) as [KindCoverage[], KindCoverage[]];
  const rows = without.map(({ apiVersion, kind, declaredRules, fieldsInCode }) => {
    const fields = fieldsInCode.length === 0 ? "" : `; not checked: ${fieldsInCode.join(", ")}`;
    return `  ${apiVersion} ${kind}: ${declaredRules} declared rules${fields}\n`;
  });
  return `Kubernetes ${version}: what is not checked

${ofEveryObject}
Of ${without.length} kinds: the rules that kube-apiserver has in code. Their schema, their metadata and the rules that their types declare are checked:
${rows.join("")}
Of the other ${withCode.length} kinds the rules in code are checked too: ${withCode.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`).join(", ")}.
`;
}
