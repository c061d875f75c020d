import type { CallOptions } from "../options/call-options.js";
import type { PodTarget } from "./pod-target.js";

/** The pod of calls, or the choice of one: of a Deployment, a Job, a Service. */
export interface PodSource {
  /** Name of the pod, or of the object whose pods are meant. */
  readonly name: string;
  readonly namespace: string;
  /** Returns the pod for a call. */
  choose(options: CallOptions): Promise<PodTarget>;
  /** Returns the port of a pod that a port of the object leads to. Default: the port is the pod's. */
  readonly portOf?:
    | ((pod: PodTarget, port: number | string, options: CallOptions) => Promise<number>)
    | undefined;
}
