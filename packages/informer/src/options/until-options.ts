import type { KubeObject } from "@typekube/api";
import { callback, type OptionTable } from "@typekube/core/internal";
import type { Store } from "../store/store.js";
import type { FollowOptions } from "./follow-options.js";

/** Options of `until`: the collection that it follows, and for how long. */
export interface UntilOptions<T extends KubeObject = KubeObject>
  extends Omit<FollowOptions, "maxBufferedEvents" | "maxBufferedObjects" | "view"> {
  /**
   * Milliseconds until the wait rejects. Default: no limit. A streaming list that pauses for half of it before its end
   * bookmark is replaced by a list.
   */
  readonly timeoutMs?: number | undefined;
  /** Called once, when all existing objects are known; true ends the wait. Conditions are called only after it. */
  readonly precondition?: ((present: ReadonlyStore<T>) => boolean | Promise<boolean>) | undefined;
}

/** The options that `until` adds to those of `follow`; `timeoutMs` is checked when the wait begins. */
export const untilOnly: OptionTable<Omit<UntilOptions, keyof FollowOptions>> = {
  precondition: callback,
  timeoutMs: true,
};

/** Read access to the existing objects, by key. */
export type ReadonlyStore<T extends KubeObject> = Pick<Store<T>, "get" | "size" | "values">;
