import { KubeError } from "@typekube/core";
import type { DiscoveredResource } from "./served-api.js";

/** A name as people type it: `deploy`, `deployments.apps`, `deployments.v1.apps`. */
interface RequestedName {
  readonly word: string;
  readonly group?: string;
  readonly version?: string;
}

/**
 * Finds the resource for a name in any case: its plural, singular or kind, otherwise one of its short names, optionally
 * followed by its group, or by version and group. The first version wins, so `resources` must list the preferred
 * version first. A core resource wins over others of the same name: `pods` means the core pods.
 *
 * @returns `undefined` when no resource matches.
 * @throws {KubeError} `InvalidArgument` with the candidates when the name is ambiguous.
 */
export function findByName(
  resources: readonly DiscoveredResource[],
  name: string,
): DiscoveredResource | undefined {
  const requested = readNames(name);
  for (const hasName of [isProperName, isShortName]) {
    const found = preferred(
      resources.filter((resource) =>
        requested.some(
          ({ word, group = resource.group, version = resource.version }) =>
            hasName(resource, word) && resource.group === group && resource.version === version,
        ),
      ),
    );
    const core = found.filter(({ group }) => group === "");
    const chosen = core.length > 0 ? core : found;
    if (chosen.length > 1) {
      throw ambiguous(name, chosen);
    }
    if (chosen[0]) {
      return chosen[0];
    }
  }
  return undefined;
}

/** Returns the resources of a category such as `all`, each in its preferred version. */
export function findByCategory(
  resources: readonly DiscoveredResource[],
  category: string,
): DiscoveredResource[] {
  return preferred(resources.filter(({ categories }) => categories.includes(category)));
}

/** Returns each resource once, in the version that comes first. */
export function preferred(resources: readonly DiscoveredResource[]): DiscoveredResource[] {
  const first = new Map<string, DiscoveredResource>();
  for (const resource of resources) {
    const key = qualified(resource);
    if (!first.has(key)) {
      first.set(key, resource);
    }
  }
  return [...first.values()];
}

function isProperName({ plural, singular, kind }: DiscoveredResource, word: string): boolean {
  return plural === word || singular === word || kind.toLowerCase() === word;
}

function isShortName({ shortNames }: DiscoveredResource, word: string): boolean {
  return shortNames.includes(word);
}

/** Returns the possible readings of a name: a dot may come before a group, or before a version. */
function readNames(name: string): RequestedName[] {
  const [word = "", ...rest] = name.toLowerCase().split(".");
  if (rest.length === 0) {
    return [{ word }];
  }
  const [version = "", ...group] = rest;
  const whole: RequestedName = { word, group: rest.join(".") };
  return /^v\d/.test(version) ? [whole, { word, version, group: group.join(".") }] : [whole];
}

function qualified({ plural, group }: DiscoveredResource): string {
  return group === "" ? plural : `${plural}.${group}`;
}

function ambiguous(name: string, candidates: readonly DiscoveredResource[]): KubeError {
  const names = candidates.map(
    (candidate) => `${qualified(candidate)} (${candidate.kind} in ${candidate.apiVersion})`,
  );
  return new KubeError("InvalidArgument", `"${name}" may mean ${names.join(" or ")}`, {
    hint: "add the group to the name",
  });
}
