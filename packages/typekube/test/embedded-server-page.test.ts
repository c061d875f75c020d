import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { ApiServer, Listener } from "@typekube/apiserver";
import { call } from "@typekube/test-support/api-calls";
import { openWebSocket } from "@typekube/test-support/web-socket";
import type { Client } from "typekube";
import { ConfigMap, Pod } from "typekube/api/core/v1";
import { afterAll, afterEach, beforeEach, expect, it, vi } from "vitest";
import { exampleFolder } from "./page-examples.js";
import { besideExamples, wholeExamples } from "./whole-examples.js";

let log: unknown[][] = [];
beforeEach(() => {
  log = [];
  vi.spyOn(console, "log").mockImplementation((...values) => void log.push(values));
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const settings = `apiVersion: v1
kind: ConfigMap
metadata: { name: shop, namespace: default }
`;

const page = await wholeExamples("embedded-server.md");
const folder = await exampleFolder();
afterAll(() => folder[Symbol.asyncDispose]());
await folder.put({ ...(await besideExamples()), "settings.yaml": settings });

/** Variables of an example that its check inspects before they are closed. */
interface Parts {
  readonly api: ApiServer;
  readonly listener: Listener;
  readonly client: Client;
  readonly jane: Client;
  readonly other: ApiServer;
  readonly again: ApiServer;
  readonly late: Client;
  readonly replica: { catchUp(): void };
  readonly worker: { close(): void };
  readonly replayed: Client;
}

interface Case {
  /** Variables that the example defines. */
  readonly names?: readonly (keyof Parts)[];
  readonly printed?: unknown[][];
  check?(parts: Parts): Promise<void>;
}

const configMaps = "/api/v1/namespaces/default/configmaps";
const statusOf = async (api: ApiServer, path: string): Promise<number> =>
  (await call(api, "GET", path)).status;
const names = async (client: Client): Promise<(string | undefined)[]> =>
  (await client.resource(ConfigMap, "default").list({ resourceVersion: "0" })).items.map(
    ({ metadata }) => metadata.name,
  );

const cases: Readonly<Record<string, Case>> = {
  "listen()": {
    names: ["client", "listener"],
    async check({ client, listener }) {
      expect((await client.whoAmI()).username).toBe("system:admin");
      const path = join(folder.path, "kubeconfig.yaml");
      expect((await stat(path)).mode & 0o777).toBe(0o600);
      expect(await readFile(path, "utf8")).toContain(listener.server);
    },
  },
  "Users and rights": {
    names: ["jane"],
    printed: [["jane"]],
    async check({ jane }) {
      const { username, groups } = await jane.whoAmI();
      expect([username, groups]).toEqual(["jane", ["dev", "system:authenticated"]]);
      await expect(jane.resource(Pod, "default").list()).rejects.toThrow(/Forbidden/);
    },
  },
  Control: {
    names: ["api"],
    check: async ({ api }) => expect(await statusOf(api, configMaps)).toBe(200),
  },
  Faults: {
    names: ["api", "client"],
    async check({ api, client }) {
      const statuses: number[] = [];
      for (let i = 0; i < 5; i++) {
        statuses.push(await statusOf(api, "/api/v1/pods"));
      }
      expect(statuses).toEqual([200, 429, 429, 429, 200]);
      const pods = client.resource(Pod, "default");
      const watch = pods.watch({ resourceVersion: api.resourceVersion });
      const spec = { containers: [{ name: "main", image: "i" }] };
      const first = watch[Symbol.asyncIterator]().next();
      await expect(pods.create({ metadata: { name: "web" }, spec })).rejects.toThrow();
      await pods.create({ metadata: { name: "db" }, spec });
      const { value } = await first;
      expect(value?.object.metadata?.name).toBe("db");
      expect((await pods.get("web")).metadata.name).toBe("web");
    },
  },
  State: {
    names: ["other", "again"],
    async check({ other, again }) {
      for (const api of [other, again]) {
        await using client = await api.client();
        expect(await names(client)).toEqual(["settings"]);
      }
    },
  },
  "Two servers over one store": {
    names: ["client", "late", "replica"],
    async check({ client, late, replica }) {
      await client.resource(ConfigMap, "default").create({ metadata: { name: "new" } });
      expect(await names(late)).toEqual(["settings"]);
      replica.catchUp();
      expect(await names(late)).toEqual(["new", "settings"]);
    },
  },
  Containers: {
    names: ["api"],
    async check({ api }) {
      await using client = await api.client();
      const spec = { containers: [{ name: "main", image: "i" }] };
      await client.resource(Pod, "default").create({ metadata: { name: "web" }, spec });
      const path = "/api/v1/namespaces/default/pods/web";
      expect((await call(api, "GET", `${path}/log`)).text).toBe("web started\n");
      const { server } = await api.listen({ tls: false, anonymous: true });
      const socket = openWebSocket(
        `${server.replace("http", "ws")}${path}/exec?command=ls&command=-l&stdout=true`,
        ["v5.channel.k8s.io"],
      );
      socket.binaryType = "arraybuffer";
      const texts: string[] = [];
      await new Promise((resolve) => {
        socket.addEventListener("message", (event) => {
          texts.push(Buffer.from((event as Event & { data: ArrayBuffer }).data).toString("latin1"));
        });
        socket.addEventListener("close", resolve);
      });
      expect(texts[0]).toBe("\u0001$ ls -l\n");
      expect(texts.at(-1)).toContain('"Success"');
    },
  },
  "Containers in memory": { printed: [["hello"]] },
  vitest: {},
  msw: {
    names: ["worker"],
    async check({ worker }) {
      const response = await fetch(`https://cluster.test${configMaps}/settings`);
      expect(await response.json()).toMatchObject({ metadata: { name: "settings" } });
      worker.close();
    },
  },
  Recordings: {
    names: ["replayed"],
    check: async ({ replayed }) => expect((await replayed.version()).gitVersion).toBe("v1.37.1"),
  },
};

it("the page has exactly the examples that run here", () => {
  expect(page.map(({ title }) => title)).toEqual(Object.keys(cases));
});

/** Returns the code with files in the folder of this test. */
function here(code: string): string {
  return code
    .replaceAll(/"(kubeconfig\.yaml|cluster\.yaml|session\.jsonl)"/g, `"${folder.path}/$1"`)
    .replaceAll('"manifests/"', `"${folder.path}/settings.yaml"`)
    .replaceAll("./pod-maker.js", "./pod-maker.ts");
}

// The tests of this example become tests of this file.
await folder.run(here(page.find(({ title }) => title === "vitest")?.code ?? ""));

const others = page.filter(({ title }) => title !== "vitest");
it.each(others)("the example of the page runs: $title", async ({ title, code }) => {
  const { names: made = [], printed = [], check } = cases[title] ?? {};
  const checked = vi.fn(check ?? (async () => {}));
  vi.stubGlobal("checkExample", checked);
  await folder.run(`${here(code)}\nawait globalThis.checkExample({ ${made.join(", ")} });`);
  expect(checked).toHaveBeenCalledOnce();
  // Output of the beginning of the page, if the example includes it.
  const before = code.includes("console.log(api.requests.length); // 1") ? [[1]] : [];
  expect(log).toEqual([...before, ...printed]);
});
