import { writeFileSync } from "node:fs";
import { type Client, connect, mergePatch } from "typekube";
import { ConfigMap, Namespace, Pod } from "typekube/api/core/v1";
import { benchNamespace, configMapData, configMapName } from "./bench-objects.js";
import { concurrently } from "./concurrently.js";
import { makePods } from "./pod-data.js";
import type { ProcessInput } from "./process-input.js";

/** A kube-apiserver that runs until it is disposed, and a cell's connection to it. */
export interface RealServer
  extends AsyncDisposable,
    Pick<ProcessInput, "caFile" | "token" | "url"> {}

/** Result of `startRealServer` in `test/real-server`, which is not part of this package's build. */
interface Started extends AsyncDisposable {
  readonly folder: string;
  connectOptions(): { readonly server: string; readonly token: string; readonly ca: string };
}

/** Number of concurrent writers that fill the server; filling is not measured. */
const writers = 32;

/** Numbers of objects on a server. */
export interface Filling {
  readonly pods: number;
  readonly configMaps: number;
}

/** Starts a kube-apiserver with objects, or returns `undefined` when no kube-apiserver is available. */
export async function startFilledServer(filling: Filling): Promise<RealServer | undefined> {
  const module = new URL("../../test-support/src/real-server/real-server.ts", import.meta.url).href;
  const { startRealServer } = (await import(module)) as {
    startRealServer(): Promise<Started | undefined>;
  };
  const server = await startRealServer();
  if (server === undefined) {
    return undefined;
  }
  const { server: url, token, ca } = server.connectOptions();
  await using client = await connect({ server: url, token, ca });
  await fillPods(client, filling.pods);
  await fillConfigMaps(client, filling.configMaps);
  const caFile = `${server.folder}/bench-ca.pem`;
  writeFileSync(caFile, ca);
  return { url, token, caFile, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

async function fillPods(client: Client, count: number): Promise<void> {
  // The first pod has the name that programs request.
  const pods = makePods(count).map((pod, index) =>
    index === 0
      ? { ...pod, metadata: { ...pod.metadata, namespace: "team-00", name: "pod" } }
      : pod,
  );
  for (const name of new Set(pods.map(({ metadata }) => metadata.namespace ?? "default"))) {
    await client.resource(Namespace).apply({ metadata: { name } });
  }
  let next = 0;
  await concurrently(count, writers, async () => {
    const pod = pods[next++];
    if (pod !== undefined) {
      const { managedFields: _, resourceVersion: __, uid: ___, ...metadata } = pod.metadata;
      const namespace = metadata.namespace ?? "default";
      const resource = client.resource(Pod, namespace);
      await resource.create({ ...pod, metadata });
      // A pod is created without its status, which is a third of it and adds the second entry of managedFields.
      await resource.status.patch(metadata.name ?? "", mergePatch({ status: pod.status }));
    }
  });
}

/** Creates ConfigMaps of 1 kB in a namespace of their own, and one elsewhere, which stands for few. */
async function fillConfigMaps(client: Client, count: number): Promise<void> {
  if (count === 0) {
    return;
  }
  await client.resource(Namespace).apply({ metadata: { name: benchNamespace } });
  await client.resource(ConfigMap, "default").create({ metadata: { name: "only" } });
  const configMaps = client.resource(ConfigMap, benchNamespace);
  let next = 0;
  await concurrently(count, writers, async () => {
    const index = next++;
    await configMaps.create({
      metadata: { name: configMapName(index) },
      data: configMapData(index, 0),
    });
  });
}
