import { AsyncLocalStorage } from "node:async_hooks";
import type { HttpRequest } from "../http.js";

/**
 * Settings of every call that a piece of code makes, with whatever client, without passing it along: a reconcile runs
 * in one. Options of a call win over it; it wins over the defaults of a client.
 */
export interface CallScope {
  /** Ends the calls, together with their own signals. */
  readonly signal?: AbortSignal | undefined;
  /** Default `fieldManager` of writes. */
  readonly fieldManager?: string | undefined;
  /** Turns every write into a dry run, whatever its own options. */
  readonly dryRun?: "All" | undefined;
  /** Appended to the User-Agent: `/shops`. */
  readonly userAgentSuffix?: string | undefined;
  /**
   * Called right before each attempt of a call is sent, retries included. What it throws ends the call, and nothing is
   * sent.
   */
  readonly beforeAttempt?: ((request: Pick<HttpRequest, "method" | "path">) => void) | undefined;
  /**
   * Called when a connection is about to send an attempt, which may have waited for it since {@link beforeAttempt}. What
   * it throws ends the call, and nothing is sent.
   */
  readonly beforeSend?: ((request: Pick<HttpRequest, "method" | "path">) => void) | undefined;
  /** Returns the milliseconds that the next attempt may last; a longer timeout of the call is cut to it. */
  readonly maxAttemptMs?: (() => number) | undefined;
  /**
   * `true` sends calls over connections of their own, past the rate limit of the client: the renewal of a lease must not
   * wait for the calls that depend on it.
   */
  readonly isUrgent?: boolean | undefined;
  /** Called with the response to each write of an object. */
  readonly onWrite?: ((write: ScopedWrite) => void) | undefined;
}

/** A write that succeeded in a scope. */
export interface ScopedWrite {
  readonly method: "DELETE" | "PATCH" | "POST" | "PUT";
  /** Stands for the connection of the client that wrote: clients that share it write to the same cluster. */
  readonly connection: object;
  /** `apps/v1`. */
  readonly apiVersion: string;
  readonly kind: string;
  readonly subresource: string | undefined;
  /** The decoded response: an object, or a Status. */
  readonly response: unknown;
}

const scopes = new AsyncLocalStorage<CallScope>();

/** Returns the scope that the current code runs in; `undefined` outside of one. */
export function callScope(): CallScope | undefined {
  return scopes.getStore();
}

/** Runs a function, and everything asynchronous that it starts, in a scope. */
export function withCallScope<T>(scope: CallScope, run: () => T): T {
  return scopes.run(scope, run);
}

/** Runs a function outside of any scope: for what outlives the code that starts it, such as a shared cache. */
export function withoutCallScope<T>(run: () => T): T {
  return scopes.getStore() === undefined ? run() : scopes.exit(run);
}
