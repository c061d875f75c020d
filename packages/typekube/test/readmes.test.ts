import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ApiServer, type Listener, startApiServer } from "@typekube/apiserver";
import { Namespace, Pod } from "typekube/api/core/v1";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { type ExampleFolder, exampleFolder, examplesOf } from "./page-examples.js";

let api: ApiServer;
let listener: Listener;
let folder: ExampleFolder;
beforeAll(async () => {
  [api, folder] = await Promise.all([startApiServer(), exampleFolder({ hasAllPackages: true })]);
  listener = await api.listen();
});
afterAll(() => Promise.all([api, folder].map((used) => used[Symbol.asyncDispose]())));

let log: unknown[][] = [];
beforeEach(async () => {
  log = [];
  vi.spyOn(console, "log").mockImplementation((...values) => void log.push(values));
  const [kubeconfig, ca] = ["kubeconfig", "ca.pem"].map((name) => join(folder.path, name));
  await listener.writeKubeconfig(kubeconfig ?? "", { name: "staging", namespace: "shop" });
  await writeFile(ca ?? "", listener.certificateAuthority ?? "");
  vi.stubEnv("KUBECONFIG", kubeconfig);
  vi.stubEnv("KUBE_TOKEN", listener.token);
  await using client = await api.client();
  await client.resource(Namespace).apply({ metadata: { name: "prod" } });
  const pods = client.resource(Pod, "prod");
  await pods.deleteCollection({ gracePeriodSeconds: 0 });
  await pods.create({
    metadata: { name: "web-0" },
    spec: { containers: [{ name: "c", image: "i" }] },
  });
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** Expected output of the examples of each package. */
const printed: Readonly<Record<string, unknown[][]>> = {
  api: [["web", "pods"]],
  apiserver: [[expect.stringMatching(/^https:\/\/127\.0\.0\.1:\d+$/), []]],
  cel: [
    [{ ok: true, value: true, cost: 16 }],
    [{ ok: false, error: { code: "Failed", message: "no such key: names" }, cost: 5 }],
    ["found no matching overload for '_==_' applied to '(int, string)'"],
    [1],
    ["failed expression: object.max < 5"],
  ],
  client: [[{ tier: "gold" }]],
  config: [[expect.stringMatching(/^https:\/\/127\.0\.0\.1:\d+$/), "shop", "staging"]],
  controller: [["prod/shop has 2 entries"]],
  core: [[true], ["1500m", true]],
  crd: [["widgets.example.com"], ["Invalid value: failed rule: self.min <= self.max"]],
  informer: [[1], [undefined, { tier: "gold" }], ["add", { tier: "gold" }]],
  policy: [
    [
      422,
      "ValidatingAdmissionPolicy 'few-replicas' with binding 'few-replicas' denied request: at most 5 replicas",
    ],
  ],
  schema: [
    [["spec.nick"]],
    [{ spec: { name: "Web", max: 5, replicas: 7 } }],
    ["Invalid value: \"Web\": spec.name in body should match '^[a-z]+$'"],
    [
      [
        {
          reason: "FieldValueInvalid",
          message: "Invalid value: failed rule: self.replicas <= self.max",
          field: "spec",
        },
      ],
    ],
  ],
  transport: [[200], [expect.any(Number)]],
  typekube: [[1]],
};

it("every package whose README has an example is run here", async () => {
  const packages = await readdir(new URL("../../", import.meta.url));
  const found = await Promise.all(
    packages.map(async (name) => [name, await examplesOf(`packages/${name}/README.md`)] as const),
  );
  const shown = found.filter(([, examples]) => examples.length > 0);
  expect(shown.map(([name]) => name)).toEqual(Object.keys(printed));
});

it.each(Object.entries(printed))(
  "the examples of packages/%s/README.md run",
  async (name, expected) => {
    for (const { code } of await examplesOf(`packages/${name}/README.md`)) {
      await folder.run(
        code
          .replace("https://kube.example:6443", listener.server)
          .replace("/etc/kube/ca.pem", join(folder.path, "ca.pem")),
      );
    }
    expect(log).toEqual(expected);
  },
);
