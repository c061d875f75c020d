import type { ResourceDescriptor } from "@typekube/api";
import { isNotFound } from "@typekube/core";
import type { CallOptions } from "../options/call-options.js";
import { isScopeProblem } from "../request/scope-problem.js";
import type { Discovery } from "./discovery.js";
import { explainPath } from "./explain-path.js";

/** Returns the descriptor of a resource: at once when it was given, otherwise by discovery. */
export type DescriptorSource = (options?: CallOptions) => Promise<ResourceDescriptor>;

/**
 * Makes a call with the descriptor of its resource. The descriptor may be outdated: a definition may have been replaced
 * by one with the other scope. When the call fails for that reason, this queries discovery again and repeats the call
 * once if scope or plural differ. That is safe for writes: the first request went to a path that is not served, or was
 * never sent. A descriptor that the program gave is not replaced: the error says what the server has instead.
 */
export async function withDescriptor<R>(
  discovery: Pick<Discovery, "find" | "forget">,
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
      throw await explainPath(discovery, known, error, options);
    }
    return call(now);
  }
}

/**
 * Returns true for an error about the path: a 404 that names no object (GRP10), or a wrong scope, for which there is no
 * path.
 */
function isAboutPath(error: unknown): boolean {
  return isScopeProblem(error) || (isNotFound(error) && error.status?.details?.name === undefined);
}
