import { KubeError } from "@typekube/core";
import type { ProxyAddress } from "./proxy-address.js";

/** Creates an error that names the proxy. */
export function proxyError(
  proxy: ProxyAddress,
  text: string,
  options: { readonly cause?: unknown; readonly hint?: string | undefined } = {},
): KubeError {
  return new KubeError("NetworkError", `the proxy ${proxy.shown} ${text}`, options);
}

/** Hint for credentials that a proxy rejects. */
export const loginHint = "check the user and password in the proxy URL";
