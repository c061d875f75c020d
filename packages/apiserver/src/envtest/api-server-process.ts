import { readFile } from "node:fs/promises";
import { get } from "node:https";
import { join } from "node:path";
import { ServerProcess } from "./server-process.js";
import type { Users } from "./users.js";
import { waitUntil } from "./wait-until.js";

/** Milliseconds for one readiness request. */
const readinessTimeoutMs = 2_000;

/** A running kube-apiserver. */
export interface ApiServer {
  readonly url: string;
  /** CA of the server's self-signed certificate, as PEM. */
  readonly ca: string;
  readonly process: ServerProcess;
}

/** Options of a kube-apiserver process. */
export interface ApiServerOptions {
  readonly folder: string;
  readonly port: number;
  readonly etcdUrl: string;
  readonly users: Users;
  readonly flags: readonly string[];
  readonly timeoutMs: number;
}

/** Starts a kube-apiserver and waits until it reports that it is ready. */
export async function startApiServerProcess(
  { apiServer }: { readonly apiServer: string },
  options: ApiServerOptions,
): Promise<ApiServer> {
  const { folder, port, users } = options;
  const url = `https://127.0.0.1:${port}`;
  const certificates = join(folder, "certificates");
  const process = new ServerProcess(apiServer, [
    `--etcd-servers=${options.etcdUrl}`,
    `--secure-port=${port}`,
    "--bind-address=127.0.0.1",
    `--cert-dir=${certificates}`,
    "--service-cluster-ip-range=10.0.0.0/24",
    "--allow-privileged=true",
    "--authorization-mode=RBAC",
    "--disable-admission-plugins=ServiceAccount",
    `--service-account-issuer=${url}/`,
    `--service-account-key-file=${users.serviceAccountKeyFile}`,
    `--service-account-signing-key-file=${users.serviceAccountKeyFile}`,
    `--token-auth-file=${users.tokenFile}`,
    "--endpoint-reconciler-type=none",
    ...options.flags,
  ]);
  try {
    let ca = "";
    const isReady = async () => {
      ca = await readFile(join(certificates, "apiserver.crt"), "utf8");
      return (await statusOf(`${url}/readyz`, ca, users.tokens.admin)) === 200;
    };
    await waitUntil(isReady, process, options.timeoutMs);
    return { url, ca, process };
  } catch (error) {
    await process.kill();
    throw error;
  }
}

function statusOf(url: string, ca: string, token: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` };
    const timeout = AbortSignal.timeout(readinessTimeoutMs);
    get(url, { ca, headers, agent: false, signal: timeout }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).on("error", reject);
  });
}
