import type { HttpRequest, HttpSend } from "@typekube/core/internal";
import type { Store } from "../../../store/store.js";
import { requestFacts } from "../record/call.js";

/** Storage of Leases. */
const leases = "leases.coordination.k8s.io";

/** The holder of a Lease: the identity in it, and the process that wrote it there. */
interface Holder {
  readonly identity: string;
  /** `undefined` for a Lease that no process of the operator wrote. */
  process: string | undefined;
}

/** A request in progress that writes a Lease. */
interface OpenWrite {
  readonly process: string;
  /** Returns whether it may have caused a commit. */
  readonly matches: (key: string, isNew: boolean) => boolean;
  /** The commits in the meantime. */
  readonly stored: Holder[];
}

/**
 * Knows which process holds each Lease of a run: the one whose write set the holder, whatever its identity is. Remembers
 * what a process held before a pause.
 */
export class LeaseWatch {
  readonly #holders = new Map<string, Holder>();
  /** Leases of paused processes, with the identity under which they held them. */
  readonly #lost = new Map<string, ReadonlyMap<string, string>>();
  readonly #open = new Set<OpenWrite>();

  constructor(store: Store) {
    store.onCommit(({ type, key, object }, storage) => {
      if (storage === leases) {
        const { holderIdentity = "" } = (object["spec"] ?? {}) as { holderIdentity?: string };
        const identity = type === "DELETED" ? "" : holderIdentity;
        const before = this.#holders.get(key);
        const process =
          identity !== "" && identity === before?.identity ? before.process : undefined;
        const holder: Holder = { identity, process };
        this.#holders.set(key, holder);
        for (const write of this.#open) {
          if (write.matches(key, type === "ADDED")) {
            write.stored.push(holder);
          }
        }
      }
    });
  }

  /** Returns the transport of a process, which is observed when it writes Leases. */
  observed(process: string, send: HttpSend): HttpSend {
    return async (request) => {
      const matches = leaseMatcher(request);
      if (matches === undefined) {
        return send(request);
      }
      const write: OpenWrite = { process, matches, stored: [] };
      this.#open.add(write);
      try {
        const response = await send(request);
        if (response.status < 300) {
          this.#wrote(write);
        }
        return response;
      } finally {
        this.#open.delete(write);
      }
    };
  }

  /** Records that a process wrote a Lease: the first write that was stored meanwhile, and that no other process claimed. */
  #wrote({ process, stored }: OpenWrite): void {
    const [own] = stored;
    if (own !== undefined && own.identity !== "") {
      own.process = process;
      for (const other of this.#open) {
        const at = other.stored.indexOf(own);
        if (other.process !== process && at >= 0) {
          other.stored.splice(at, 1);
        }
      }
    }
  }

  /**
   * Remembers what a process holds when it is paused. Returns whether all Leases are held by processes of the operator, as
   * far as one holds them.
   */
  remember(process: string): boolean {
    const held = [...this.#holders].filter(([, holder]) => holder.process === process);
    this.#lost.set(process, new Map(held.map(([key, { identity }]) => [key, identity])));
    return [...this.#holders.values()].every(
      (holder) => holder.identity === "" || holder.process !== undefined,
    );
  }

  /** Returns who holds a Lease now that a paused process held; `undefined` when it still does, or never did. */
  lostTo(process: string): string | undefined {
    for (const [key, identity] of this.#lost.get(process) ?? []) {
      const now = this.#holders.get(key);
      const isOther = now?.process !== process && now?.identity !== identity;
      if (now !== undefined && now.identity !== "" && isOther) {
        return now.process ?? now.identity;
      }
    }
    return undefined;
  }

  /** Returns a Lease that a paused process held, and that another one holds with the same identity now. */
  sharedBy(process: string): string | undefined {
    for (const [key, identity] of this.#lost.get(process) ?? []) {
      const now = this.#holders.get(key);
      if (now?.identity === identity && now.process !== undefined && now.process !== process) {
        return key;
      }
    }
    return undefined;
  }
}

/** Returns what recognizes the commit of a request that writes a Lease; `undefined` for another request. */
function leaseMatcher(request: HttpRequest): OpenWrite["matches"] | undefined {
  if (!request.path.includes("/leases")) {
    return undefined;
  }
  const { resource, name, isWrite, verb } = requestFacts(request);
  if (resource !== "leases" || !isWrite) {
    return undefined;
  }
  return verb === "create"
    ? (key, isNew) => isNew && key.startsWith(`${name}/`)
    : (key) => key === name;
}
