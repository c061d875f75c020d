import { integerFrom, type OptionTable, oneOf } from "@typekube/core/internal";
import type { ClientDefaults } from "../options/client-defaults.js";

/** Options of {@link serveProxy}; the defaults are those of `kubectl proxy`. */
export interface ServeProxyOptions extends Pick<ClientDefaults, "impersonate"> {
  /** Local port. Default 0: a free one. */
  readonly port?: number | undefined;
  /** Address to listen on; others than loopback are rejected, since the proxy asks for no credentials. Default `127.0.0.1`. */
  readonly host?: "127.0.0.1" | "::1" | "localhost" | undefined;
  /** Names in the `Host` header that are accepted. Default: localhost, 127.0.0.1 and [::1]. */
  readonly acceptHosts?: readonly RegExp[] | undefined;
  /** Paths that are accepted. Default: all. */
  readonly acceptPaths?: readonly RegExp[] | undefined;
  /** Paths that are rejected even if accepted. Default: exec and attach of pods. */
  readonly rejectPaths?: readonly RegExp[] | undefined;
  /** Methods that are rejected. Default: none. */
  readonly rejectMethods?: readonly RegExp[] | undefined;
  /** Receives errors of single requests. Default: none; the client gets a 502. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

const patterns = {
  mustBe: "a list of regular expressions",
  isValid: (value: unknown) =>
    Array.isArray(value) && value.every((pattern) => pattern instanceof RegExp),
};

/** Names and checks of {@link ServeProxyOptions}. */
export const serveProxyOptions: OptionTable<ServeProxyOptions> = {
  acceptHosts: patterns,
  acceptPaths: patterns,
  host: oneOf("127.0.0.1", "::1", "localhost"),
  impersonate: true,
  onError: true,
  port: integerFrom(0),
  rejectMethods: patterns,
  rejectPaths: patterns,
};
