import { failure } from "@typekube/test-support/failure";
import { Pod } from "typekube/api/core/v1";
import { describe, expect, it } from "vitest";
import { startedCluster } from "./started-cluster.js";

const image = "busybox";
const web = { namespace: "default", name: "web" };

async function startedPod() {
  const cluster = await startedCluster();
  const { client } = cluster;
  const spec = { containers: [{ name: "main", image: "nginx" }] };
  const pods = client.resource(Pod, "default");
  await pods.create({ metadata: { name: "web" }, spec });
  const pod = await client.waitFor(Pod, "web", (one) => one?.status?.phase === "Running", {
    namespace: "default",
  });
  return { ...cluster, pods, pod: pod as NonNullable<typeof pod> };
}

describe("a debug container", () => {
  it("is added with its target, runs, and stays in the pod", async () => {
    const { client, pods, pod } = await startedPod();
    const ended = await client.debug(pod, {
      image,
      command: ["echo", "hello"],
      target: "main",
      env: { COLOUR: "red" },
      securityContext: { capabilities: { add: ["SYS_PTRACE"] } },
    });
    expect(ended).toMatchObject({ exitCode: 0, stdout: "hello\n", pod: "web" });
    expect(ended.container).toMatch(/^debugger-[a-z0-9]{5}$/);
    const { spec } = await pods.get("web");
    expect(spec?.ephemeralContainers).toMatchObject([
      {
        name: ended.container,
        image,
        targetContainerName: "main",
        env: [{ name: "COLOUR", value: "red" }],
        securityContext: { capabilities: { add: ["SYS_PTRACE"] } },
      },
    ]);
    const again = await client.debug(web, { image, name: "second", command: ["ls", "/"] });
    expect([again.container, again.stdout.includes("README")]).toEqual(["second", true]);
  });

  it("returns a session with its input", async () => {
    const { client } = await startedPod();
    await using session = await client.debug(web, { image, command: ["sort"], stdin: true });
    session.stdin?.end("b\na\n");
    expect(await session.stdout.text()).toBe("a\nb\n");
    expect(await session.result).toEqual({ exitCode: 0 });
  });

  it("with a terminal has one output", async () => {
    const { client } = await startedPod();
    const size = { width: 80, height: 24 };
    const terminal = { tty: true, size } as const;
    const command = ["env"];
    await using session = await client.debug(web, { image, command, stdin: true, ...terminal });
    await session.resize({ width: 100, height: 24 });
    expect(await session.stdout.text()).toContain("HOSTNAME=web\r\n");
    await using silent = await client.debug(web, { image, command, ...terminal });
    expect(await silent.stdout.text()).toContain("HOSTNAME=web\n");
  });

  it.each([
    [{ image, name: "main" }, "InvalidArgument", 'has a container "main" already'],
    [{ image, target: "no" }, "InvalidArgument", 'no container "no"'],
    [{ image: "" }, "InvalidArgument", "image"],
    [{ image, container: "main" }, "InvalidArgument", "container"],
    [{ image, imagePullPolicy: "Sometimes" }, "InvalidArgument", "imagePullPolicy"],
  ])("is refused before anything is sent: %j", async (options, code, message) => {
    const { client, api } = await startedPod();
    const error = await failure(client.debug(web, options as never));
    expect([error.code, error.message]).toEqual([code, expect.stringContaining(message)]);
    expect(api.requests.some(({ verb }) => verb === "patch")).toBe(false);
  });

  it("is refused for a pod that has ended or does not exist, and for dry runs", async () => {
    const { client, pods } = await startedPod();
    expect((await failure(client.debug({ ...web, name: "no" }, { image }))).code).toBe("NotFound");
    const dry = client.with({ dryRun: "All" });
    expect((await failure(dry.debug(web, { image }))).rawMessage).toContain("dry run");
    const restartPolicy = "Never" as const;
    const spec = { restartPolicy, containers: [{ name: "main", image: "i" }] };
    await pods.create({ metadata: { name: "done" }, spec });
    const isOver = (pod?: Pod) => pod?.status?.phase === "Succeeded";
    await client.waitFor(Pod, "done", isOver, { namespace: "default" });
    const error = await failure(client.debug({ ...web, name: "done" }, { image }));
    expect(error.code).toBe("InvalidState");
  });
});
