import { startApiServer } from "@typekube/apiserver";
import { failure } from "@typekube/test-support/failure";
import { type Client, connect, mergePatch } from "typekube";
import { Deployment } from "typekube/api/apps/v1";
import { Job } from "typekube/api/batch/v1";
import { ConfigMap, Pod, Service } from "typekube/api/core/v1";
import { describe, expect, expectTypeOf, it } from "vitest";

const labels = { app: "web" };

/** Starts a server whose containers say the name of their pod, with pods of these states. */
async function start(pods: Readonly<Record<string, object>>) {
  const api = await startApiServer({
    pods: {
      exec: async ({ name, container, stdout }) => {
        await stdout(`${name}/${container}`);
        return 0;
      },
      portForward: async ({ name, port, write }) => write(`${name}:${port}`),
    },
  });
  const client = await api.client();
  for (const [name, status] of Object.entries(pods)) {
    await createPod(client, name, status);
  }
  return { api, client };
}

async function createPod(client: Client, name: string, status: object): Promise<void> {
  const all = client.resource(Pod, "default");
  const ports = [{ name: "http", containerPort: 8080 }];
  await all.create({
    metadata: { name, labels },
    spec: { nodeName: "n", containers: [{ name: "main", image: "x", ports }] },
  });
  await all.status.patch(name, mergePatch({ status }) as never);
}

const ready = (minute: number) => ({
  phase: "Running",
  conditions: [
    { type: "Ready", status: "True", lastTransitionTime: `2026-01-01T00:${10 + minute}:00Z` },
  ],
});

async function createDeployment(client: Client): Promise<void> {
  await client.resource(Deployment, "default").create({
    metadata: { name: "web" },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "main", image: "x" }] } },
    },
  });
}

describe("calls into the pods of a workload", () => {
  it("XE22: run in the pod that kubectl chooses, and say which", async () => {
    const { api, client } = await start({
      "a-pending": { phase: "Pending" },
      "b-unready": { phase: "Running" },
      "c-late": ready(20),
      "d-early": ready(1),
    });
    await using _api = api;
    await createDeployment(client);
    const web = client.resource(Deployment, "default").named("web");
    expect((await web.exec(["hostname"])).stdout).toBe("d-early/main");
    await using session = await web.exec(["hostname"], { session: true });
    expect(session.pod).toBe("d-early");
    await client.resource(Pod, "default").delete("d-early", { gracePeriodSeconds: 0 });
    expect((await web.exec(["hostname"])).stdout).toBe("c-late/main");
  });

  it("XE22: an object without pods is an error that names its selector", async () => {
    const { api, client } = await start({});
    await using _api = api;
    await createDeployment(client);
    const error = await failure(client.resource(Deployment, "default").named("web").exec(["ls"]));
    expect(error).toMatchObject({ code: "NotFound" });
    expect(error.message).toContain('Deployment "web" has no pods (selector app=web)');
    const missing = client.resource(Job, "default").named("nope");
    expect(await failure(missing.exec(["ls"]))).toMatchObject({ code: "NotFound" });
  });

  it("has named() for kinds with pods only", () => {
    type Has<K> = K extends { named(name: string): unknown } ? true : false;
    const client = undefined as unknown as Client;
    const has = () =>
      [
        client.resource(Pod, "d"),
        client.resource(Deployment, "d"),
        client.resource(Service, "d"),
        client.resource(ConfigMap, "d"),
        client.resource(Pod),
      ] as const;
    type Clients = ReturnType<typeof has>;
    expectTypeOf<[Has<Clients[0]>, Has<Clients[1]>, Has<Clients[2]>]>().toEqualTypeOf<
      [true, true, true]
    >();
    expectTypeOf<[Has<Clients[3]>, Has<Clients[4]>]>().toEqualTypeOf<[false, false]>();
  });
});

describe("a forwarded port of a Service", () => {
  async function withService(spec: Service["spec"]) {
    const started = await start({ "web-0": ready(1) });
    await started.client.resource(Service, "default").create({ metadata: { name: "web" }, spec });
    return started;
  }
  const ask = async (client: Client, port: number | string) => {
    await using forward = await client.resource(Service, "default").named("web").portForward(port);
    let text = "";
    for await (const chunk of forward.socket()) {
      text += chunk;
    }
    return text;
  };

  it("XP11: leads to the target port of the chosen pod, by number or by name", async () => {
    const { api, client } = await withService({
      selector: labels,
      ports: [
        { name: "http", port: 80, targetPort: "http" },
        { name: "admin", port: 81, targetPort: 9000 },
        { name: "same", port: 82 },
      ],
    });
    await using _api = api;
    expect(await ask(client, 80)).toBe("web-0:8080");
    expect(await ask(client, "http")).toBe("web-0:8080");
    expect(await ask(client, 81)).toBe("web-0:9000");
    expect(await ask(client, "same")).toBe("web-0:82");
    const error = await failure(ask(client, 83));
    expect(error.hint).toBe("it has 80 http, 81 admin, 82 same");
  });

  it("XP11: a Service without a selector is refused", async () => {
    const { api, client } = await withService({
      type: "ExternalName",
      externalName: "example.com",
    });
    await using _api = api;
    expect((await failure(ask(client, 80))).message).toContain("selects no pods");
  });

  it("XP7: another pod is chosen after the one before is gone and the session was lost", async () => {
    const { api, client } = await withService({ selector: labels, ports: [{ port: 80 }] });
    await using _api = api;
    const first = await api.listen({ tls: false, anonymous: true });
    await using remote = await connect({ server: first.server });
    await using forward = await remote.resource(Service, "default").named("web").portForward(80);
    const text = async () => {
      let all = "";
      for await (const chunk of forward.socket()) {
        all += chunk;
      }
      return all;
    };
    expect(await text()).toBe("web-0:80");
    await createPod(client, "web-1", ready(2));
    await client.resource(Pod, "default").delete("web-0", { gracePeriodSeconds: 0 });
    await first.close();
    await expect.poll(() => forward.state).toBe("lost");
    await api.listen({ tls: false, anonymous: true, port: Number(new URL(first.server).port) });
    expect(await text()).toBe("web-1:80");
  });
});

describe("waitReady", () => {
  it("XE18: waits for the container to run; one that has ended is an error at once", async () => {
    const { api, client } = await start({
      "web-0": { phase: "Pending" },
      old: { phase: "Failed" },
    });
    await using _api = api;
    const pods = client.resource(Pod, "default");
    const output = pods.named("web-0").exec(["hostname"], { waitReady: true });
    const containerStatuses = [
      {
        name: "main",
        image: "x",
        imageID: "",
        ready: true,
        restartCount: 0,
        state: { running: { startedAt: "2026-01-01T00:00:00Z" } },
      },
    ];
    await pods.status.patch(
      "web-0",
      mergePatch({ status: { phase: "Running", containerStatuses } }) as never,
    );
    expect((await output).stdout).toBe("web-0/main");
    const ended = await failure(pods.named("old").exec(["hostname"], { waitReady: true }));
    expect(ended.message).toContain("the pod old has ended: Failed");
  });

  it("XE18: a container that has ended for good is an error at once, also in a pod that runs", async () => {
    const { api, client } = await start({ "web-0": { phase: "Running" } });
    await using _api = api;
    const pods = client.resource(Pod, "default");
    await pods.create({
      metadata: { name: "two" },
      spec: {
        restartPolicy: "Never",
        containers: [
          { name: "main", image: "x" },
          { name: "side", image: "x" },
        ],
      },
    });
    const facts = { image: "x", imageID: "", ready: false, restartCount: 0 };
    const containerStatuses = [
      { ...facts, name: "main", state: { terminated: { exitCode: 3 } } },
      { ...facts, name: "side", state: { running: {} } },
    ];
    await pods.status.patch(
      "two",
      mergePatch({ status: { phase: "Running", containerStatuses } }) as never,
    );
    const options = { container: "main", waitReady: true, timeoutMs: 2_000 };
    const ended = await failure(pods.named("two").exec(["hostname"], options));
    expect(ended).toMatchObject({ code: "InvalidState" });
    expect(ended.message).toContain("exit code 3");
    const side = await pods.named("two").exec(["hostname"], { ...options, container: "side" });
    expect(side.stdout).toBe("two/side");
  });
});
