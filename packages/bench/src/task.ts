import type { Faults } from "./faulty-writes.js";
import type { Runtime } from "./runtimes.js";

/** A program and its settings for a task. */
export interface Row {
  /** Name in the tables. */
  readonly program: string;
  /** File in `cells`, without extension. */
  readonly cell: string;
  readonly variant: string;
  /** Additional arguments for its Node. */
  readonly nodeArguments?: readonly string[] | undefined;
  /** Marks the row as a baseline that the ratios of other rows refer to. */
  readonly baseline?: Baseline | undefined;
  /**
   * Marks a slow row: a quick run measures it in only one round, and other runs leave it out of the additional rounds
   * of `repeats`.
   */
  readonly isSlow?: boolean | undefined;
}

/** Programs that others are compared with; those of client-go are named by their encoding. */
export type Baseline =
  | "cel-go"
  | "client-go"
  | "client-go fields"
  | "defaults"
  | "client-go JSON"
  | "client-node"
  | "client-node, trusted CA"
  | "controller-runtime"
  | "controller-runtime, priority queue"
  | "TypeKube"
  | "TypeKube JSON"
  | "floor"
  | "informer"
  | "kubectl"
  | "no rules"
  | "plain HTTP"
  | "undici, protobuf bytes"
  | "unsharded"
  | "whole objects"
  | "whole objects, JSON";

/** A task and the programs that do it. */
export interface Task {
  readonly name: string;
  /** Number of pods on the server. */
  readonly pods: number;
  /** Number of objects, events or calls that each program must have counted at the end. */
  readonly count: number;
  readonly rows: readonly Row[];
  /** Uses TLS. */
  readonly secure?: boolean | undefined;
  /** Uses a kube-apiserver with `pods` pods instead of the canned server. */
  readonly real?: boolean | undefined;
  /** Uses a separate API server for each program, whose connections are cut, instead of the canned server. */
  readonly faults?: Faults | undefined;
  /** Number of ConfigMaps of 1 kB on the kube-apiserver. Default 0. */
  readonly configMaps?: number | undefined;
  /** Updates per second of these ConfigMaps while a program runs. Default: none. */
  readonly updatesPerSecond?: number | undefined;
  /** Runs two processes of each program, which are candidates for one Lease, and ends the leader in this way. */
  readonly failover?: "kill" | "release" | undefined;
  /** Each program is a webhook, and another process sends it reviews. */
  readonly isWebhook?: boolean | undefined;
  /** Uses a server with one pod, which serves logs, commands and ports, instead of the canned server. */
  readonly isPodCall?: boolean | undefined;
  /** Each program forwards a port, and another process connects to it. */
  readonly isForward?: boolean | undefined;
  /** Milliseconds that a program may take. Default five minutes. */
  readonly timeoutMs?: number | undefined;
  /** Largest number of rounds. Default: that of the run. */
  readonly mostRounds?: number | undefined;
  /** Factor for the run's number of rounds: shorter tasks are noisier. Default 1. */
  readonly repeats?: number | undefined;
  /** Runtime of the programs. Default: the Node of the other tasks. */
  readonly runtime?: Runtime | undefined;
}
