import { once } from "node:events";
import type { Live } from "@typekube/api";
import { Deployment } from "@typekube/api/apps/v1";
import { Job } from "@typekube/api/batch/v1";
import { type ContainerStatus, Pod } from "@typekube/api/core/v1";
import { type ApiServer, type PodLogRequest, startApiServer } from "@typekube/apiserver";
import { mergePatch } from "@typekube/client";
import { failure } from "@typekube/test-support/failure";
import { type Client, connect } from "typekube";
import type { LogWorkload, MergedLogOptions } from "typekube/types";
import { afterEach, describe, expect, it } from "vitest";

const opened: (ApiServer | Client)[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) {
    await one.close();
  }
});

type Log = AsyncIterable<{ text: string; time: string } | string> | Iterable<string>;
type State = "running" | "waiting" | { readonly exitCode: number };

async function start(log: (request: PodLogRequest) => Log) {
  const api = await startApiServer({ pods: { log: log as never } });
  const { server } = await api.listen({ tls: false, anonymous: true });
  const client = await connect({ server });
  opened.push(api, client);
  const pods = client.resource(Pod, "default");
  return {
    api,
    client,
    pods,
    create: (name: string, containers = ["main"], more: object = {}) =>
      pods.create({
        metadata: { name, labels: { app: "web" } },
        spec: { containers: containers.map((one) => ({ name: one, image: "x" })), ...more },
      }),
    /** Writes the states of containers, as a node does. */
    report(name: string, states: Readonly<Record<string, State>>, more: StatusMore = {}) {
      const list = "containerStatuses";
      return pods.status.patch(name, mergePatch({ status: statusOf(states, list, more) }) as never);
    },
  };
}

interface StatusMore {
  readonly restartCount?: number;
  readonly lastExitCode?: number;
  readonly phase?: string;
  readonly init?: Readonly<Record<string, State>>;
}

function statusOf(states: Readonly<Record<string, State>>, list: string, more: StatusMore): object {
  const { restartCount = 0, lastExitCode, phase = "Running", init } = more;
  const statuses = Object.entries(states).map(
    ([name, state]): ContainerStatus => ({
      name,
      image: "x",
      imageID: "",
      ready: state === "running",
      restartCount,
      state:
        state === "running"
          ? { running: {} }
          : state === "waiting"
            ? { waiting: { reason: "ContainerCreating" } }
            : { terminated: state },
      ...(lastExitCode === undefined
        ? {}
        : { lastState: { terminated: { exitCode: lastExitCode } } }),
    }),
  );
  const inits = init === undefined ? {} : statusOf(init, "initContainerStatuses", {});
  return { ...inits, phase, [list]: statuses };
}

async function all<T>(lines: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of lines) {
    items.push(item);
  }
  return items;
}

const web = { namespace: "default", labelSelector: { app: "web" } };

describe("the logs of many pods", () => {
  it("XL7: yields the lines of all containers that have a log, init containers too", async () => {
    const { client, create, report } = await start(({ name, container }) => [
      `${name}/${container} 1`,
      `${name}/${container} 2`,
    ]);
    await create("a", ["main", "side"], { initContainers: [{ name: "init", image: "x" }] });
    await create("b");
    await create("c");
    const ended = { exitCode: 0 };
    await report("a", { main: "running", side: ended }, { init: { init: ended } });
    await report("b", { main: "running" });
    await report("c", { main: "waiting" }, { phase: "Pending" });
    const lines = await all(client.logs(web));
    expect(lines.map(({ text }) => text).sort()).toEqual(
      ["a/init", "a/main", "a/side", "b/main"].flatMap((one) => [`${one} 1`, `${one} 2`]),
    );
    expect(lines.find(({ text }) => text === "a/side 2")).toEqual({
      namespace: "default",
      pod: "a",
      container: "side",
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{9}Z$/),
      text: "a/side 2",
    });
    expect((await all(client.logs(web, { container: "side" }))).map(({ pod }) => pod)).toEqual([
      "a",
      "a",
    ]);
  });

  it("XL7: chooses the pods of a workload, or one pod", async () => {
    const { client, create, report } = await start(({ name }) => [name]);
    await create("a");
    await report("a", { main: "running" });
    await client.resource(Pod, "default").create({
      metadata: { name: "other" },
      spec: { containers: [{ name: "main", image: "x" }] },
    });
    await report("other", { main: "running" });
    const labels = { app: "web" };
    const deployment = await client.resource(Deployment, "default").create({
      metadata: { name: "web" },
      spec: {
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: "main", image: "x" }] } },
      },
    });
    expect((await all(client.logs(deployment))).map(({ text }) => text)).toEqual(["a"]);
    const other = await client.resource(Pod, "default").get("other");
    expect((await all(client.logs(other))).map(({ text }) => text)).toEqual(["other"]);
  });

  it("XL7: order time merges the lines of all containers", async () => {
    const { client, create, report } = await start(async function* ({ name }) {
      for (let at = 0; at < 4; at++) {
        const second = at * 2 + (name === "a" ? 0 : 1);
        yield { text: `${second}`, time: `2026-01-01T00:00:0${second}.000000001Z` };
      }
    });
    for (const name of ["a", "b"]) {
      await create(name);
      await report(name, { main: "running" });
    }
    const lines = await all(client.logs(web, { order: "time" }));
    expect(lines.map(({ text }) => text).join("")).toBe("01234567");
    const error = await failure(all(client.logs(web, { order: "time", maxLogs: 1 })));
    expect(error).toMatchObject({
      code: "InvalidArgument",
      hint: "raise maxLogs, or select fewer pods",
    });
    expect(await all(client.logs(web, { maxLogs: 1 }))).toHaveLength(8);
  });

  it.each<[object, MergedLogOptions, string]>([
    [{ namespace: undefined }, {}, "the namespace is undefined"],
    [{ lableSelector: "app=web" }, {}, 'logs() has no option "lableSelector"'],
    [{ metadata: { name: "x" } }, {}, "needs the name and the namespace"],
    [{ kind: "Service", metadata: { name: "x", namespace: "y" }, spec: {} }, {}, "selects no pods"],
    [web, { maxLogs: 0 }, "maxLogs: must be an integer of at least 1"],
    [web, { tailLines: -1 }, "tailLines"],
    [web, { since: "5m", sinceSeconds: 1 }, "at most one of since"],
    [web, { order: "name" as "time" }, "order: must be arrival or time"],
  ])("XL7: refuses %j with %j", async (of, options, message) => {
    const { api, client } = await start(() => []);
    const before = api.requests.length;
    const error = await failure(client.logs(of as LogWorkload, options).next());
    expect([error.code, api.requests.length]).toEqual(["InvalidArgument", before]);
    expect(error.message).toContain(message);
  });
});

describe("following many pods", () => {
  /** Serves a log that yields what the test pushes, until the container ends. */
  function liveLogs() {
    const open = new Map<string, (text: string | undefined) => void>();
    const seen: string[] = [];
    return {
      seen,
      open,
      push: (key: string, text: string | undefined) => open.get(key)?.(text),
      async *log({ name, container, follow, signal }: PodLogRequest) {
        const key = `${name}/${container}`;
        seen.push(key);
        if (!follow) {
          return;
        }
        let wake = () => {};
        const texts: (string | undefined)[] = ["start"];
        open.set(key, (text) => {
          texts.push(text);
          wake();
        });
        signal.addEventListener("abort", () => wake());
        try {
          while (!signal.aborted) {
            if (texts.length === 0) {
              await new Promise<void>((resolve) => {
                wake = resolve;
              });
              continue;
            }
            const text = texts.shift();
            if (text === undefined) {
              return;
            }
            yield text;
          }
        } finally {
          open.delete(key);
        }
      },
    };
  }

  it("XL7, XL8: pods come, containers restart, pods go; leaving the loop closes everything", async () => {
    const live = liveLogs();
    const { client, create, report, pods } = await start(live.log);
    await create("a");
    await report("a", { main: "running" });
    const seen: string[] = [];
    for await (const event of client.logs(web, { follow: true, events: true })) {
      const { pod, type } = event;
      seen.push(type === "line" ? `${pod} ${event.text}` : `${pod} ${type}`);
      if (seen.length === 1) {
        await create("b");
        await report("b", { main: "running" });
      } else if (seen.length === 2) {
        await report("b", { main: "running" }, { restartCount: 1, lastExitCode: 3 });
        live.push("b/main", undefined);
      } else if (seen.length === 4) {
        await pods.delete("b");
        live.push("b/main", undefined);
        live.push("a/main", "still here");
      } else if (seen.length === 5) {
        break;
      }
    }
    expect(seen).toEqual(["a start", "b start", "b restart", "b start", "a still here"]);
    await expect.poll(() => live.open.size).toBe(0);
  });

  it("XL7: at most maxLogs are followed at once; the next one starts when one ends", async () => {
    const live = liveLogs();
    const { client, create, report } = await start(live.log);
    for (const name of ["a", "b", "c"]) {
      await create(name);
      await report(name, { main: "running" });
    }
    const warnings: string[] = [];
    const onWarning = (text: string) => warnings.push(text);
    const order: string[] = [];
    for await (const { pod } of client.logs(web, { follow: true, maxLogs: 2, onWarning })) {
      order.push(pod);
      if (order.length === 2) {
        expect(live.open.size).toBe(2);
        await report("a", { main: { exitCode: 0 } }, { phase: "Succeeded" });
        live.push("a/main", undefined);
      } else if (order.length === 3) {
        break;
      }
    }
    expect([order.slice(0, 2).sort(), order[2]]).toEqual([["a", "b"], "c"]);
    expect(warnings).toEqual(["2 logs are followed (maxLogs), 1 more must wait"]);
  });

  it("XL7: tailLines counts for pods that were there at the start; later ones are read whole", async () => {
    const queries: (number | undefined)[] = [];
    const { client, create, report } = await start(async function* ({ tailLines, signal }) {
      queries.push(tailLines);
      yield "line";
      await once(signal, "abort");
    });
    await create("a");
    await report("a", { main: "running" });
    let count = 0;
    for await (const _ of client.logs(web, { follow: true, tailLines: 5 })) {
      count += 1;
      if (count === 2) {
        break;
      }
      await create("b");
      await report("b", { main: "running" });
    }
    expect(queries).toEqual([5, undefined]);
  });

  it("XL7: the logs of a Job end when the Job has finished and its logs are read", async () => {
    const live = liveLogs();
    const { client, pods, report } = await start(live.log);
    const containers = [{ name: "main", image: "x" }];
    const template = { spec: { restartPolicy: "Never" as const, containers } };
    const jobs = client.resource(Job, "default");
    const job: Live<Job> = await jobs.create({ metadata: { name: "sums" }, spec: { template } });
    const labels = job.spec?.selector?.matchLabels ?? {};
    await pods.create({ metadata: { name: "sums-1", labels }, spec: template.spec });
    await report("sums-1", { main: "running" });
    const lines: string[] = [];
    for await (const { text } of client.logs(job, { follow: true })) {
      lines.push(text);
      if (lines.length === 1) {
        live.push("sums-1/main", "done");
      } else {
        await report("sums-1", { main: { exitCode: 0 } }, { phase: "Succeeded" });
        live.push("sums-1/main", undefined);
        const now = new Date().toISOString();
        await jobs.status.patch(
          "sums",
          mergePatch({
            status: {
              startTime: now,
              completionTime: now,
              succeeded: 1,
              conditions: ["SuccessCriteriaMet", "Complete"].map((type) => ({
                type,
                status: "True",
                lastProbeTime: now,
                lastTransitionTime: now,
              })),
            },
          }) as never,
        );
      }
    }
    expect(lines).toEqual(["start", "done"]);
  });

  it("XL7: a log that cannot be read is reported, and the others go on", async () => {
    const live = liveLogs();
    let attempts = 0;
    const { api, client, create, report } = await start(live.log);
    await create("a");
    await report("a", { main: "running" });
    api.fault({ verb: "get", resource: "pods", subresource: "log", status: 500, times: 1 });
    const types: string[] = [];
    for await (const event of client.logs(web, { follow: true, events: true })) {
      types.push(event.type);
      attempts += 1;
      if (attempts === 2) {
        break;
      }
    }
    expect(types).toEqual(["failed", "line"]);
  });

  it("XL7, XL15: without permission to read logs, it ends with that error", async () => {
    const { api, client, create, report } = await start(() => ["x"]);
    await create("a");
    await report("a", { main: "running" });
    api.fault({ verb: "get", resource: "pods", subresource: "log", status: 403, times: 1 });
    expect(await failure(all(client.logs(web, { follow: true })))).toMatchObject({
      code: "Forbidden",
    });
  });
});
