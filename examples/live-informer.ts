// A live cache of pods: initial objects, changes, and recovery when the connection breaks and the server's history has
// expired.
//
//   pnpm demo             on an embedded API server, nothing else needed
//   pnpm demo --cluster   the read-only part on the cluster of your kubeconfig
import { readFile } from "node:fs/promises";
import { startApiServer } from "@typekube/apiserver";
import { type Client, connect, type Live, mergePatch } from "typekube";
import { Pod } from "typekube/api/core/v1";

/** Starts an informer over pods with an index by node, and prints each change as a line. */
function watchPods(client: Client) {
  const informer = client.informer(Pod, {
    indexes: { node: (pod) => [pod.spec?.nodeName ?? "(none)"] },
    onError: (error) => console.log(`  !       ${error.code}: ${error.rawMessage}`),
  });
  informer.onChange({
    add: (pod, { initial }) => show(initial ? "initial" : "add", pod),
    update: (pod) => show("update", pod),
    delete: (pod, { finalStateUnknown }) => show(finalStateUnknown ? "missed" : "delete", pod),
  });
  return informer;
}

function show(change: string, pod: Live<Pod>): void {
  const { namespace, name } = pod.metadata;
  const phase = pod.metadata.deletionTimestamp ? "Terminating" : pod.status?.phase;
  const columns = [change, `${namespace}/${name}`, pod.spec?.nodeName ?? "", phase ?? ""];
  console.log(
    `  ${columns.map((column, i) => column.padEnd([8, 24, 10, 8][i] ?? 0)).join("")}`.trimEnd(),
  );
}

async function embedded(): Promise<void> {
  await using api = await startApiServer({ seed: 1 });
  await using client = await api.client();
  await using informer = watchPods(client);
  await informer.synced();

  console.log("Apply workload.yaml");
  const workload = await readFile(new URL("workload.yaml", import.meta.url), "utf8");
  await client.applyAll(workload, { fieldManager: "demo" });
  await informer.caughtUpTo(api.resourceVersion);

  console.log("The pods start, one is deleted");
  const pods = client.resource(Pod, "shop");
  for (const pod of informer.list({ namespace: "shop" })) {
    await pods.status.patch(pod.metadata.name, mergePatch({ status: { phase: "Running" } }));
  }
  await pods.delete("cache-0", { gracePeriodSeconds: 0 });
  await informer.caughtUpTo(api.resourceVersion);

  console.log("The connection dies; meanwhile pods come and go and the server forgets its history");
  api.fault({ verb: "watch", resource: "pods", reset: "before", times: 1 }); // the next watch request fails
  api.dropWatches();
  await pods.create({
    metadata: { name: "web-2", labels: { app: "web" } },
    spec: { nodeName: "node-b", containers: [{ name: "web", image: "registry.example/web:1.1" }] },
  });
  await pods.delete("web-0", { gracePeriodSeconds: 0 });
  api.compact();
  await informer.caughtUpTo(api.resourceVersion, { timeoutMs: 8_000 });

  console.log("Healed. By node:");
  for (const node of informer.indexValues("node")) {
    console.log(
      `  ${node}: ${informer.by
        .node(node)
        .map((pod) => pod.metadata.name)
        .join(", ")}`,
    );
  }
  const reads = api.requests.filter(
    ({ verb, resource }) => verb === "watch" && resource === "pods",
  );
  console.log(`The informer is ${informer.health.state}; it took ${reads.length} requests in all.`);
}

async function cluster(): Promise<void> {
  await using client = await connect();
  const { gitVersion } = await client.version();
  console.log(`Connected to Kubernetes ${gitVersion}. Pods now, and changes for five seconds:`);
  await using informer = watchPods(client);
  await informer.synced();
  await new Promise((resolve) => setTimeout(resolve, 5_000));
  for (const node of informer.indexValues("node")) {
    console.log(`  ${node}: ${informer.by.node(node).length} pods`);
  }
}

await (process.argv.includes("--cluster") ? cluster() : embedded());
const timers = process.getActiveResourcesInfo().filter((resource) => resource === "Timeout");
console.log(`Done, ${timers.length} timers left.`);
