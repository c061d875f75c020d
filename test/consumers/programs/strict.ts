// A user's program that must compile in every strict mode of the compiler.
import {
  type Client,
  type ConnectOptions,
  conditions,
  connect,
  type Informer,
  KubeError,
  mergePatch,
} from "typekube";
import { ConfigMap, Pod, type PodSpec } from "typekube/api/core/v1";
import { loadKubeconfig } from "typekube/config";

/** Settings that may be undefined and are passed on unchanged. */
export interface Settings {
  readonly context?: string | undefined;
  readonly namespace?: string | undefined;
  readonly token?: string | undefined;
}

export async function open({ context, namespace, token }: Settings): Promise<Client> {
  const options: ConnectOptions = {
    kubeconfig: await loadKubeconfig(),
    context,
    namespace,
    token,
  };
  return connect(options);
}

export async function levels(client: Client, limit?: number): Promise<Map<string, string>> {
  const found: Map<string, string> = new Map();
  const maps = client.resource(ConfigMap, "default");
  const { items } = await maps.list({ limit, labelSelector: undefined });
  for (const { metadata, data } of items) {
    found.set(metadata.name, data?.["level"] ?? "");
  }
  return found;
}

export async function run(client: Client, spec: PodSpec, signal?: AbortSignal): Promise<string> {
  const pods = client.resource(Pod, "default");
  await pods.create({ metadata: { name: "a", labels: undefined }, spec }, { signal });
  await pods.patch("a", mergePatch({ metadata: { labels: { app: "x" } } }));
  const pod: Pod | undefined = await pods.waitFor("a", conditions.ready(), {
    signal,
    timeoutMs: undefined,
  });
  const first = pod?.spec?.containers[0];
  return first?.name ?? "";
}

export class Phases {
  readonly #informer: Informer<Pod>;

  constructor(client: Client) {
    this.#informer = client.informer(Pod, { namespace: "default", failAfterMs: undefined });
  }

  of(name: string): string | undefined {
    return this.#informer.get(name)?.status?.phase;
  }
}

export function codeOf(error: unknown): KubeError["code"] | undefined {
  return error instanceof KubeError ? error.code : undefined;
}
