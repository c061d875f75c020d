import { type ApiServerOptions, startApiServer } from "@typekube/apiserver";
import { call, deployments, type Json } from "@typekube/test-support/api-calls";

export const replicaSets = deployments.replace("deployments", "replicasets");
export const jobs = "/apis/batch/v1/namespaces/default/jobs";
export const containers = [{ name: "main", image: "registry.k8s.io/pause:3.10" }];
export const workload = (name: string, replicas: number, more: object = {}) => ({
  metadata: { name },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers } },
    ...more,
  },
});

export function start(options: ApiServerOptions = { controllers: true }) {
  return startApiServer({ ...options, clock: "virtual" });
}

export type Server = Awaited<ReturnType<typeof start>>;

export async function items(api: Server, path: string): Promise<Json[]> {
  return (await call(api, "GET", path)).body.items;
}

export async function names(api: Server, path: string): Promise<string[]> {
  return (await items(api, path)).map(({ metadata }) => metadata.name);
}

/** Waits until the controllers are idle: only the time of their reactions passes. */
export function rest(api: Server): Promise<void> {
  return api.settled();
}
