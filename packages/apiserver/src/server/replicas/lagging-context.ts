import type { ServerContext } from "../../context/server-context.js";
import type { ResourceRequest } from "../../request/request-info.js";
import { type Follower, followStore, storeBefore } from "./follower.js";

const reads: ReadonlySet<string> = new Set(["get", "list", "watch"]);

/** Returns a server context that reads from a follower and writes to the leader. */
export function throughFollower(server: ServerContext, { store }: Follower): ServerContext {
  return { ...server, store, leader: server.store };
}

/** Returns the server context for a request: the follower's for reads that may be stale. */
export function contextFor(
  server: ServerContext,
  follower: Follower | undefined,
  { verb, query }: ResourceRequest,
): ServerContext {
  if (follower === undefined || !reads.has(verb)) {
    return server;
  }
  // A most-recent read goes to the store through any server; a watch begins with its own server's state.
  const isNewest = verb !== "watch" && (query.get("resourceVersion") ?? "") === "";
  const pages = query.has("continue");
  return isNewest && !pages ? server : throughFollower(server, follower);
}

/**
 * Returns the server's state before its last `writes`, for one request. A watch opened on it then catches up with the
 * leader.
 */
export function staleContext(
  server: ServerContext,
  writes: number,
): { readonly context: ServerContext; readonly follower: Follower } {
  const follower = followStore(server, { writes: 0 }, storeBefore(server.store, writes));
  // Watches of the follower end unnoticed, so check on each write.
  const forget = server.store.follow(() => {
    if (!follower.store.isObserved) {
      follower.stop();
      forget();
    }
  });
  return { context: { ...server, store: follower.store }, follower };
}
