import { basicAuth, bearerToken, type Credentials, tokenFile } from "@typekube/transport";
import { ConfigProblem, configError } from "./config-problem.js";
import { execCredentials } from "./exec/exec-credentials.js";
import type { ExecOptions } from "./exec/exec-options.js";
import type { ExecCluster } from "./exec/exec-plugin.js";
import { execPluginFromUser } from "./exec/exec-plugin-from-user.js";
import { execSourceParts } from "./exec/exec-source.js";
import type { KubeconfigAuthProvider, KubeconfigEntry, KubeconfigUser } from "./kubeconfig.js";
import { oidcConfigOf, oidcSourceParts } from "./oidc/oidc-config.js";
import { oidcCredentials } from "./oidc/oidc-credentials.js";
import { environmentParts, identityOf, sharedCredentials } from "./shared-credentials.js";

/** What credentials need to know besides their user. */
export interface CredentialsContext {
  /** The cluster that a plugin is told of. */
  readonly cluster: ExecCluster;
  /** A certificate is there already: plugins are not asked, as in client-go. */
  readonly hasCertificate: boolean;
  readonly exec: ExecOptions;
}

/**
 * The credentials of a user of a kubeconfig; `undefined` when there are none beside a certificate. Nothing is run or
 * asked before the first request.
 *
 * @throws {KubeError} `Config` for what is not supported: it is refused rather than left out, since requests
 *   would go out as somebody else.
 */
export function credentialsFromUser(
  entry: KubeconfigEntry<KubeconfigUser>,
  context: CredentialsContext,
): Credentials | undefined {
  const { name, value } = entry;
  if (value.tokenFile) {
    // Both: the token is used first, the file keeps it fresh.
    const { clock } = context.exec;
    return tokenFile(value.tokenFile, { initialToken: value.token ?? "", clock });
  }
  if (value.token) {
    return bearerToken(value.token);
  }
  if (value.username) {
    return basicAuth(value.username, value.password ?? "");
  }
  if (value["auth-provider"]) {
    return fromProvider(name, value["auth-provider"], context);
  }
  if (value.exec && !context.hasCertificate) {
    const source = { plugin: execPluginFromUser(entry, value.exec), cluster: context.cluster };
    return sharedCredentials(execSourceParts(source, context.exec), () =>
      execCredentials(source, context.exec),
    );
  }
  return undefined;
}

/** What took the place of the providers that kubectl once had. */
const successors: Readonly<Record<string, string>> = {
  azure: "kubelogin",
  gcp: "gke-gcloud-auth-plugin",
};

function fromProvider(
  name: string,
  provider: KubeconfigAuthProvider,
  { exec: { clock, env } }: CredentialsContext,
): Credentials {
  if (provider.name === "oidc") {
    const config = oidcConfigOf(name, provider.config ?? {});
    const parts = [oidcSourceParts(config), environmentParts(env), identityOf(clock)];
    return sharedCredentials(parts, () => oidcCredentials(config, { clock, env }));
  }
  const kind = provider.name ?? "";
  const successor = successors[kind];
  throw configError(
    [
      new ConfigProblem(
        "Unsupported",
        `the user "${name}" needs the auth-provider ${kind || "without a name"}, which ` +
          `${successor ? "kubectl removed in 1.26" : "is not known"}`,
      ),
    ],
    successor
      ? `use its exec plugin ${successor}`
      : "use an exec plugin, or a user with a token or a client certificate",
  );
}
