import { writeFileSync } from "node:fs";
import { connect, mergePatch } from "typekube";
import { Namespace, Pod } from "typekube/api/core/v1";
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

/** Starts a kube-apiserver with `count` pods, or returns `undefined` when no kube-apiserver is available. */
export async function startFilledServer(count: number): Promise<RealServer | undefined> {
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
  const caFile = `${server.folder}/bench-ca.pem`;
  writeFileSync(caFile, ca);
  return { url, token, caFile, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}
