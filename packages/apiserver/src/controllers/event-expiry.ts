import type { StoreEvent } from "../store/history.js";
import { splitKey } from "./pods/owned-pods.js";
import type { Controller, Reconciled } from "./runtime/controller.js";
import type { ControllerParts } from "./runtime/controller-parts.js";

/** Milliseconds until an Event expires after its last write: the default of kube-apiserver's `--event-ttl`. */
export const eventTtlMs = 3_600_000;

/** State of the expiry: the server, and when each Event expires, by storage and key. */
interface Expiry extends Pick<ControllerParts, "server" | "writer"> {
  readonly due: Map<string, number>;
}

/** Removes expired Events. On a real server etcd does so, so finalizers don't block it. */
export function createEventExpiry({ server, writer }: ControllerParts): Controller {
  const expiry: Expiry = { server, writer, due: new Map() };
  return {
    name: "event-expiry",
    follows: ["events"],
    delayMs: 0,
    keysOf: (event, storage) => keysOf(expiry, event, storage),
    reconcile: (id) => expire(expiry, id),
  };
}

function keysOf({ server, due }: Expiry, { key, type }: StoreEvent, storage: string): string[] {
  const id = `${storage} ${key}`;
  if (type === "DELETED") {
    due.delete(id);
    return [];
  }
  due.set(id, server.clock.now() + eventTtlMs);
  return [id];
}

/** Removes an Event whose time is over; returns the wait otherwise. */
export function expire({ server, writer, due }: Expiry, id: string): Reconciled {
  const [storage = "", key = ""] = id.split(" ");
  const left = (due.get(id) ?? 0) - server.clock.now();
  if (left > 0) {
    return { afterMs: left, kind: "background" };
  }
  if (writer.get(storage, ...splitKey(key)) !== undefined) {
    server.store.remove(storage, key);
  }
  return undefined;
}
