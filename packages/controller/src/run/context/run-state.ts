import type { KubeObject, Live } from "@typekube/api";

/** State of one run. */
export interface RunState {
  readonly key: string;
  readonly namespace: string | undefined;
  /** The newest state of the object that the run knows: as read, then as its own writes left it. */
  object: Live<KubeObject> | undefined;
  readonly signal: AbortSignal;
  /** Children that the run applied, by kind and key. */
  readonly applied: Set<string>;
  /** Children that are not ready for those that come after them. */
  readonly unready: Map<string, string>;
}
