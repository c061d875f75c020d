import { isJsonObject, stringifyJson } from "@typekube/core/internal";
import { maxBodyBytes } from "../../request/request-body.js";
import type { ServedResource } from "../../resources/served-resource.js";
import {
  type CheckItem,
  checkedObject,
  groupOf,
  isManifestValue,
  itemKey,
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
import { lifecycleFindings } from "../rules/lifecycle.js";
import { mutationLines } from "../rules/mutation-lines.js";
import { ReferenceIndex } from "../rules/references.js";
import { transitionRules } from "../rules/transition-rules.js";
import { type CheckServer, createCheckServer, type Verdict } from "./check-server.js";
import { findKind } from "./find-kind.js";
import { type Installation, install } from "./install.js";
import { itemFindings } from "./item-findings.js";
import { OldObjects } from "./old-objects.js";
import { findingOfWarning, findingsOf } from "./read-verdict.js";
import type { RunSources } from "./run-sources.js";
import { fieldPatterns, secretsOf } from "./secrets.js";
import { suggestField } from "./suggest-field.js";
import { ensureNamespace, updateStored } from "./write-item.js";

/** Facts about the input as a whole. */
export interface RunFacts {
  /** Number of objects that name no namespace. */
  withoutNamespace: number;
}

/** State of one run. */
interface Run {
  readonly options: CompleteOptions;
  readonly servers: readonly CheckServer[];
  readonly installation: Installation;
  readonly old: OldObjects;
  readonly duplicates: DuplicateObjects;
  readonly references: ReferenceIndex | undefined;
  readonly facts: RunFacts;
}

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
  const references = options.references
    ? await ReferenceIndex.read(
        [...sources.input, ...sources.policies, ...sources.crds],
        options.namespace,
      )
    : undefined;
  const duplicates = new DuplicateObjects();
  const run: Run = { options, servers, installation, old, duplicates, references, facts };
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
  const all = options.versions;
  findings.addAll(problems, all);
  let first: ServedResource | undefined;
  let mutation: readonly string[] = [];
  let notEvaluated: readonly string[] = [];
  for (const server of run.servers) {
    const found = findKind(server, value.apiVersion, value.kind);
    if ("problem" in found) {
      if (found.problem.rule !== "removed-api" && isAllowedUnknown(value, options)) {
        continue;
      }
      findings.add(found.problem, [server.version]);
      continue;
    }
    const { resource } = found;
    const isFirst = first === undefined;
    first ??= resource;
    const namespace = resource.namespaced ? namespaceOf(value) || options.namespace : "";
    ensureNamespace(server, namespace, options.podSecurity);
    const old = run.old.of(value, namespace);
    const verdict = await verdictOf(
      run,
      server,
      resource,
      namespace,
      item,
      value,
      old !== undefined,
    );
    const schema = await server.context.schemas(resource);
    for (const one of await allFindings(verdict, () =>
      server.write({ resource, namespace, object: value, dryRun: true, fieldValidation: "Ignore" }),
    )) {
      const hint =
        one.rule === "unknown-field" && one.field !== undefined
          ? suggestField(schema, one.field)
          : one.hint;
      findings.add({ ...one, hint }, [server.version]);
    }
    findings.addAll(lifecycleFindings(value, server.version, resource), [server.version]);
    if (isFirst) {
      findings.addAll(applyTraps(value, schema), all);
      notEvaluated =
        resource.defined === undefined || old !== undefined
          ? []
          : transitionRules(resource.defined);
      const { mask } = secretsOf(value, fieldPatterns(options.redact));
      mutation = verdict.mutation === undefined ? [] : mutationLines(verdict.mutation).map(mask);
    }
  }
  if (first === undefined && findings.all.length === 0) {
    return skipped(
      run,
      item,
      checkedObject(value, namespaceOf(value)),
      "unknown kind that is allowed",
    );
  }
  const namespace = first?.namespaced === false ? "" : namespaceOf(value) || options.namespace;
  const object = checkedObject(value, namespace);
  if (first !== undefined) {
    findings.addAll(ownFindings(run, item, value, first, object), all);
  }
  if (mutation.length > 0) {
    findings.add(
      {
        rule: "policy-mutation",
        message: `mutating policies change the object:\n${mutation.join("\n")}`,
      },
      all,
    );
  }
  return { ...resultOf(run, item, object, findings.all), notEvaluated, mutation };
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

async function verdictOf(
  run: Run,
  server: CheckServer,
  resource: ServedResource,
  namespace: string,
  item: CheckItem,
  value: ManifestValue,
  hasOld: boolean,
): Promise<Verdict> {
  const tooLarge = sizeProblem(item);
  if (tooLarge !== undefined) {
    return { error: tooLarge, warnings: [] };
  }
  const installed = run.installation.verdictOf(server, itemKey(item));
  if (installed === undefined && hasOld) {
    await run.old.store(server, resource, namespace, value);
    return updateStored(server, resource, namespace, value);
  }
  const verdict = await server.write({ resource, namespace, object: value, dryRun: true });
  return installed === undefined ? verdict : merged(installed, verdict);
}

/** Adds what policies say about an object that was checked before policies were installed. */
function merged(installed: Verdict, now: Verdict): Verdict {
  const isDenied =
    now.error !== undefined && findingsOf(now.error).some(({ rule }) => rule === "policy");
  const { mutation } = now;
  return {
    error: installed.error ?? (isDenied ? now.error : undefined),
    warnings: [...new Set([...installed.warnings, ...now.warnings])],
    ...(mutation === undefined ? {} : { mutation }),
  };
}

function sizeProblem({ text, value }: CheckItem): Verdict["error"] {
  // JSON is shorter than YAML, but for a few characters per value.
  if (text !== undefined && text.text.length < maxBodyBytes / 4) {
    return undefined;
  }
  const bytes = Buffer.byteLength(stringifyJson(value));
  const message = `Request entity too large: limit is ${maxBodyBytes}`;
  return bytes > maxBodyBytes ? { reason: "RequestEntityTooLarge", code: 413, message } : undefined;
}

/** Returns the findings of a verdict; after unknown fields, those that a server reports once the fields are removed, too. */
async function allFindings(
  verdict: Verdict,
  withoutUnknown: () => Promise<Verdict>,
): Promise<readonly RawFinding[]> {
  const found = rawFindings(verdict);
  const isStrict = found.length > 0 && found.every(({ rule }) => rule === "unknown-field");
  return isStrict ? [...found, ...rawFindings(await withoutUnknown())] : found;
}

function rawFindings({ error, warnings }: Verdict): RawFinding[] {
  return [...(error === undefined ? [] : findingsOf(error)), ...warnings.map(findingOfWarning)];
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
  { options }: Run,
  item: CheckItem,
  object: CheckedObject | undefined,
  raw: readonly VersionedFinding[],
): CheckResult {
  const { findings, accepted, place } = itemFindings(item, object, raw, options);
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

/** Collects findings; equal findings of several releases become one. */
class MergedFindings {
  readonly #byKey = new Map<
    string,
    VersionedFinding & { versions?: readonly string[] | undefined }
  >();
  readonly #hasVersions: boolean;

  constructor(hasVersions: boolean) {
    this.#hasVersions = hasVersions;
  }

  get all(): readonly VersionedFinding[] {
    return [...this.#byKey.values()];
  }

  addAll(findings: readonly VersionedFinding[], versions: readonly string[]): void {
    for (const finding of findings) {
      this.add(finding, versions);
    }
  }

  add(finding: VersionedFinding, versions: readonly string[]): void {
    const key = [finding.rule, finding.field, finding.message, finding.offset].join("\n");
    const known = this.#byKey.get(key);
    if (known?.versions !== undefined) {
      known.versions = [...new Set([...known.versions, ...versions])];
    } else if (known === undefined) {
      this.#byKey.set(key, {
        ...finding,
        ...(this.#hasVersions ? { versions: [...versions] } : {}),
      });
    }
  }
}
