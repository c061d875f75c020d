import type { ResourceDescriptor } from "@typekube/api";
import { isNotFound } from "@typekube/core";
import type { CallOptions } from "../options.js";
import { isScopeProblem } from "../scope-problem.js";
import type { Discovery } from "./discovery.js";

/** Finds the descriptor of a resource: at once for a built-in one, by discovery for others. */
export type DescriptorSource = (options?: CallOptions) => Promise<ResourceDescriptor>;

/**
 * Makes a call with the descriptor of its resource. What discovery told may hold no more: a definition may have been replaced by
 * one with the other scope. Where the call meets that, discovery is asked anew, and if it tells otherwise now the call is made
 * once more. That is safe for writes: the first went to a path that is not served, or to none.
 */
export async function withDescriptor<R>(
  discovery: Discovery,
  source: DescriptorSource,
  options: CallOptions,
  call: (descriptor: ResourceDescriptor) => Promise<R>,
): Promise<R> {
  const known = await source(options);
  try {
    return await call(known);
  } catch (error) {
    if (!isAboutPath(error)) {
      throw error;
    }
    discovery.forget(known);
    const now = await source(options).catch(() => known);
    options.signal?.throwIfAborted();
    if (now.scope === known.scope && now.plural === known.plural) {
      throw error;
    }
    return call(now);
  }
}

/** A 404 that names no object is about the path (GRP10), and where the scope does not fit there is none. */
function isAboutPath(error: unknown): boolean {
  return isScopeProblem(error) || (isNotFound(error) && error.status?.details?.name === undefined);
}
