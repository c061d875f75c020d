import { assertOptions } from "@typekube/core/internal";
import {
  basicAuth,
  bearerToken,
  type Credentials,
  Secret,
  type TlsOptions,
  tokenFile,
} from "@typekube/transport";
import { isPlausiblePath, serverUrl } from "@typekube/transport/internal";
import { anonymous } from "./connection/anonymous.js";
import { boundedWork } from "./connection/bounded-work.js";
import {
  type ConnectionConfig,
  type ConnectionOptions,
  connectionOptions,
} from "./connection/connection-options.js";
import { credentialsFromUser } from "./connection/credentials-from-user.js";
import { impersonationFromUser } from "./connection/impersonation-from-user.js";
import { withoutServerUser } from "./connection/server-user.js";
import { isInCluster, podNamespace, serviceAccountConfig } from "./connection/service-account.js";
import { tlsFilesOf, tlsFromCluster, tlsFromUser } from "./connection/tls-from-kubeconfig.js";
import { chooseContext } from "./connection/validate-context.js";
import { processEnvironment } from "./environment/process-environment.js";
import { proxyFromEnvironment } from "./environment/proxy-from-environment.js";
import { ConfigProblem, configError, hasConfigProblem } from "./errors/config-problem.js";
import { execCluster } from "./exec/exec-cluster.js";
import { execOptions } from "./exec/exec-options.js";
import { checkPolicy } from "./exec/exec-policy.js";
import { checkFileReferences } from "./kubeconfig/file-references.js";
import { isEmptyKubeconfig, type Kubeconfig } from "./kubeconfig/kubeconfig.js";
import { kubeconfigPaths } from "./kubeconfig/kubeconfig-paths.js";
import { loadKubeconfig } from "./kubeconfig/load-kubeconfig.js";
import { namespaceName } from "./kubeconfig/namespace-name.js";
import { type KubeconfigContent, parseKubeconfig } from "./kubeconfig/parse-kubeconfig.js";

/**
 * Resolves the connection: from the options, then the kubeconfig (the chosen or the current context), then the service
 * account of the pod that this process runs in.
 *
 * @throws {KubeError} `Config`, with all problems and where they are; `InvalidArgument` for an unknown option or one of a
 * wrong type.
 */
export async function resolveConfig(options: ConnectionOptions = {}): Promise<ConnectionConfig> {
  assertOptions("a connection", options, connectionOptions);
  refuseContradictions(options);
  const found = await boundedWork(() => findConfig(options), options);
  refusePassword(found.server);
  const config = throughProxy(found, options);
  return options.anonymous ? anonymous(config) : config;
}

/**
 * Rejects a user or password in the URL. The transport does so too; here nothing that could be logged contains the URL
 * yet.
 */
function refusePassword(server: string): void {
  if (/^(?:[^/]*\/\/)?[^/?#]*@/.test(server)) {
    const text = "the URL of the server contains a user or a password";
    throw configError([new ConfigProblem("Invalid", text)], "pass username and password");
  }
}

/** Chooses the proxy: the caller's, then the cluster's, then the environment's. */
function throughProxy(config: ConnectionConfig, options: ConnectionOptions): ConnectionConfig {
  const { proxy: given, env = processEnvironment() } = options;
  const { proxy: found, ...direct } = config;
  const server = serverUrl(config.server, config.tls);
  const url =
    given === undefined ? (found ?? proxyFromEnvironment(server, env)) : given || undefined;
  if (url === undefined) {
    return direct;
  }
  const proxy = typeof url === "string" ? new Secret(url) : url;
  if (!/^(https?|socks5h?):\/\/[^/]/i.test(proxy.reveal())) {
    // The URL is not quoted, since it may contain a password.
    const text = `the proxy for ${config.server} is not an http, https or socks5 URL`;
    throw configError([new ConfigProblem("Invalid", text)], "write it as http://host:port");
  }
  return { ...direct, proxy };
}

async function findConfig(options: ConnectionOptions): Promise<ConnectionConfig> {
  const env = options.env ?? processEnvironment();
  const pod = { env, serviceAccountDir: options.serviceAccountDir, clock: options.clock };
  if (options.inCluster) {
    return override(await serviceAccountConfig(pod), options);
  }
  const namesKubeconfig = options.kubeconfig !== undefined || options.context !== undefined;
  if (options.server !== undefined && !namesKubeconfig) {
    return override({ server: options.server, tls: {}, namespace: "default" }, options);
  }
  const mayBeInCluster = options.inCluster !== false && (await isInCluster(pod));
  const kubeconfig = await kubeconfigOf(options, mayBeInCluster && !namesKubeconfig);
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

async function kubeconfigOf(
  options: ConnectionOptions,
  hasServiceAccount: boolean,
): Promise<Kubeconfig> {
  const { kubeconfig, env, homeDir } = options;
  if (kubeconfig === undefined || (typeof kubeconfig === "string" && isPlausiblePath(kubeconfig))) {
    try {
      return await loadKubeconfig({ path: kubeconfig, env, homeDir });
    } catch (error) {
      // A pod that runs as another user than its image expects may not read the home directory, which holds no files of
      // its own. kubectl fails here; for a file that the user named, we fail too.
      const isIgnored = hasServiceAccount && (await kubeconfigPaths(options)).isDefault;
      if (isIgnored && hasConfigProblem(error, "Unreadable")) {
        return parseKubeconfig({});
      }
      throw error;
    }
  }
  return isLoaded(kubeconfig) ? kubeconfig : parseKubeconfig(kubeconfig);
}

function isLoaded(kubeconfig: Kubeconfig | KubeconfigContent | string): kubeconfig is Kubeconfig {
  return typeof kubeconfig === "object" && kubeconfig?.["clusters"] instanceof Map;
}

/** Returns the connection of a context; its namespace may be empty. */
async function fromKubeconfig(
  kubeconfig: Kubeconfig,
  options: ConnectionOptions,
): Promise<ConnectionConfig> {
  const replaced = { server: options.server !== undefined };
  const { name, context, cluster, user } = chooseContext(kubeconfig, options.context, replaced);
  const { server, auth: serverUser } =
    options.server === undefined
      ? withoutServerUser(cluster.value.server ?? "")
      : { server: options.server };
  await checkFileReferences(options.fileReferences ?? "all", cluster, user);
  // As in client-go, no credentials are sent over plain http, so none are read. Impersonation stays: it is no secret,
  // and without it a proxy's own permissions would apply.
  const isNobody = server.startsWith("http://") || options.anonymous === true;
  const person = isNobody ? undefined : user;
  const [clusterTls, userTls] = await Promise.all([
    tlsFromCluster(cluster),
    person && !options.cert ? tlsFromUser(person) : {},
  ]);
  const impersonation =
    user && options.anonymous !== true ? impersonationFromUser(user.value) : undefined;
  const config = override(
    {
      server,
      tls: { ...clusterTls, ...userTls },
      tlsFiles: tlsFilesOf(cluster, person),
      ...(impersonation ? { impersonate: impersonation } : {}),
      ...(cluster.value["proxy-url"] ? { proxy: new Secret(cluster.value["proxy-url"]) } : {}),
      ...(cluster.value["disable-compression"] ? { disableCompression: true } : {}),
      namespace: context.namespace ?? "",
      contextName: name,
    },
    options,
  );
  if (serverUser && !config.auth) {
    return { ...config, auth: serverUser };
  }
  if (config.auth || !person) {
    return config;
  }
  const auth = credentialsFromUser(person, {
    cluster: execCluster(config.server, config.tls, cluster.value),
    hasCertificate: config.tls.cert !== undefined,
    exec: execOptions({
      policy: options.execPlugins,
      stdin: options.stdin,
      env: options.env,
      timeoutMs: options.execPluginTimeoutMs,
      clock: options.clock,
    }),
  });
  return auth ? { ...config, auth } : config;
}

/** Overrides the resolved values with the caller's, following client-go's rules. */
function override(config: ConnectionConfig, options: ConnectionOptions): ConnectionConfig {
  const { ca, cert, key, serverName, insecureSkipVerify, server, namespace, impersonate } = options;
  const { tlsFiles, ...rest } = config;
  const files: { -readonly [K in keyof NonNullable<typeof tlsFiles>]: string | undefined } = {
    ...tlsFiles,
  };
  const tls: { -readonly [K in keyof TlsOptions]: TlsOptions[K] } = { ...config.tls };
  if (server !== undefined) {
    // The name belonged to the server that is replaced.
    delete tls.serverName;
  }
  if (ca !== undefined || insecureSkipVerify !== undefined) {
    delete tls.ca;
    delete tls.insecureSkipVerify;
    delete files.ca;
  }
  if (cert !== undefined || key !== undefined) {
    delete tls.cert;
    delete tls.key;
    delete files.cert;
    delete files.key;
  }
  const given = { ca, cert, key, serverName, insecureSkipVerify: insecureSkipVerify || undefined };
  for (const [field, value] of Object.entries(given)) {
    if (value !== undefined) {
      Object.assign(tls, { [field]: value });
    }
  }
  const auth = credentialsOf(options);
  return {
    ...rest,
    tls,
    ...(Object.keys(files).length > 0 ? { tlsFiles: files } : {}),
    ...(impersonate ? { impersonate } : {}),
    ...(server === undefined ? {} : { server }),
    ...(auth ? { auth } : {}),
    ...(namespace ? { namespace: namespaceName(namespace) } : {}),
  };
}

function credentialsOf(options: ConnectionOptions): Credentials | undefined {
  const { token, tokenFile: path, username, password, clock } = options;
  if (path !== undefined) {
    return tokenFile(path, { initialToken: token, clock });
  }
  if (token !== undefined) {
    return bearerToken(token);
  }
  return username === undefined ? undefined : basicAuth(username, password ?? "");
}

function refuseContradictions(options: ConnectionOptions): void {
  const { token, tokenFile, username, cert, impersonate, execPlugins } = options;
  const hasToken = token !== undefined || tokenFile !== undefined;
  if (hasToken && username !== undefined) {
    throw configError([
      new ConfigProblem("Invalid", "a token cannot be combined with a user name and password"),
    ]);
  }
  if (options.anonymous && (hasToken || username !== undefined || cert || impersonate)) {
    throw configError([
      new ConfigProblem("Invalid", "anonymous cannot be combined with credentials or a user"),
    ]);
  }
  if (execPlugins !== undefined) {
    checkPolicy(execPlugins);
  }
}

function emptyError(options: ConnectionOptions, kubeconfig: Kubeconfig): Error {
  const empty = kubeconfig.files.map((file) => `${file} is empty`);
  const missing = kubeconfig.missingFiles.map((file) => `${file} does not exist`);
  const found = [...empty, ...missing];
  const looked = found.length > 0 ? found.join(", ") : "no kubeconfig file is named";
  const pod = options.inCluster === false ? "inCluster is false" : "no service account is mounted";
  return configError(
    [new ConfigProblem("Empty", `no configuration found: ${looked}, and ${pod}`)],
    "set KUBECONFIG, pass { server, token }, or run in a cluster",
  );
}
