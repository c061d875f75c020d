import { isForbidden, KubeError } from "@typekube/core";
import { callScope } from "@typekube/core/internal";
import { impersonationHeaders } from "@typekube/transport";
import { openWebSocket, type WebSocketConnection } from "@typekube/transport/internal";
import { assertCallOptions, type CallOptions } from "../options/call-options.js";
import { errorOptions } from "../request/call-context.js";
import { eitherSignal } from "../request/either-signal.js";
import type { PodTarget } from "./pod-target.js";

/** A stream to open. */
export interface PodStreamRequest {
  readonly subresource: "attach" | "exec" | "portforward";
  /** Parameters of the query in their order; a name may repeat. */
  readonly query: readonly [name: string, value: string][];
  /** Subprotocols to offer, the preferred one first. */
  readonly protocols: readonly string[];
  readonly options: CallOptions;
}

/**
 * Opens a WebSocket to a subresource of a pod.
 *
 * @throws {KubeError} the server's refusal; a `Forbidden` names both verbs that servers may require.
 */
export async function openPodStream(
  { context, path }: PodTarget,
  { subresource, query, protocols, options }: PodStreamRequest,
): Promise<WebSocketConnection> {
  assertCallOptions(options);
  const somebody = options.impersonate ?? context.defaults.impersonate;
  const parameters = new URLSearchParams(query);
  try {
    return await openWebSocket(context.send, {
      path: `${path}/${subresource}${parameters.size > 0 ? `?${parameters}` : ""}`,
      headers: somebody ? impersonationHeaders(somebody) : {},
      protocols,
      signal: eitherSignal(options.signal, callScope()?.signal),
      timeoutMs: options.timeoutMs ?? context.defaults.timeoutMs,
      errors: errorOptions(context),
    });
  } catch (error) {
    throw isForbidden(error) ? withVerbs(error, subresource) : error;
  }
}

/** From 1.35 on, servers require `create` for these streams, and earlier ones `get` over a WebSocket. */
function withVerbs(error: KubeError, subresource: string): KubeError {
  const { code, rawMessage, ...more } = error;
  return new KubeError(code, rawMessage, {
    ...more,
    cause: error.cause,
    hint: `the user needs the verbs get and create on pods/${subresource}: servers since 1.35 require create, earlier ones get`,
  });
}
