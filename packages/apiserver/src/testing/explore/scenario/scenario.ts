import type { KubeObject } from "@typekube/api";
import type { Controller, ManagerOptions } from "@typekube/controller";
import type { Clock, Random } from "@typekube/core/internal";
import type { Client } from "typekube";
import type { ApiServerOptions } from "../../../server/api-server-options.js";
import type { LoadSource } from "../../../server/load.js";
import type { World } from "../world/world.js";
import type { Externals } from "./externals.js";

/** Tools of an operator, given at its start. It must use nothing else that waits or differs from run to run. */
export interface OperatorContext<X extends Externals = Externals> {
  /** Client of this process of the operator. Its requests can fail, and those of a crashed process are never answered. */
  readonly client: Client;
  /** Clock of this process, for its time and its timers. */
  readonly clock: Clock;
  /** Random numbers that are the same in each run. */
  readonly random: Random;
  /** Name of this process: `operator-1`, after a restart `operator-2`. */
  readonly identity: string;
  /** Aborts when the run is over. A crash gives no sign. */
  readonly signal: AbortSignal;
  /** The systems outside of the cluster. Their calls can fail like requests. */
  readonly externals: X;
}

/**
 * Starts an operator: returns its controllers, or runs until its end. A process whose promise ends is started again,
 * like the container of a Deployment.
 */
export type Operator<X extends Externals = Externals> = (
  context: OperatorContext<X>,
) => Controller | Promise<unknown> | readonly Controller[] | undefined;

/** Something that a user does, or that happens in the cluster. */
export type UserStep<X extends Externals = Externals> = (
  client: Client,
  world: World<X>,
) => unknown;

/** Verdict on a world: fine for `true` and `undefined`, otherwise `false`, a text that says why, or a thrown error. */
export type WorldCheck<X extends Externals = Externals> = (world: World<X>) => unknown;

/** An operator, what happens to it, and what must be true. */
export interface Scenario<X extends Externals = Externals> {
  /** Name for reports. Default: none. */
  readonly name?: string | undefined;
  /** Definitions and objects that exist at the beginning, as `load` of `startApiServer` takes them. Default: none. */
  readonly load?: LoadSource | undefined;
  /** Options of the API server: controllers, stages, webhooks, policies, users. Default: none. */
  readonly server?:
    | Omit<ApiServerOptions, "clock" | "journalLimit" | "load" | "onError" | "seed">
    | undefined;
  /** Starts the operator. */
  readonly operator: Operator<X>;
  /** Options of the manager, when the operator is controllers. Default: none. */
  readonly manager?:
    | Omit<ManagerOptions, "clock" | "controllers" | "log" | "onError" | "random" | "signal">
    | undefined;
  /**
   * Makes a system outside of the cluster, by name, for each run. What it holds is part of the world; a `state()` method
   * returns it, otherwise its own fields count. Default: none.
   */
  readonly externals?: { readonly [Name in keyof X]: () => X[Name] } | undefined;
  /** Steps of users, in order, by name. Each begins when the operator has nothing left to do about the last one. */
  readonly steps: Readonly<Record<string, UserStep<X>>>;
  /** Checks that must hold after every write, by name. Default: none. */
  readonly invariants?: Readonly<Record<string, WorldCheck<X>>> | undefined;
  /** Decides whether the end is right. Default: the world equals that of the run without faults. */
  readonly converged?: WorldCheck<X> | undefined;
  /**
   * Returns true for objects that don't count when worlds are compared, beside Events, Leases, and dependents that the
   * cluster's own controllers make, such as the ReplicaSets of a Deployment. Default: none.
   */
  readonly ignore?: ((object: KubeObject) => boolean) | undefined;
  /**
   * Milliseconds of the scenario's clock for which the world must stay right, without further writes. A run ends then: a
   * failure that shows later is not found. Longer times take longer to search when the operator is woken by timers. At most
   * a day. Default 10,000.
   */
  readonly stableMs?: number | undefined;
  /**
   * Milliseconds of the scenario's clock in which the world must be right after the last step, `stableMs` included; at
   * least twice as much, at most two days. A run that would fail does not wait longer for the operator's next look, as it
   * does without this option. Default 600,000.
   */
  readonly withinMs?: number | undefined;
}
