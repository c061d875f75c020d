import type { KubeObject } from "@typekube/api";

/** Details of an event. */
export interface EventDetails {
  /** Action that was taken or failed, in CamelCase: `Scaling`. Default: the reason. */
  readonly action?: string | undefined;
  /** Another object that takes part. Default: none. */
  readonly related?: KubeObject | undefined;
}

/** Records events about objects, which `kubectl describe` shows. Never waits and never throws for a problem of the server. */
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
