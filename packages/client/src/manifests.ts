import type { KubeObject, Live } from "@typekube/api";
import { KubeError, parseManifests } from "@typekube/core";
import type { ClientContext } from "./client-context.js";
import type { ApplyOptions } from "./options.js";
import { ResourceOperations } from "./resource-operations.js";

/** YAML text with any number of documents, or the objects themselves. */
export type Manifests = string | readonly KubeObject[];

/** What became of one manifest. */
export interface AppliedObject {
  /** Its place among the manifests, from 0. */
  readonly index: number;
  readonly object: Live<KubeObject>;
}

/** Applies one after the other; a failure does not keep the rest from being tried. */
export async function applyEach(
  context: ClientContext,
  manifests: Manifests,
  options: ApplyOptions,
): Promise<AppliedObject[]> {
  const objects =
    typeof manifests === "string" ? await parseManifests(manifests) : manifests.flatMap(itemsOf);
  const applied: AppliedObject[] = [];
  const failures: KubeError[] = [];
  for (const [index, manifest] of objects.entries()) {
    try {
      applied.push({ index, object: await applyOne(context, manifest, options) });
    } catch (error) {
      options.signal?.throwIfAborted();
      failures.push(aboutManifest(KubeError.from(error), index, manifest, objects.length));
    }
  }
  const [first] = failures;
  if (first === undefined) {
    return applied;
  }
  const how =
    failures.length === 1 ? "" : `${failures.length} of ${objects.length} manifests failed; `;
  throw new KubeError(first.code, `${how}${first.rawMessage}`, {
    cause: new AggregateError(failures, "the manifests that failed"),
    status: first.status,
    httpStatus: first.httpStatus,
    retryAfterMs: first.retryAfterMs,
    request: first.request,
    hint: first.hint,
  });
}

/** A `kind: List`, as kubectl makes it, counts as its items. */
function itemsOf(object: KubeObject & { readonly items?: unknown }): readonly KubeObject[] {
  return object?.kind === "List" && Array.isArray(object.items) ? object.items : [object];
}

async function applyOne(
  context: ClientContext,
  manifest: KubeObject,
  options: ApplyOptions,
): Promise<Live<KubeObject>> {
  const { apiVersion, kind } = manifest ?? {};
  if (!apiVersion || !kind) {
    throw new KubeError("InvalidArgument", "it has no apiVersion or no kind");
  }
  const descriptor = await context.discovery.find({ apiVersion, kind }, options);
  const namespace =
    descriptor.scope === "Namespaced"
      ? (manifest.metadata?.namespace ?? context.namespace)
      : undefined;
  return new ResourceOperations(context, async () => descriptor, namespace).apply(
    manifest,
    options,
  );
}

function aboutManifest(
  error: KubeError,
  index: number,
  manifest: KubeObject,
  count: number,
): KubeError {
  const what = `${manifest?.kind ?? "object"} "${manifest?.metadata?.name ?? ""}"`;
  const which = count > 1 ? `manifest ${index} (${what})` : what;
  return new KubeError(error.code, `${which}: ${error.rawMessage}`, {
    cause: error,
    hint: error.hint,
    status: error.status,
    httpStatus: error.httpStatus,
    retryAfterMs: error.retryAfterMs,
    request: error.request,
  });
}
