import { basicAuth, bearerToken, type Credentials, tokenFile } from "@typekube/transport";
import {
  environmentParts,
  identityOf,
  sharedCredentials,
} from "../credentials/shared-credentials.js";
import { ConfigProblem, configError } from "../errors/config-problem.js";
import { execCredentials } from "../exec/exec-credentials.js";
import type { ExecOptions } from "../exec/exec-options.js";
import type { ExecCluster } from "../exec/exec-plugin.js";
import { execPluginFromUser } from "../exec/exec-plugin-from-user.js";
import { execSourceParts } from "../exec/exec-source.js";
import type {
  KubeconfigAuthProvider,
  KubeconfigEntry,
  KubeconfigUser,
} from "../kubeconfig/kubeconfig.js";
import { oidcConfigOf, oidcSourceParts } from "../oidc/oidc-config.js";
import { oidcCredentials } from "../oidc/oidc-credentials.js";

/** Connection details that the credentials of a user depend on. */
export interface CredentialsContext {
  /** Cluster information for exec plugins. */
  readonly cluster: ExecCluster;
  /** `true` when the connection already has a client certificate. Exec plugins do not run then, as in client-go. */
  readonly hasCertificate: boolean;
  readonly exec: ExecOptions;
}

/**
 * Returns the credentials of a kubeconfig user; `undefined` when the user has none, or only a certificate. No plugin
 * runs and no issuer is contacted before the first request.
 *
 * @throws {KubeError} `Config` for unsupported credentials. They are refused rather than ignored, since requests would
 * otherwise be sent as a different user.
 */
export function credentialsFromUser(
  entry: KubeconfigEntry<KubeconfigUser>,
  context: CredentialsContext,
): Credentials | undefined {
  const { name, value } = entry;
  if (value.tokenFile) {
    // With both, the token is used first and the file replaces it later.
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

/** Exec plugins that replace the auth providers which kubectl removed. */
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
          `${successor ? "kubectl removed in 1.26" : "is not supported"}`,
      ),
    ],
    successor
      ? `use its exec plugin ${successor}`
      : "use an exec plugin, or a user with a token or a client certificate",
  );
}
