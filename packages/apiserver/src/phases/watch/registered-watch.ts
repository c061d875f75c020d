import { KubeError } from "@typekube/core";
import type { WireWatchEvent } from "@typekube/core/internal";
import type { ServerContext } from "../../context/server-context.js";
import type { ResourceRequest } from "../../request/request-info.js";
import { EventQueue } from "../../store/event-queue.js";
import type { OpenWatch } from "../../store/watch-hub.js";

/** Number of events by which a reader may fall behind before its watch is ended. */
const watchQueueLimit = 10_000;

/** A watch that the server knows, and the end of it. */
export interface RegisteredWatch {
  readonly watch: OpenWatch;
  /** Functions that free timers and listeners at the end. */
  readonly cleanups: (() => void)[];
  /** Ends the watch; events that are queued can still be read. */
  readonly close: () => void;
}

/** Registers a watch, so that it can be listed, dropped and ended from outside. */
export function registerWatch(
  server: ServerContext,
  { resource, namespace }: ResourceRequest,
  user: OpenWatch["user"],
): RegisteredWatch {
  const queue = new EventQueue<WireWatchEvent>(watchQueueLimit);
  const cleanups: (() => void)[] = [];
  const watch: OpenWatch = {
    id: server.watches.nextId(),
    resource: resource.plural,
    namespace,
    user,
    storage: resource.storage,
    queue,
    end: () => close(),
    fail: (status) => {
      queue.prefill([{ type: "ERROR", object: status }]);
      close();
    },
    drop: () => {
      queue.fail(new KubeError("ConnectionReset", "the connection of the watch was reset"));
      close();
    },
  };
  // Frees timers and listeners at the end, whether or not the queued events are read.
  const close = () => {
    queue.end();
    server.watches.remove(watch);
    for (const cleanup of cleanups.splice(0)) {
      cleanup();
    }
  };
  server.watches.add(watch);
  return { watch, cleanups, close };
}
