import type { Live } from "@typekube/api";
import type { Pod } from "@typekube/api/core/v1";
import type { CallOptions } from "../options/call-options.js";
import type { CallContext } from "../request/call-context.js";

/** The pod that a call is about. */
export interface PodTarget {
  readonly context: CallContext;
  readonly namespace: string;
  readonly name: string;
  /** Path of the pod below the server's base path. */
  readonly path: string;
  /** Reads the pod. */
  get(options: CallOptions): Promise<Live<Pod>>;
  /** Waits until a container runs. Clients without waits don't have it. */
  readonly untilRunning?:
    | ((container: string | undefined, options: CallOptions) => Promise<void>)
    | undefined;
}
