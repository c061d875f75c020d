import { lifecycleOf, lifecycleStage } from "@typekube/api/lifecycle";
import type { ServedResource } from "../../resources/served-resource.js";
import type { ManifestValue } from "../items/check-item.js";
import type { RawFinding } from "../items/raw-finding.js";

/** Returns the warning for a kind that a release serves although it is deprecated. */
export function lifecycleFindings(
  { apiVersion, kind }: ManifestValue,
  version: string,
  { defined }: Pick<ServedResource, "defined">,
): RawFinding[] {
  if (defined?.deprecation !== undefined) {
    return [{ rule: "deprecated-api", field: "apiVersion", message: defined.deprecation }];
  }
  if (lifecycleStage({ apiVersion, kind }, version) !== "deprecated") {
    return [];
  }
  const { deprecated, removed, replacedBy } = lifecycleOf({ apiVersion, kind }) ?? {};
  const until = removed === undefined ? "" : `, removed in ${removed}`;
  return [
    {
      rule: "deprecated-api",
      field: "apiVersion",
      message: `${apiVersion} ${kind} is deprecated since Kubernetes ${deprecated}${until}`,
      hint: replacedBy && `use ${replacedBy.apiVersion} ${replacedBy.kind}`,
    },
  ];
}
