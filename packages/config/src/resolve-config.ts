import {
  basicAuth,
  bearerToken,
  type Credentials,
  type TlsOptions,
  tokenFile,
} from "@typekube/transport";
import { ConfigProblem, configError } from "./config-problem.js";
import type { ConnectionConfig, ConnectionOptions } from "./connection-options.js";
import { credentialsFromUser } from "./credentials-from-user.js";
import { isEmptyKubeconfig, type Kubeconfig } from "./kubeconfig.js";
import { kubeconfigPaths, loadKubeconfig } from "./load-kubeconfig.js";
import { isInCluster, podNamespace, serviceAccountConfig } from "./service-account.js";
import { tlsFromCluster, tlsFromUser } from "./tls-from-kubeconfig.js";
import { chooseContext } from "./validate-context.js";

/**
 * Finds the connection: what the options say, then the kubeconfig (the chosen or the current context), then the
 * service account of the pod we run in.
 *
 * @throws {KubeError} `Config`, with everything that is wrong and where it stands.
 */
export async function resolveConfig(options: ConnectionOptions = {}): Promise<ConnectionConfig> {
  const env = options.env ?? process.env;
  const pod = { env, serviceAccountDir: options.serviceAccountDir };
  refuseContradictions(options);
  if (options.inCluster) {
    return override(await serviceAccountConfig(pod), options);
  }
  const namesKubeconfig = options.kubeconfig !== undefined || options.context !== undefined;
  if (options.server !== undefined && !namesKubeconfig) {
    return override({ server: options.server, tls: {}, namespace: "default" }, options);
  }
  const kubeconfig = await kubeconfigOf(options);
  const mayBeInCluster = options.inCluster !== false && (await isInCluster(pod));
  if (isEmptyKubeconfig(kubeconfig)) {
    if (mayBeInCluster && !namesKubeconfig) {
      return override(await serviceAccountConfig(pod), options);
    }
    throw emptyError(options, kubeconfig);
  }
  const config = await fromKubeconfig(kubeconfig, options);
  return config.namespace === ""
    ? { ...config, namespace: mayBeInCluster ? await podNamespace(pod) : "default" }
    : config;
}

function kubeconfigOf(options: ConnectionOptions): Kubeconfig | Promise<Kubeconfig> {
  const { kubeconfig, env, homeDir } = options;
  return typeof kubeconfig === "object"
    ? kubeconfig
    : loadKubeconfig({ path: kubeconfig, env, homeDir });
}

/** The connection of a context; its namespace may be empty. */
async function fromKubeconfig(
  kubeconfig: Kubeconfig,
  options: ConnectionOptions,
): Promise<ConnectionConfig> {
  const replaced = { server: options.server !== undefined };
  const { name, context, cluster, user } = chooseContext(kubeconfig, options.context, replaced);
  if (cluster.value["proxy-url"]) {
    const text = `the cluster "${cluster.name}" needs a proxy (proxy-url), not supported yet`;
    throw configError([new ConfigProblem("Unsupported", text)]);
  }
  const server = options.server ?? cluster.value.server ?? "";
  // As client-go: over plain http nobody shows who they are, so nothing of the user is even read.
  const secret = user && !server.startsWith("http://") ? user : undefined;
  const [clusterTls, userTls] = await Promise.all([
    tlsFromCluster(cluster),
    secret && !options.cert ? tlsFromUser(secret) : {},
  ]);
  const auth = secret && !credentialsOf(options) ? credentialsFromUser(secret) : undefined;
  return override(
    {
      server,
      tls: { ...clusterTls, ...userTls },
      ...(auth ? { auth } : {}),
      ...(cluster.value["disable-compression"] ? { disableCompression: true } : {}),
      namespace: context.namespace ?? "",
      contextName: name,
    },
    options,
  );
}

/** Puts what the caller gave in place of what was found, by client-go's rules. */
function override(config: ConnectionConfig, options: ConnectionOptions): ConnectionConfig {
  const { ca, cert, key, serverName, insecureSkipVerify, server, namespace } = options;
  const tls: { -readonly [K in keyof TlsOptions]: TlsOptions[K] } = { ...config.tls };
  if (server !== undefined) {
    // The name was that of the other server.
    delete tls.serverName;
  }
  if (ca !== undefined || insecureSkipVerify !== undefined) {
    delete tls.ca;
    delete tls.insecureSkipVerify;
  }
  if (cert !== undefined || key !== undefined) {
    delete tls.cert;
    delete tls.key;
  }
  const given = { ca, cert, key, serverName, insecureSkipVerify: insecureSkipVerify || undefined };
  for (const [field, value] of Object.entries(given)) {
    if (value !== undefined) {
      Object.assign(tls, { [field]: value });
    }
  }
  const auth = credentialsOf(options);
  return {
    ...config,
    tls,
    ...(server === undefined ? {} : { server }),
    ...(auth ? { auth } : {}),
    ...(namespace ? { namespace } : {}),
  };
}

function credentialsOf(options: ConnectionOptions): Credentials | undefined {
  const { token, tokenFile: path, username, password } = options;
  if (path !== undefined) {
    return tokenFile(path, { initialToken: token });
  }
  if (token !== undefined) {
    return bearerToken(token);
  }
  return username === undefined ? undefined : basicAuth(username, password ?? "");
}

function refuseContradictions(options: ConnectionOptions): void {
  const hasToken = options.token !== undefined || options.tokenFile !== undefined;
  if (hasToken && options.username !== undefined) {
    throw configError([
      new ConfigProblem("Invalid", "both a token and a user name with password are given"),
    ]);
  }
}

function emptyError(options: ConnectionOptions, kubeconfig: Kubeconfig): Error {
  const looked =
    kubeconfig.missingFiles.length + kubeconfig.files.length > 0
      ? [...kubeconfig.files, ...kubeconfig.missingFiles]
      : kubeconfigPaths(options);
  return configError(
    [
      new ConfigProblem(
        "Empty",
        `there is no configuration: ${looked.join(", ")} ${looked.length > 1 ? "say" : "says"} nothing or is not there, and this is no pod`,
      ),
    ],
    "set KUBECONFIG, pass { server, token }, or run inside a cluster",
  );
}
