import type { KubeObject, Live } from "@typekube/api";
import { callback, flag, type OptionCheck, type OptionTable, oneOf } from "@typekube/core/internal";

/** Options of `run.apply`. */
export interface ApplyChildOptions {
  /**
   * Reaction when the server refuses to change a field of an existing object: fail, or delete the object in the
   * foreground, wait, and create it again. Default `fail`.
   */
  readonly onImmutable?: "fail" | "recreate" | undefined;
  /**
   * `label` marks the object with the owner's uid instead of an owner reference, for objects that the owner cannot own:
   * in another namespace, or cluster-wide. They are pruned by the label. Default `owner`.
   */
  readonly track?: "label" | "owner" | undefined;
  /** Objects that must be ready before this one is applied; see `readyWhen`. Default: none. */
  readonly after?: readonly KubeObject[] | undefined;
  /** Tells when this object is ready for those that come after it. Default: it exists. */
  readonly readyWhen?: ((object: Live<KubeObject>) => boolean) | undefined;
  /** Takes fields from other field managers. Default true. */
  readonly force?: boolean | undefined;
}

const list: OptionCheck = { mustBe: "an array", isValid: Array.isArray };

/** Names and checks of {@link ApplyChildOptions}. */
export const applyChildOptions: OptionTable<ApplyChildOptions> = {
  after: list,
  force: flag,
  onImmutable: oneOf("fail", "recreate"),
  readyWhen: callback,
  track: oneOf("label", "owner"),
};
