// A small program of a user. It prints what it saw as one line of JSON.
import { conditions, connect, KubeError, mergePatch, strategicPatch } from "typekube";
import { Deployment } from "typekube/api/apps/v1";
import { TokenReview } from "typekube/api/authentication/v1";
import { SubjectAccessReview } from "typekube/api/authorization/v1";
import { CertificateSigningRequest } from "typekube/api/certificates/v1";
import { ConfigMap, Namespace, Node, Pod, Secret } from "typekube/api/core/v1";

const kinds = {
  CertificateSigningRequest,
  ConfigMap,
  Deployment,
  Namespace,
  Node,
  Pod,
  Secret,
  SubjectAccessReview,
  TokenReview,
};

/** Runs a command in a pod and talks to two of its ports: over WebSockets and as a proxy, on any runtime. */
async function callPod(client) {
  const pods = client.resource(Pod, "default");
  const name = `p-${process.pid}`;
  await pods.create({ metadata: { name }, spec: { containers: [{ name: "c", image: "i" }] } });
  const { exitCode, stdout } = await pods.named(name).exec(["upper"], { stdin: "typed" });
  const forward = await pods.named(name).portForward(80);
  const socket = forward.socket();
  socket.end("sent");
  let answer = "";
  for await (const chunk of socket) {
    answer += chunk;
  }
  await forward.close();
  const { fetch } = client.proxy(Pod, name, { namespace: "default", port: 8080 });
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode("posted"));
      controller.close();
    },
  });
  const response = await fetch("/", { method: "POST", body });
  return { exitCode, stdout, answer, proxied: [response.status, await response.text()] };
}

async function main() {
  const client = await connect({ server: process.argv[2] });
  const configMaps = client.resource(ConfigMap, "default");
  const name = `a-${process.pid}`;
  await configMaps.create({ metadata: { name }, data: { k: "1" } });
  await configMaps.patch(name, mergePatch({ data: { k: "2" } }));
  await configMaps.patch(name, strategicPatch({ metadata: { labels: { app: "x" } } }));
  const { items } = await configMaps.list({
    fieldSelector: { "metadata.name": name },
    encoding: "protobuf",
  });
  const informer = client.informer(ConfigMap, { namespace: "default" });
  await informer.synced();
  const cached = informer.get(name)?.data?.k;
  await informer.close();
  await client.applyAll(
    `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: b-${process.pid}, namespace: default }\n`,
  );
  const error = await client
    .resource(Pod, "default")
    .get("none")
    .catch((caught) => caught);
  await configMaps.delete(name);
  await configMaps.waitFor(name, conditions.deleted());
  const called = await callPod(client);
  await client.close();
  console.log(
    JSON.stringify({
      missing: Object.entries(kinds).flatMap(([kind, type]) => (type?.kind === kind ? [] : [kind])),
      data: items[0]?.data,
      labels: items[0]?.metadata.labels,
      cached,
      called,
      error: error instanceof KubeError && String(error).split(":")[0],
    }),
  );
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
