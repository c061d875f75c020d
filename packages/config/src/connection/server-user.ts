import { basicAuth, type Credentials } from "@typekube/transport";
import { ConfigProblem, configError } from "../errors/config-problem.js";

/** The address of a server and the credentials from its URL. */
export interface ServerWithUser {
  /** URL without user and password. */
  readonly server: string;
  readonly auth?: Credentials;
}

/**
 * Splits user and password off the URL of a server, as in `https://user:password@host`. They are sent as basic
 * authentication and replace any token of the kubeconfig, as client-go's HTTP client does.
 *
 * @throws {KubeError} `Config` when they are not percent-encoded; the URL is not quoted.
 */
export function withoutServerUser(url: string): ServerWithUser {
  const [, scheme = "", userInfo, rest = ""] = /^([^/]*:\/\/)?([^/?#]*)@(.*)$/s.exec(url) ?? [];
  if (userInfo === undefined) {
    return { server: url };
  }
  const [user = "", ...password] = userInfo.split(":");
  try {
    const auth = basicAuth(decodeURIComponent(user), decodeURIComponent(password.join(":")));
    return { server: scheme + rest, auth };
  } catch {
    const text = "the user or the password in the URL of the server is not percent-encoded";
    throw configError([new ConfigProblem("Invalid", text)], "write % as %25");
  }
}
