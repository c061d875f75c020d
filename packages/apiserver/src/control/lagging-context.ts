import type { ResourceRequest } from "../request/request-info.js";
import type { ServerContext } from "../server-context.js";
import { type Follower, followStore, storeBefore } from "./follower.js";

const reads: ReadonlySet<string> = new Set(["get", "list", "watch"]);

/** The server as a follower of it shows it: reads come from there, writes go to the leader. */
export function throughFollower(server: ServerContext, { store }: Follower): ServerContext {
  return { ...server, store, leader: server.store };
}

/** The server that a request is answered by: the follower for what may come from it. */
export function contextFor(
  server: ServerContext,
  follower: Follower | undefined,
  { verb, query }: ResourceRequest,
): ServerContext {
  if (follower === undefined || !reads.has(verb)) {
    return server;
  }
  // A read of the newest asks the store itself, whichever server it comes to; a watch begins with what its server has.
  const isNewest = verb !== "watch" && (query.get("resourceVersion") ?? "") === "";
  const pages = query.has("continue");
  return isNewest && !pages ? server : throughFollower(server, follower);
}

/** The server as it was so many writes ago, for one request; what it opens catches up with the leader afterwards. */
export function staleContext(
  server: ServerContext,
  writes: number,
): { readonly context: ServerContext; readonly follower: Follower } {
  const follower = followStore(server, { writes: 0 }, storeBefore(server.store, writes));
  // Nobody says when a watch of it is over.
  const forget = server.store.follow(() => {
    if (!follower.store.isObserved) {
      follower.stop();
      forget();
    }
  });
  return { context: { ...server, store: follower.store }, follower };
}
