import { splitKey } from "./pods/owned-pods.js";
import type { Controller } from "./runtime/controller.js";
import type { ControllerParts } from "./runtime/controller-parts.js";

/** Milliseconds until an Event expires after its last write: the default of kube-apiserver's `--event-ttl`. */
export const eventTtlMs = 3_600_000;

/** Removes expired Events. On a real server etcd does so, so finalizers don't block it. */
export function createEventExpiry({ server, writer }: ControllerParts): Controller {
  const { clock, store } = server;
  const due = new Map<string, number>();
  return {
    name: "event-expiry",
    follows: ["events"],
    delayMs: 0,
    keysOf({ key, type }, storage) {
      const id = `${storage} ${key}`;
      if (type === "DELETED") {
        due.delete(id);
        return [];
      }
      due.set(id, clock.now() + eventTtlMs);
      return [id];
    },
    reconcile(id) {
      const [storage = "", key = ""] = id.split(" ");
      const left = (due.get(id) ?? 0) - clock.now();
      if (left > 0) {
        return { afterMs: left, kind: "background" };
      }
      if (writer.get(storage, ...splitKey(key)) !== undefined) {
        store.remove(storage, key);
      }
      return undefined;
    },
  };
}
