import type { Discovery } from "@typekube/client/internal";
import { isNotFound, KubeError } from "@typekube/core";
import type { WatchSource } from "./watch-source.js";
import { wrapSource } from "./wrap-source.js";

/**
 * Wraps a source whose kind is found by discovery, such as a custom resource. When the server no longer knows the
 * resource, the discovery cache is invalidated: the kind may return with another name or scope. The same happens when
 * the discovered scope can't be used: a kind that returned cluster-wide may become namespaced once more.
 */
export function rediscovering(
  source: WatchSource,
  discovery: Pick<Discovery, "invalidate">,
): WatchSource {
  return wrapSource(source, {
    listParts: (...request) => forgetting(source.listParts(...request), discovery),
    watchBatches: (...request) => forgetting(source.watchBatches(...request), discovery),
  });
}

async function* forgetting<P>(
  parts: AsyncIterable<P>,
  discovery: Pick<Discovery, "invalidate">,
): AsyncIterable<P> {
  try {
    yield* parts;
  } catch (error) {
    if (isNotFound(error) || (error instanceof KubeError && error.code === "InvalidArgument")) {
      discovery.invalidate();
    }
    throw error;
  }
}
