import { lifecycleOf, lifecycleStage } from "@typekube/api/lifecycle";
import type { ServedResource } from "../../resources/served-resource.js";
import type { ManifestValue } from "../items/check-item.js";
import type { RawFinding } from "../items/raw-finding.js";
import { type CustomLifecycles, isSince } from "../options/custom-lifecycle.js";

/** Returns the finding about a version that the caller's lifecycles deprecate or remove. */
export function customLifecycleFindings(
  { apiVersion, kind }: ManifestValue,
  version: string,
  lifecycles: CustomLifecycles = {},
): RawFinding[] {
  const key = `${apiVersion} ${kind}`;
  const life = Object.hasOwn(lifecycles, key) ? lifecycles[key] : undefined;
  const {
    deprecated,
    removed,
    replacedBy,
    component = "Kubernetes",
    target = version,
  } = life ?? {};
  const hint = replacedBy === undefined ? undefined : `use ${replacedBy}`;
  if (removed !== undefined && isSince(target, removed)) {
    const message = `${apiVersion} ${kind} is gone since ${component} ${removed}`;
    return [{ rule: "removed-api", field: "apiVersion", message, hint }];
  }
  if (deprecated === undefined || !isSince(target, deprecated)) {
    return [];
  }
  const until = removed === undefined ? "" : `, removed in ${removed}`;
  const message = `${apiVersion} ${kind} is deprecated since ${component} ${deprecated}${until}`;
  return [{ rule: "deprecated-api", field: "apiVersion", message, hint }];
}

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
