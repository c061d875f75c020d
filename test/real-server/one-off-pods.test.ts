import { failure } from "@typekube/test-support/failure";
import { startNode, type TestNode } from "@typekube/test-support/real-server/node";
import { type RealServer, startRealServer } from "@typekube/test-support/real-server/real-server";
import { type Client, connect, type Informer, type Live, mergePatch } from "typekube";
import { type Container, type ContainerStatus, Pod } from "typekube/api/core/v1";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/** Exit code of every process of these tests. */
const exitCode = 3;
/** Last line of every process. */
const last = "over";

let server: RealServer | undefined;
let client: Client;
let node: TestNode | undefined;
let informer: Informer<Pod> | undefined;
/** Work in progress of the kubelet that these tests play. */
const work: Promise<void>[] = [];

beforeAll(async () => {
  server = await startRealServer();
  if (server === undefined) {
    return;
  }
  client = await connect(server.connectOptions());
  node = await startNode(client);
  if (node !== undefined) {
    informer = client.informer(Pod, { namespace: "default" });
    informer.onChange({ add: see, update: see });
    await informer.synced();
  }
}, 600_000);
afterAll(async () => {
  await informer?.close();
  await Promise.all(work);
  await client?.close();
  await node?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
});

const started = new Set<string>();

/** Starts the containers of pods, and removes pods that are deleted, as a kubelet does. */
function see({ metadata, spec }: Live<Pod>): void {
  const { name, uid, deletionTimestamp } = metadata;
  if (deletionTimestamp !== undefined) {
    const gone = client.resource(Pod, "default").delete(name, { gracePeriodSeconds: 0 });
    work.push(gone.then(() => {}).catch(() => {}));
    return;
  }
  const { containers = [], ephemeralContainers = [] } = spec ?? {};
  for (const container of [...containers, ...ephemeralContainers] as Container[]) {
    const key = `${uid}/${container.name}`;
    if (container.command !== undefined && !started.has(key)) {
      started.add(key);
      work.push(runContainer(name, container, !containers.includes(container)));
    }
  }
}

async function runContainer(pod: string, container: Container, isEphemeral: boolean) {
  const { name, command = [], stdin = false } = container;
  await node?.start(pod, name, { command, stdin });
  await setState(pod, name, isEphemeral, { running: { startedAt: new Date().toISOString() } });
  const lines = async () => {
    const found: string[] = [];
    for await (const line of client.resource(Pod, "default").named(pod).logs({ container: name })) {
      found.push(line);
    }
    return found;
  };
  // The log is gone with the pod, when the call into it was aborted.
  await expect.poll(() => lines().catch(() => [last])).toContain(last);
  await setState(pod, name, isEphemeral, { terminated: { exitCode } }).catch(() => {});
}

async function setState(
  pod: string,
  container: string,
  isEphemeral: boolean,
  state: NonNullable<ContainerStatus["state"]>,
): Promise<void> {
  const one = { name: container, image: "none", imageID: "", ready: false, restartCount: 0, state };
  const status = isEphemeral
    ? { ephemeralContainerStatuses: [one] }
    : { phase: state.running ? "Running" : "Failed", containerStatuses: [one] };
  await client.resource(Pod, "default").status.patch(pod, mergePatch({ status }) as never);
}

/** A pod on the node. */
function podToRun(): Pod {
  const containers = [{ name: "main", image: "none" }];
  return { metadata: { namespace: "default" }, spec: { nodeName: node?.name ?? "", containers } };
}

async function runNames(): Promise<string[]> {
  const { items } = await client.resource(Pod, "default").list();
  return items.map(({ metadata }) => metadata.name).filter((name) => name.startsWith("run-"));
}

/** A test that needs the stand-in for a node. */
function onNode(title: string, test: () => Promise<void>): void {
  it(title, async (context) => {
    if (node === undefined) {
      context.skip("no real API server, or no Go to build the stand-in for a node");
      return;
    }
    await test();
  });
}

describe("one-off pods on a real API server, on a stand-in for a node", () => {
  onNode("a command's output and exit code come back, and the pod is deleted", async () => {
    const command = ["sh", "-c", `echo out; echo ${last}; exit ${exitCode}`];
    const ended = await client.runPod(podToRun(), { command });
    expect(ended).toMatchObject({ exitCode, stdout: `out\n${last}\n`, container: "main" });
    await expect.poll(runNames).toEqual([]);
  });

  onNode("input goes to the main process, and its end is seen", async () => {
    const command = ["sh", "-c", `sort; echo error >&2; echo ${last}; exit ${exitCode}`];
    const ended = await client.runPod(podToRun(), { command, stdin: "b\na\n" });
    expect(ended).toMatchObject({ exitCode, stdout: `a\nb\n${last}\n`, stderr: "error\n" });
    await expect.poll(runNames).toEqual([]);
  });

  onNode("an abort deletes the pod while its process runs", async () => {
    const abort = new AbortController();
    const reason = new Error("enough");
    const session = await client.runPod(podToRun(), {
      command: ["sh", "-c", "echo first; sleep 600"],
      session: true,
      signal: abort.signal,
    });
    const chunks = session.stdout[Symbol.asyncIterator]();
    expect(String((await chunks.next()).value)).toBe("first\n");
    abort.abort(reason);
    await expect(session.result).rejects.toBe(reason);
    await expect.poll(runNames).toEqual([]);
  });

  onNode("a pod that the server refuses is its error, and nothing is left", async () => {
    const wrong = { metadata: { namespace: "default", name: "Run-1" }, spec: podToRun().spec };
    expect(await failure(client.runPod(wrong))).toMatchObject({ code: "Invalid" });
    expect(await failure(client.runPod({ image: "i", namespace: "no" }))).toMatchObject({
      code: "NotFound",
    });
    await expect.poll(runNames).toEqual([]);
  });

  onNode("a debug container is added to a pod that runs, with its input", async () => {
    await node?.createPod("web", ["main"]);
    const web = await client.resource(Pod, "default").get("web");
    const command = ["sh", "-c", `while read line; do echo got $line; done; echo ${last}`];
    await using session = await client.debug(web, {
      image: "none",
      command,
      target: "main",
      stdin: true,
    });
    session.stdin?.end("one\n");
    expect(await session.stdout.text()).toBe(`got one\n${last}\n`);
    expect(await session.result).toEqual({ exitCode });
    const { spec } = await client.resource(Pod, "default").get("web");
    expect(spec?.ephemeralContainers).toMatchObject([
      { name: session.container, targetContainerName: "main" },
    ]);
  });
});
