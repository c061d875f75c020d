import { CustomResourceDefinition } from "@typekube/api/apiextensions/v1";
import type { ClientCore, DiscoveredResource } from "@typekube/client";
import { contextOf, resourceOf } from "@typekube/client/internal";
import { isForbidden, KubeError } from "@typekube/core";
import { assertOptions, type JsonObject, type OptionTable } from "@typekube/core/internal";
import { isBuiltIn } from "./built-in-kinds.js";
import { kindOfDocument } from "./kind-of-document.js";
import type { KindSource, SourceProblem, SourcesRead } from "./kind-source.js";
import { readDefinition } from "./read-definition.js";

/** Options of {@link readCluster}. */
export interface ReadClusterOptions {
  /** Includes the kinds that `typekube/api` has. Default `false`. */
  readonly all?: boolean | undefined;
  /** Only kinds of these groups; `""` or `core` is the core group. Default: of all. */
  readonly groups?: readonly string[] | undefined;
  /** Ends the requests. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads the kinds of a cluster: from its CustomResourceDefinitions, and those of aggregated API servers from their OpenAPI
 * v3 documents. Without the right to list definitions everything is read from OpenAPI documents, which all users may
 * read; `notes` then says what is missing.
 *
 * @throws {KubeError} when the cluster cannot be reached, or rejects the credentials.
 */
export async function readCluster(
  client: ClientCore,
  options: ReadClusterOptions = {},
): Promise<SourcesRead> {
  assertOptions("readCluster()", options, readClusterOptions);
  const { all = false, groups, signal } = options;
  const { resources, failed } = await client.discovery.served({ signal });
  const isWanted = (group: string) =>
    groups === undefined || groups.some((one) => (one === "core" ? "" : one) === group);
  const { sources, problems, notes } = await readDefinitionsOf(client, isWanted, signal);
  const known = new Set(sources.map(pathOf));
  const others = resources.filter(
    (one) => isWanted(one.group) && !known.has(pathOf(one)) && (all || !isBuiltIn(one)),
  );
  const described = await readDocuments(client, others, signal);
  return {
    sources: [...sources, ...described.sources],
    problems: [
      ...failed
        .filter(({ apiVersion }) => isWanted(apiVersion.split("/").slice(0, -1).join("/")))
        .map(({ apiVersion, error }) => ({
          place: "cluster",
          message: `${apiVersion}: ${KubeError.from(error).rawMessage}`,
        })),
      ...problems,
      ...described.problems,
    ],
    skipped: new Map(),
    notes,
  };
}

/** Sentence about a cluster whose definitions the user may not list. */
const withoutDefinitions =
  "the user may not list customresourcedefinitions, so OpenAPI documents are used: " +
  "printer columns, selectable fields, paths of scale subresources and deprecations are missing";

async function readDefinitionsOf(
  client: ClientCore,
  isWanted: (group: string) => boolean,
  signal: AbortSignal | undefined,
): Promise<Omit<SourcesRead, "skipped">> {
  const sources: KindSource[] = [];
  const problems: SourceProblem[] = [];
  try {
    // As JSON, so that defaults in schemas keep their numbers.
    const definitions = resourceOf(contextOf(client), CustomResourceDefinition);
    for await (const definition of definitions.items({ encoding: "json", signal })) {
      const name = definition.metadata.name;
      if (!isWanted(definition.spec.group)) {
        continue;
      }
      const read = readDefinition(
        { ...definition, apiVersion: "apiextensions.k8s.io/v1" } as unknown as JsonObject,
        `cluster: ${name}`,
      );
      sources.push(...read.sources);
      problems.push(...read.problems.map((message) => ({ place: `cluster: ${name}`, message })));
    }
  } catch (error) {
    if (!isForbidden(error)) {
      throw error;
    }
    return { sources: [], problems: [], notes: [withoutDefinitions] };
  }
  return { sources, problems, notes: [] };
}

async function readDocuments(
  client: ClientCore,
  resources: readonly DiscoveredResource[],
  signal: AbortSignal | undefined,
): Promise<Pick<SourcesRead, "problems" | "sources">> {
  const sources: KindSource[] = [];
  const problems: SourceProblem[] = [];
  for (const [apiVersion, ofVersion] of byVersion(resources)) {
    const place = `cluster: ${apiVersion}`;
    let document: JsonObject;
    try {
      document = (await client.openApi.document(apiVersion, { signal })) as JsonObject;
    } catch (error) {
      signal?.throwIfAborted();
      problems.push({ place, message: KubeError.from(error).rawMessage });
      continue;
    }
    for (const resource of ofVersion) {
      const source = kindOfDocument(resource, document, place);
      if (source === undefined) {
        problems.push({ place, message: `the OpenAPI document has no schema of ${resource.kind}` });
      } else {
        sources.push(source);
      }
    }
  }
  return { sources, problems };
}

function byVersion(
  resources: readonly DiscoveredResource[],
): ReadonlyMap<string, readonly DiscoveredResource[]> {
  const found = new Map<string, DiscoveredResource[]>();
  for (const resource of resources) {
    found.set(resource.apiVersion, [...(found.get(resource.apiVersion) ?? []), resource]);
  }
  return found;
}

function pathOf({ group, version, plural }: Pick<KindSource, "group" | "plural" | "version">) {
  return `${group}/${version}/${plural}`;
}

const readClusterOptions: OptionTable<ReadClusterOptions> = {
  all: true,
  groups: true,
  signal: true,
};
