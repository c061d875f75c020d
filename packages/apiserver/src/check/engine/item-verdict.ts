import { stringifyJson } from "@typekube/core/internal";
import { maxBodyBytes } from "../../request/request-body.js";
import type { ServedResource } from "../../resources/served-resource.js";
import { type CheckItem, itemKey, type ManifestValue } from "../items/check-item.js";
import type { RawFinding } from "../items/raw-finding.js";
import type { CheckServer, Verdict } from "./check-server.js";
import { findingOfWarning, findingsOf } from "./read-verdict.js";
import { withDefinedOrigin, withPolicyOrigin } from "./rule-origin.js";
import type { Run } from "./run-state.js";
import { suggestField } from "./suggest-field.js";
import { updateStored } from "./write-item.js";

/** A manifest whose kind a server has. */
export interface KnownItem {
  readonly item: CheckItem;
  readonly value: ManifestValue;
  readonly resource: ServedResource;
  /** Empty for cluster-scoped kinds. */
  readonly namespace: string;
  /** True if `against` has the object before the change. */
  readonly hasOld: boolean;
}

/** Findings of a server about an item, and what its policies change. */
export interface ItemVerdict {
  readonly findings: readonly RawFinding[];
  readonly mutation: Verdict["mutation"];
}

/** Returns what a server says about an item; after unknown fields, also what it says once the fields are removed. */
export async function itemVerdict(
  run: Pick<Run, "installation" | "old">,
  server: CheckServer,
  known: KnownItem,
): Promise<ItemVerdict> {
  const { value, resource, namespace } = known;
  const verdict = await verdictOf(run, server, known);
  const found = await allFindings(verdict, () =>
    server.write({ resource, namespace, object: value, dryRun: true, fieldValidation: "Ignore" }),
  );
  const schema = await server.context.schemas(resource);
  return {
    mutation: verdict.mutation,
    findings: found.map((one) =>
      one.rule === "unknown-field" && one.field !== undefined
        ? { ...one, hint: suggestField(schema, one.field) }
        : withDefinedOrigin(one, resource.defined),
    ),
  };
}

async function verdictOf(
  run: Pick<Run, "installation" | "old">,
  server: CheckServer,
  { item, value, resource, namespace, hasOld }: KnownItem,
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
  const { mutation, failed } = now;
  return {
    failed,
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

function rawFindings({ error, warnings, failed = [] }: Verdict): RawFinding[] {
  return [...(error === undefined ? [] : findingsOf(error)), ...warnings.map(findingOfWarning)].map(
    (one) => withPolicyOrigin(one, failed),
  );
}
