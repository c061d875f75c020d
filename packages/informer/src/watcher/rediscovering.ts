import type { Discovery } from "@typekube/client/internal";
import { isNotFound, KubeError } from "@typekube/core";
import type { WatchSource } from "./watch-source.js";

/**
 * A source of a kind that is found by discovery, such as a custom resource. When the server does not know the resource any more,
 * what discovery said of it is forgotten: the kind may come back under another name or scope. So it is when what discovery said cannot be
 * used: a kind that came back without namespaces may come back with them once more.
 */
export function rediscovering(
  source: WatchSource,
  discovery: Pick<Discovery, "invalidate">,
): WatchSource {
  return {
    subject: source.subject,
    descriptor: (options) => source.descriptor(options),
    listParts: (...request) => forgetting(source.listParts(...request), discovery),
    watchBatches: (...request) => forgetting(source.watchBatches(...request), discovery),
  };
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
