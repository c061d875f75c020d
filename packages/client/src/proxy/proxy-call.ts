import { callScope } from "@typekube/core/internal";
import { impersonationHeaders } from "@typekube/transport";
import { eitherSignal } from "../request/either-signal.js";
import type { ClientContext } from "../resource/client-context.js";
import type { ProxyOptions } from "./proxy-options.js";

/** The proxy that a request goes through. */
export interface ProxyRoute {
  readonly context: ClientContext;
  /** Path on the API server that leads to the backend. */
  readonly base: string;
  readonly options: ProxyOptions;
}

/** Returns the headers of the user that a request is made as. */
export function userHeaders({ context, options }: ProxyRoute): Readonly<Record<string, string>> {
  const somebody = options.impersonate ?? context.defaults.impersonate;
  return somebody ? impersonationHeaders(somebody) : {};
}

/** Returns the signal that ends a request: the caller's, or that of the scope it is in. */
export function signalOf(signal: AbortSignal | undefined): AbortSignal | undefined {
  return eitherSignal(signal, callScope()?.signal);
}
