import type { ResourceDescriptor, SubresourceDescriptor } from "@typekube/api";
import { markDefined, pluralOf } from "@typekube/client/internal";
import { KubeError } from "@typekube/core";
import { assertOptions } from "@typekube/core/internal";
import { cloneJson, isJsonObject, type JsonObject } from "@typekube/core/internal/json";
import { versionsOf } from "@typekube/schema";
import { compareDefinitions } from "../compare/compare-definitions.js";
import { randomObjects } from "../examples/random-objects.js";
import { checkedVersion as prepareVersion } from "../objects/checked-version.js";
import { exampleObject } from "../objects/example-object.js";
import { parseObject } from "../objects/parse-object.js";
import { simulateWrite } from "../objects/simulate-write.js";
import { checkDefinition, checkedVersion } from "./check-definition.js";
import { converterProblems } from "./converters.js";
import type { CustomResource, DefinitionManifest, SimulateOptions } from "./custom-resource.js";
import { buildVersions, type CompleteNames, definitionManifest } from "./definition-manifest.js";
import { type AnyDefinitionOptions, definitionOptions } from "./definition-options.js";
import { warningsOf } from "./definition-warnings.js";
import { type DefinitionProblem, definitionError } from "./describe-problems.js";
import { resourceRights } from "./resource-rights.js";

/**
 * Creates the value of a definition: see {@link defineResource}.
 *
 * @throws {KubeError} `InvalidArgument` that lists all problems.
 */
export function createResource(options: AnyDefinitionOptions): CustomResource {
  assertOptions("defineResource()", options, definitionOptions);
  const { group, version, kind, scope = "Namespaced" } = options;
  const { problems: wrongNames, ...names } = completeNames(options);
  const versions = buildVersions(options);
  const manifest = definitionManifest(options, names, versions);
  const problems = [
    ...wrongNames,
    ...converterProblems(options.convert, options.versions ?? [], options.conversion?.strategy),
    ...checkDefinition(manifest, versions),
  ];
  if (problems.length > 0) {
    throw definitionError(kind ?? "a kind", problems);
  }
  const apiVersion = `${group}/${version}`;
  const [own = {}] = versionsOf(manifest);
  const checked = prepareVersion({ apiVersion, kind }, own, checkedVersion);
  const versionNamed = (name: string = version) => {
    const other = versionsOf(manifest).find((one) => one["name"] === name);
    if (other === undefined) {
      const known = versionsOf(manifest).map((one) => one["name"]);
      throw new KubeError("InvalidArgument", `${kind} has no version ${name}`, {
        hint: `it has ${known.join(", ")}`,
      });
    }
    const type = { apiVersion: `${group}/${name}`, kind };
    return name === version ? checked : prepareVersion(type, other, checkedVersion);
  };
  const descriptor: ResourceDescriptor = {
    group,
    version,
    apiVersion,
    kind,
    ...names,
    shortNames: [...(options.shortNames ?? [])],
    categories: [...(options.categories ?? [])],
    scope,
    verbs: ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
    subresources: subresourcesOf(own, apiVersion, kind),
    protobuf: false,
  };
  return markDefined({
    ...descriptor,
    clientOnly: versions[0]?.clientOnly ?? [],
    convert: options.convert,
    warnings: warningsOf(manifest, versions, options.convert !== undefined),
    crd: () => cloneJson(manifest) as unknown as DefinitionManifest,
    check(object, checkOptions) {
      const { causes, warnings } = simulateWrite(checked, object, checkOptions);
      return { causes, warnings };
    },
    simulate: (object, { version: other, ...checkOptions }: SimulateOptions = {}) =>
      simulateWrite(versionNamed(other), object, checkOptions) as never,
    parse: (object) => parseObject(checked, object),
    compare: (live) => compareDefinitions(live as unknown as JsonObject, manifest),
    example: () => exampleObject(checked),
    examples: ({ version: other, ...examplesOptions } = {}) =>
      randomObjects(versionNamed(other), examplesOptions) as never,
    rights: (verbs, rightsOptions) => resourceRights(descriptor, verbs, rightsOptions),
  } satisfies CustomResource);
}

/** Completes the names of a kind. A kind whose plural is not known is a problem like others. */
function completeNames({
  kind,
  plural,
  singular,
  listKind,
}: AnyDefinitionOptions): CompleteNames & { readonly problems: readonly DefinitionProblem[] } {
  const given = {
    singular: singular ?? String(kind ?? "").toLowerCase(),
    listKind: listKind ?? `${kind}List`,
  };
  try {
    return { plural: plural ?? pluralOf(String(kind ?? "")), ...given, problems: [] };
  } catch (error) {
    const { rawMessage, hint } = KubeError.from(error);
    // Any name does: the definition is refused in any case, and the other checks need one.
    const problems = [{ path: "plural", problem: rawMessage, hint }];
    return { plural: given.singular, ...given, problems };
  }
}

function subresourcesOf(
  version: JsonObject,
  apiVersion: string,
  kind: string,
): Record<string, SubresourceDescriptor> {
  const { status, scale } = isJsonObject(version["subresources"]) ? version["subresources"] : {};
  const verbs = ["get", "patch", "update"] as const;
  return {
    ...(status === undefined ? {} : { status: { apiVersion, kind, verbs } }),
    ...(scale === undefined
      ? {}
      : { scale: { apiVersion: "autoscaling/v1", kind: "Scale", verbs } }),
  };
}
