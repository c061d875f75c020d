import type { Store } from "../../../store/store.js";

/** Storage of Leases. */
const leases = "leases.coordination.k8s.io";

/** Knows who holds the Leases of a run, and who held them before a pause. */
export class LeaseWatch {
  readonly #holders = new Map<string, string>();
  /** Leases of paused processes, with the identity under which they held them. */
  readonly #lost = new Map<string, ReadonlyMap<string, string>>();

  constructor(store: Store) {
    store.onCommit(({ type, key, object }, storage) => {
      if (storage === leases) {
        const spec = object["spec"] as { readonly holderIdentity?: string } | undefined;
        this.#holders.set(key, type === "DELETED" ? "" : (spec?.holderIdentity ?? ""));
      }
    });
  }

  /**
   * Remembers what a process holds when it is paused: Leases whose holder has its name. Returns whether all Leases are
   * held by processes whose name shows.
   */
  remember(process: string): boolean {
    const isNamed = (holder: string) => new RegExp(`${process}(?!\\d)`).test(holder);
    const held = [...this.#holders].filter(([, holder]) => isNamed(holder));
    this.#lost.set(process, new Map(held));
    return [...this.#holders.values()].every(
      (holder) => holder === "" || /operator-\d/.test(holder),
    );
  }

  /** Returns who holds a Lease now that a paused process held; `undefined` when it still does, or never did. */
  lostTo(process: string): string | undefined {
    for (const [key, holder] of this.#lost.get(process) ?? []) {
      const now = this.#holders.get(key) ?? "";
      if (holder !== "" && now !== "" && now !== holder) {
        return now;
      }
    }
    return undefined;
  }
}
