import type { KubeObject } from "@typekube/api";

/** Details of an event. */
export interface EventDetails {
  /** Action that was done or failed, in CamelCase: `Scaling`; at most 128 characters. Default: the reason. */
  readonly action?: string | undefined;
  /** Another object that takes part. Default: none. */
  readonly related?: KubeObject | undefined;
  /**
   * `true` records events with different notes separately. By default they are one event, which is counted and shows the
   * newest note.
   */
  readonly separateNotes?: boolean | undefined;
}

/**
 * Records events about objects, which `kubectl describe` shows. Never waits, and never throws for a problem of the
 * server. Both functions throw `InvalidArgument` for an object without a name or kind, and for a reason or an action that
 * the API would reject.
 */
export interface EventRecorder<Reason extends string = string> {
  /**
   * Records that something went as it should.
   *
   * @param reason - one word in CamelCase, at most 128 characters.
   * @param note - text for people; longer ones than 1,024 bytes are cut.
   */
  normal(object: KubeObject, reason: Reason, note: string, details?: EventDetails): void;
  /** Records that something may need attention. */
  warning(object: KubeObject, reason: Reason, note: string, details?: EventDetails): void;
}
