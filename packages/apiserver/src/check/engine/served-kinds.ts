import { getOwn, type JsonObject } from "@typekube/core/internal";
import type { ServedResource } from "../../resources/served-resource.js";
import { groupOf, type ManifestValue } from "../items/check-item.js";
import type { RawFinding } from "../items/raw-finding.js";
import type { CheckServer } from "./check-server.js";
import type { Run } from "./run-state.js";

/** Returns true for a kind that the cluster of the snapshot serves, in its release. */
export function isServed(
  { options: { snapshot } }: Pick<Run, "options">,
  server: CheckServer,
  { apiVersion, kind }: ManifestValue,
): boolean {
  return (
    snapshot !== undefined &&
    snapshot.version === server.version &&
    kindsOf(snapshot.served, apiVersion).includes(kind)
  );
}

/** Returns the problem of a built-in kind that the cluster of the snapshot does not serve. */
export function unservedProblem(
  run: Pick<Run, "options">,
  server: CheckServer,
  value: ManifestValue,
  { defined }: ServedResource,
): RawFinding | undefined {
  const { snapshot } = run.options;
  if (
    snapshot === undefined ||
    snapshot.version !== server.version ||
    defined !== undefined ||
    isServed(run, server, value)
  ) {
    return undefined;
  }
  const { apiVersion, kind } = value;
  const others = Object.keys(snapshot.served).filter(
    (one) =>
      groupOf({ apiVersion: one, kind }) === groupOf(value) &&
      kindsOf(snapshot.served, one).includes(kind),
  );
  return {
    rule: "unknown-version",
    field: "apiVersion",
    message: `the cluster of the snapshot does not serve ${apiVersion} ${kind}`,
    hint: others.length === 0 ? undefined : `use ${others.join(" or ")}`,
  };
}

function kindsOf(
  served: Readonly<Record<string, readonly string[]>>,
  apiVersion: string,
): readonly string[] {
  const kinds = getOwn(served as unknown as JsonObject, apiVersion);
  return Array.isArray(kinds) ? kinds : [];
}
