import { startApiServer } from "@typekube/apiserver";
import type { HttpRequest, HttpResponse } from "@typekube/core/internal";
import { connect, type KubeError } from "typekube";
import { ConfigMap } from "typekube/api/core/v1";
import { expect, it, vi } from "vitest";

const apiVersion = "metrics.k8s.io/v1beta1";
const nodeMetrics = { apiVersion, kind: "NodeMetrics" } as const;

/** Creates an aggregated server like metrics-server: no watch, no resourceVersions. */
async function metricsServer() {
  const clockOf = await startApiServer({ clock: "virtual" });
  const requests: string[] = [];
  const state = { items: [] as { name: string; cpu: string }[], status: 200 };
  const json = (body: unknown, status = 200): HttpResponse => ({
    status,
    headers: { "content-type": "application/json" },
    body: (async function* () {
      yield Buffer.from(JSON.stringify(body));
    })(),
  });
  const send = async ({ path }: HttpRequest): Promise<HttpResponse> => {
    const [resource] = path.split("?");
    switch (resource) {
      case "/apis/metrics.k8s.io/v1beta1":
        return json({
          kind: "APIResourceList",
          apiVersion: "v1",
          groupVersion: apiVersion,
          resources: [
            {
              name: "nodes",
              singularName: "",
              namespaced: false,
              kind: "NodeMetrics",
              verbs: ["get", "list"],
            },
          ],
        });
      case "/apis/metrics.k8s.io/v1beta1/nodes":
        requests.push(path);
        return json(
          {
            kind: "NodeMetricsList",
            apiVersion,
            metadata: {},
            items: state.items.map(({ name, cpu }) => ({ metadata: { name }, usage: { cpu } })),
          },
          state.status,
        );
      default:
        return json({
          kind: "APIGroupList",
          apiVersion: "v1",
          groups: [
            {
              name: "metrics.k8s.io",
              versions: [{ groupVersion: apiVersion, version: "v1beta1" }],
              preferredVersion: { groupVersion: apiVersion, version: "v1beta1" },
            },
          ],
        });
    }
  };
  const clock = clockOf.clock;
  const client = await connect({ transport: { server: "https://metrics.test", send }, clock });
  return {
    client,
    clock,
    state,
    requests,
    async [Symbol.asyncDispose]() {
      await client.close();
      await clockOf.close();
    },
  };
}

it("polls a resource without the verb watch on request, and reports only adds, updates and deletes", async () => {
  await using server = await metricsServer();
  const { state, clock, requests } = server;
  state.items = [
    { name: "a", cpu: "1" },
    { name: "b", cpu: "1" },
  ];
  await using informer = server.client.informer(nodeMetrics, { poll: { everyMs: 30_000 } });
  const seen: string[] = [];
  informer.onChange({
    add: ({ metadata }) => void seen.push(`add ${metadata.name}`),
    update: ({ metadata }) => void seen.push(`update ${metadata.name}`),
    delete: ({ metadata }) => void seen.push(`delete ${metadata.name}`),
  });
  await informer.synced();
  await vi.waitFor(() => expect(seen).toEqual(["add a", "add b"]));
  expect(informer.health.state).toBe("polling");
  state.items = [
    { name: "a", cpu: "2" },
    { name: "c", cpu: "1" },
  ];
  await clock.advance(29_999);
  expect(requests).toHaveLength(1);
  await clock.advance(1);
  await vi.waitFor(() => expect(seen.slice(2).sort()).toEqual(["add c", "delete b", "update a"]));
  await clock.advance(30_000);
  await vi.waitFor(() => expect(requests).toHaveLength(3));
  await vi.waitFor(() => expect(informer.health.state).toBe("polling"));
  expect(seen).toHaveLength(5);
  expect([informer.health.gaps, informer.health.lastError]).toEqual([0, undefined]);
  expect(requests.every((path) => !path.includes("watch"))).toBe(true);
});

it("continues polling after a list that failed, from its previous state", async () => {
  await using server = await metricsServer();
  const { state, clock } = server;
  state.items = [{ name: "a", cpu: "1" }];
  const errors: KubeError[] = [];
  await using informer = server.client.informer(nodeMetrics, {
    poll: { everyMs: 30_000 },
    onError: (error) => errors.push(error),
  });
  await informer.synced();
  state.status = 500;
  await clock.advance(30_000);
  await vi.waitFor(() => expect(errors.length).toBeGreaterThan(0));
  expect(informer.list()).toHaveLength(1);
  state.status = 200;
  state.items = [];
  while (informer.list().length > 0) {
    await clock.advance(1_000);
  }
  expect(informer.health.state).toBe("polling");
});

it("without poll, the informer reports the missing verb watch and how to poll", async () => {
  await using server = await metricsServer();
  const errors: KubeError[] = [];
  await using _ = server.client.informer(nodeMetrics, { onError: (error) => errors.push(error) });
  await vi.waitFor(() => expect(errors.length).toBeGreaterThan(0));
  expect(errors[0]?.message).toBe(
    "[InvalidArgument] objects of kind NodeMetrics in metrics.k8s.io/v1beta1 have no verb watch: set poll: { everyMs: 30_000 } to list them periodically instead",
  );
  expect(server.requests).toEqual([]);
});

it.each([{}, { everyMs: 999 }, { everyMs: "30s" }, { everyMs: Number.NaN }, null, 30_000])(
  "an informer rejects %j as poll",
  async (poll) => {
    await using api = await startApiServer();
    await using client = await api.client();
    expect(() => client.informer(ConfigMap, { poll: poll as never })).toThrow(
      "poll: must be { everyMs } with a number of at least 1000, in milliseconds",
    );
  },
);
