import { builtInResources } from "@typekube/api/resources";
import type { KindSource } from "./kind-source.js";

const versions: ReadonlySet<string> = new Set(
  builtInResources.map(({ group, version }) => `${group}/${version}`),
);
const resources: ReadonlySet<string> = new Set(
  builtInResources.map(({ group, version, plural }) => `${group}/${version}/${plural}`),
);

/** Returns whether `@typekube/api` has a type and descriptor of the kind. */
export function isBuiltIn({
  group,
  version,
  plural,
}: Pick<KindSource, "group" | "plural" | "version">): boolean {
  return resources.has(`${group}/${version}/${plural}`);
}

/** Returns whether `@typekube/api` has kinds of the group-version. */
export function isBuiltInVersion({
  group,
  version,
}: Pick<KindSource, "group" | "version">): boolean {
  return versions.has(`${group}/${version}`);
}
