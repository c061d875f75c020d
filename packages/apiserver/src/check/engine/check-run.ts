import { isJsonObject } from "@typekube/core/internal";
import type { ServedResource } from "../../resources/served-resource.js";
import {
  type CheckItem,
  checkedObject,
  groupOf,
  isManifestValue,
  type ManifestValue,
  metadataOf,
  namespaceOf,
} from "../items/check-item.js";
import type { RawFinding, VersionedFinding } from "../items/raw-finding.js";
import { type ReadItem, readItems } from "../items/read-items.js";
import type { CheckResult } from "../model/check-result.js";
import type { CheckedObject } from "../model/finding.js";
import type { CompleteOptions } from "../options/check-options.js";
import { pathPattern } from "../options/path-pattern.js";
import { applyTraps } from "../rules/apply-traps.js";
import { DuplicateObjects } from "../rules/duplicate-objects.js";
import { customLifecycleFindings, lifecycleFindings } from "../rules/lifecycle.js";
import { mutationLines } from "../rules/mutation-lines.js";
import { ReferenceIndex } from "../rules/references.js";
import { transitionRules } from "../rules/transition-rules.js";
import { createCheckServer, type Verdict } from "./check-server.js";
import { findKind } from "./find-kind.js";
import { install } from "./install.js";
import { itemFindings } from "./item-findings.js";
import { itemVerdict } from "./item-verdict.js";
import { MergedFindings } from "./merged-findings.js";
import { OldObjects } from "./old-objects.js";
import { OriginPlaces } from "./origin-places.js";
import type { RunSources } from "./run-sources.js";
import type { Run, RunFacts } from "./run-state.js";
import { fieldPatterns, maskText, secretsOf } from "./secrets.js";
import { isServed, unservedProblem } from "./served-kinds.js";
import { ensureNamespace } from "./write-item.js";

/** Objects after which the run yields to the event loop. */
const sliceLength = 100;

/** Checks the objects of the sources one after another, in the order of the input. */
export async function* runCheck(
  sources: RunSources,
  options: CompleteOptions,
  facts: RunFacts,
): AsyncGenerator<CheckResult> {
  const servers = options.versions.map(createCheckServer);
  const old = await OldObjects.read(sources.against, options.namespace);
  const installation = await install(servers, sources, old, options);
  facts.notes = installation.notes;
  const references = options.references
    ? await ReferenceIndex.read(
        [...sources.input, ...sources.policies, ...sources.crds],
        options.namespace,
      )
    : undefined;
  const duplicates = new DuplicateObjects();
  const origins = new OriginPlaces(installation);
  const run: Run = { options, servers, installation, origins, old, duplicates, references, facts };
  for (const read of installation.unreadable) {
    yield await guarded(run, read);
  }
  for (const item of installation.invalid) {
    const result = await guarded(run, { item, problems: [], isUnreadable: false });
    if (result.status === "invalid") {
      yield result;
    }
  }
  let count = 0;
  for (const source of sources.input) {
    for await (const read of readItems(source)) {
      options.signal?.throwIfAborted();
      yield await guarded(run, read);
      count += 1;
      if (count % sliceLength === 0) {
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
  }
}

/** Checks one item. An error of the check itself becomes a finding, so that the rest is still checked. */
async function guarded(run: Run, read: ReadItem): Promise<CheckResult> {
  try {
    return await checkItem(run, read);
  } catch (error) {
    run.options.signal?.throwIfAborted();
    const isDeep = error instanceof RangeError;
    const raw: VersionedFinding = isDeep
      ? { rule: "too-large", message: "the object nests too deep to be checked", offset: 0 }
      : {
          rule: "check-failed",
          message: `the check failed: ${(error as Error).message}`,
          offset: 0,
        };
    return resultOf(run, { ...read.item, value: undefined }, undefined, [raw]);
  }
}

async function checkItem(
  run: Run,
  { item, problems, isUnreadable }: ReadItem,
): Promise<CheckResult> {
  const { options } = run;
  const { value } = item;
  if (isUnreadable) {
    return resultOf(run, item, undefined, problems);
  }
  if (!isManifestValue(value)) {
    return options.skipNonManifests
      ? skipped(run, item, undefined, "not a manifest")
      : resultOf(run, item, undefined, [...problems, notAManifest(value)]);
  }
  const findings = new MergedFindings(run.servers.length > 1);
  findings.addAll(problems, options.versions);
  const { resource, mutation, notEvaluated, unchecked } = await askServers(
    run,
    item,
    value,
    findings,
  );
  if (resource === undefined && findings.all.length === 0) {
    const object = checkedObject(value, namespaceOf(value));
    return skipped(run, item, object, unchecked ?? "unknown kind that is allowed");
  }
  const object = checkedObject(value, namespaceIn(resource, value, options));
  if (resource !== undefined) {
    findings.addAll(ownFindings(run, item, value, resource, object), options.versions);
  }
  if (mutation.length > 0) {
    const message = `mutating policies change the object:\n${mutation.join("\n")}`;
    findings.add({ rule: "policy-mutation", message }, options.versions);
  }
  return { ...resultOf(run, item, object, findings.all), notEvaluated, mutation };
}

/** Facts about an object from the first release that has its kind, beside findings. */
interface ServerFacts {
  /** `undefined` if no release has the kind. */
  readonly resource: ServedResource | undefined;
  /** Lines that show what mutating policies change. */
  readonly mutation: readonly string[];
  /** Transition rules that need the object before. */
  readonly notEvaluated: readonly string[];
  /** Why an object whose kind is served was not checked. */
  readonly unchecked?: string | undefined;
}

/** Adds the findings of the server of each release. */
async function askServers(
  run: Run,
  item: CheckItem,
  value: ManifestValue,
  findings: MergedFindings,
): Promise<ServerFacts> {
  const { options } = run;
  let facts: ServerFacts = { resource: undefined, mutation: [], notEvaluated: [] };
  for (const server of run.servers) {
    const custom = customLifecycleFindings(value, server.version, options.lifecycle);
    findings.addAll(custom, [server.version]);
    if (custom.some(({ rule }) => rule === "removed-api")) {
      continue;
    }
    const found = findKind(server, value.apiVersion, value.kind);
    if ("problem" in found && isServed(run, server, value)) {
      facts = { ...facts, unchecked: "served by the cluster without a definition" };
      continue;
    }
    if ("problem" in found) {
      if (found.problem.rule === "removed-api" || !isAllowedUnknown(value, options)) {
        findings.add(found.problem, [server.version]);
      }
      continue;
    }
    const { resource } = found;
    const unserved = unservedProblem(run, server, value, resource);
    if (unserved !== undefined) {
      findings.add(unserved, [server.version]);
    }
    const namespace = namespaceIn(resource, value, options);
    ensureNamespace(server, namespace, options.podSecurity);
    const hasOld = run.old.of(value, namespace) !== undefined;
    const verdict = await itemVerdict(run, server, { item, value, resource, namespace, hasOld });
    findings.addAll(verdict.findings, [server.version]);
    findings.addAll(lifecycleFindings(value, server.version, resource), [server.version]);
    if (facts.resource === undefined) {
      findings.addAll(applyTraps(value, await server.context.schemas(resource)), options.versions);
      const { defined } = resource;
      facts = {
        resource,
        mutation: maskedMutation(verdict.mutation, value, options),
        notEvaluated: defined === undefined || hasOld ? [] : transitionRules(defined),
      };
    }
  }
  return facts;
}

function maskedMutation(
  mutation: Verdict["mutation"],
  value: ManifestValue,
  { redact }: CompleteOptions,
): readonly string[] {
  const { covers, mask } = secretsOf(value, fieldPatterns(redact));
  return mutation === undefined
    ? []
    : mutationLines(mutation, (path) => (covers(path) ? maskText : undefined)).map(mask);
}

/** Returns the namespace of an object; empty for a cluster-scoped kind. */
function namespaceIn(
  resource: ServedResource | undefined,
  value: ManifestValue,
  options: CompleteOptions,
): string {
  return resource?.namespaced === false ? "" : namespaceOf(value) || options.namespace;
}

/** Returns the findings that need no server. */
function ownFindings(
  run: Run,
  item: CheckItem,
  value: ManifestValue,
  resource: ServedResource,
  object: CheckedObject,
): RawFinding[] {
  const { namespace } = metadataOf(value);
  const own: RawFinding[] = [];
  if (!resource.namespaced && namespace !== undefined && namespace !== "" && namespace !== null) {
    const message = `${value.kind} is cluster-scoped, but the manifest has a namespace`;
    own.push({ rule: "namespace-scope", field: "metadata.namespace", message, hint: "remove it" });
  }
  if (resource.namespaced && namespaceOf(value) === "") {
    run.facts.withoutNamespace += 1;
  }
  const duplicate = run.duplicates.add(item, value, resource, object);
  return [
    ...own,
    ...(duplicate === undefined ? [] : [duplicate]),
    ...(run.references?.missingIn(value, object) ?? []),
  ];
}

function notAManifest(value: unknown): RawFinding {
  const what = isJsonObject(value)
    ? `has no ${value["kind"] === undefined ? "kind" : "apiVersion"}`
    : "is not a mapping";
  const hint = "exclude the file with --ignore, or skip such documents with --skip-non-manifests";
  return { rule: "not-a-manifest", message: `not a manifest: the document ${what}`, hint };
}

function isAllowedUnknown(value: ManifestValue, { allowUnknown }: CompleteOptions): boolean {
  const group = groupOf(value);
  return allowUnknown.some((pattern) => pathPattern(pattern).test(group));
}

function resultOf(
  { options, origins }: Run,
  item: CheckItem,
  object: CheckedObject | undefined,
  raw: readonly VersionedFinding[],
): CheckResult {
  const { findings, accepted, place } = itemFindings(item, object, raw, options, origins);
  const has = (severity: string) => findings.some((one) => one.severity === severity);
  return {
    ...(object === undefined ? {} : { object }),
    location: place.location,
    status: has("error") ? "invalid" : has("warning") ? "warned" : "valid",
    findings,
    accepted,
    notEvaluated: [],
    mutation: [],
  };
}

function skipped(
  run: Run,
  item: CheckItem,
  object: CheckedObject | undefined,
  reason: string,
): CheckResult {
  return { ...resultOf(run, item, object, []), status: "skipped", reason };
}
