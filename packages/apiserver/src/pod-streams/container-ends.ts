import { allowManyListeners } from "@typekube/core/internal";
import type { ServerContext } from "../context/server-context.js";
import type { ApiObject } from "../objects/api-object.js";
import { getPath, isJsonObject } from "../objects/json-value.js";
import type { StoreEvent } from "../store/history.js";

const statusLists = ["containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses"];

/** Ends of the containers of one server that requests are interested in. */
class ContainerEnds {
  /** By the UID of the pod, then by the container; the pod itself has an empty name. */
  readonly #waiting = new Map<string, Map<string, AbortController>>();

  constructor({ store }: ServerContext) {
    store.collection("pods").listen((event) => this.#see(event));
  }

  endOf(pod: ApiObject, container: string): AbortSignal {
    if (hasEnded(pod, container)) {
      return AbortSignal.abort();
    }
    const uid = pod.metadata.uid ?? "";
    const ends = this.#waiting.get(uid) ?? new Map<string, AbortController>();
    const end = ends.get(container) ?? new AbortController();
    allowManyListeners(end.signal);
    this.#waiting.set(uid, ends.set(container, end));
    return end.signal;
  }

  #see({ type, object, previous }: StoreEvent): void {
    const uids = new Set([object.metadata.uid ?? "", previous?.metadata.uid ?? ""]);
    for (const uid of uids) {
      const isGone = type === "DELETED" || object.metadata.uid !== uid;
      const ends = this.#waiting.get(uid) ?? new Map<string, AbortController>();
      for (const [container, end] of ends) {
        if (isGone || hasEnded(object, container)) {
          ends.delete(container);
          end.abort();
        }
      }
      if (ends.size === 0) {
        this.#waiting.delete(uid);
      }
    }
  }
}

const endsOf = new WeakMap<ServerContext, ContainerEnds>();

/**
 * Returns a signal that is aborted once a container has ended, by the status of its pod, or the pod is gone.
 *
 * @param container - omitted: the end of the whole pod.
 */
export function endOf(server: ServerContext, pod: ApiObject, container = ""): AbortSignal {
  const ends = endsOf.get(server) ?? new ContainerEnds(server);
  endsOf.set(server, ends);
  return ends.endOf(pod, container);
}

function hasEnded(pod: ApiObject, container: string): boolean {
  const phase = getPath(pod, "status", "phase");
  if (phase === "Succeeded" || phase === "Failed") {
    return true;
  }
  const status = statusLists
    .flatMap((list) => getPath(pod, "status", list) ?? [])
    .filter(isJsonObject)
    .find(({ name }) => container !== "" && name === container);
  return isJsonObject(getPath(status, "state", "terminated"));
}
