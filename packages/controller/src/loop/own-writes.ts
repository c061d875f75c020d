import type { KubeObject, Live } from "@typekube/api";
import { contextOf } from "@typekube/client/internal";
import type { ScopedWrite } from "@typekube/core/internal";
import { kindId } from "../definition/any-kind.js";
import type { Log } from "../log/log.js";
import { isLiveObject, type RunContext } from "../run/context/run-context.js";
import type { RunTarget } from "./run-once.js";

/** Milliseconds for which `consistency: "wait"` holds a key. (KEP-5647) */
const consistencyMs = 5_000;

/** The writes of a controller's runs: they are laid over the caches, and the next run of their key may wait for them. */
export class OwnWrites {
  readonly #context: RunContext;
  readonly #log: Log;
  readonly #isAwaited: boolean;
  /** Writes of the last run of each key, for `consistency: "wait"`. */
  readonly #written = new Map<string, (readonly [kind: string, object: Live<KubeObject>])[]>();

  constructor(context: RunContext, log: Log) {
    this.#context = context;
    this.#log = log;
    this.#isAwaited = context.controller.settings.consistency === "wait";
  }

  /** Returns whether the next run of a key has writes to wait for. */
  has(key: string): boolean {
    return this.#written.has(key);
  }

  forget(key: string): void {
    this.#written.delete(key);
  }

  /**
   * Lays a write over the caches, for the reads of this run and of following ones. Those of clients with another
   * connection than the controller's are left out.
   */
  note(key: string, { connection, apiVersion, kind, response }: ScopedWrite): void {
    const { caches, controller, client } = this.#context;
    const id = kindId({ apiVersion, kind });
    const cache = caches.get(id);
    if (cache === undefined || !isLiveObject(response)) {
      return;
    }
    if (connection !== contextOf(client).lifetime) {
      // The object of that name in another cluster is another object.
      return;
    }
    const { deletionTimestamp, finalizers = [] } = response.metadata;
    const isOwn = id === kindId(controller.kind.kind);
    if (deletionTimestamp !== undefined && finalizers.length === 0 && isOwn) {
      cache.deleted(response);
    } else {
      cache.mutated(response);
    }
    if (this.#isAwaited) {
      const written = this.#written.get(key);
      if (written === undefined) {
        this.#written.set(key, [[id, response]]);
      } else {
        written.push([id, response]);
      }
    }
  }

  /** Waits until the caches show the writes of a key's last run, or for five seconds, and forgets them. */
  async caughtUp({ key, signal }: RunTarget): Promise<void> {
    const written = this.#written.get(key) ?? [];
    this.#written.delete(key);
    const options = { signal, timeoutMs: consistencyMs };
    const waits = written.map(([id, object]) =>
      this.#context.caches.get(id)?.caughtUpTo(object, options),
    );
    for (const wait of await Promise.allSettled(waits)) {
      if (wait.status === "rejected" && !signal.aborted) {
        this.#log.warn(`${key}: the cache did not show an own write in ${consistencyMs} ms`);
        return;
      }
    }
  }
}
