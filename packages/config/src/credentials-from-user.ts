import { basicAuth, bearerToken, type Credentials, tokenFile } from "@typekube/transport";
import { ConfigProblem, configError } from "./config-problem.js";
import type { KubeconfigEntry, KubeconfigUser } from "./kubeconfig.js";

/**
 * The credentials of a user of a kubeconfig; `undefined` when there are none beside a certificate. Further kinds of
 * credentials (exec plugins, OIDC) have their place here.
 *
 * @throws {KubeError} `Config` for what is not supported: it is refused rather than left out, since requests
 *   would go out as somebody else.
 */
export function credentialsFromUser(
  entry: KubeconfigEntry<KubeconfigUser>,
): Credentials | undefined {
  const { name, value } = entry;
  refuseUnsupported(name, value);
  if (value.tokenFile) {
    // Both: the token is used first, the file keeps it fresh.
    return tokenFile(value.tokenFile, { initialToken: value.token ?? "" });
  }
  if (value.token) {
    return bearerToken(value.token);
  }
  if (value.username) {
    return basicAuth(value.username, value.password ?? "");
  }
  return undefined;
}

function refuseUnsupported(name: string, user: KubeconfigUser): void {
  const provider = user["auth-provider"];
  const unsupported = [
    user.exec ? `the exec plugin ${user.exec.command ?? ""}` : undefined,
    provider ? `the auth-provider ${provider.name ?? ""}` : undefined,
    user.as ? "impersonation" : undefined,
  ].filter((what) => what !== undefined);
  if (unsupported.length > 0) {
    throw configError(
      unsupported.map(
        (what) =>
          new ConfigProblem("Unsupported", `the user "${name}" needs ${what}, not supported yet`),
      ),
      "give a token, or use a user with a token or a client certificate",
    );
  }
}
