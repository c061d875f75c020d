import { KubeError } from "@typekube/core";
import type { ProxyAddress } from "./proxy-address.js";

/** An error that is a proxy's, and names it. */
export function proxyError(
  proxy: ProxyAddress,
  text: string,
  options: { readonly cause?: unknown; readonly hint?: string | undefined } = {},
): KubeError {
  return new KubeError("NetworkError", `the proxy ${proxy.shown} ${text}`, options);
}

/** What to do about a login that a proxy does not take. */
export const loginHint = "check the user and password in the proxy URL";
