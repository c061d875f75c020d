import { type OptionTable, oneOf, text } from "@typekube/core/internal";
import { type CallOptions, callOptions } from "../options/call-options.js";

/** Options of a proxy. */
export interface ProxyOptions extends Omit<CallOptions, "onWarning" | "signal"> {
  /** Namespace of a Pod or Service. Default: the client's. */
  readonly namespace?: string | undefined;
  /**
   * Port: a number, or the name of a port of the Service. Default: the unnamed port of the Service, the first port that
   * the Pod declares, the kubelet's port of the Node.
   */
  readonly port?: number | string | undefined;
  /** Protocol between the API server and the backend, whose certificate it does not verify. Default `http`. */
  readonly scheme?: "http" | "https" | undefined;
  /**
   * Milliseconds until the headers of a response. Default: the transport's, and no limit while a body is sent in chunks.
   */
  readonly timeoutMs?: number | undefined;
}

/** Names and checks of {@link ProxyOptions}. */
export const proxyOptions: OptionTable<ProxyOptions> = {
  impersonate: true,
  namespace: text,
  port: {
    mustBe: "a number from 1 to 65535 or the name of a port",
    isValid: (value) =>
      typeof value === "number"
        ? Number.isInteger(value) && value >= 1 && value <= 65_535
        : typeof value === "string" && /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/i.test(value),
  },
  scheme: oneOf("http", "https"),
  timeoutMs: callOptions.timeoutMs,
};

/** Options of a WebSocket through a proxy. */
export interface ProxyConnectOptions {
  /** Headers for the backend, in any case. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Ends the handshake, and later the connection. */
  readonly signal?: AbortSignal | undefined;
}
