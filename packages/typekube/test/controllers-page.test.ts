import { startApiServer } from "@typekube/apiserver";
import { Namespace, Node, Pod } from "typekube/api/core/v1";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { exampleFolder, pageExamples } from "./page-examples.js";

let log: unknown[][] = [];
beforeEach(() => {
  log = [];
  vi.spyOn(console, "log").mockImplementation((...values) => void log.push(values));
});
afterEach(() => {
  vi.restoreAllMocks();
});

it("the example of controllers.md runs: Some fields", async () => {
  await using api = await startApiServer();
  await using client = await api.client();
  await client.resource(Namespace).create({ metadata: { name: "prod" } });
  await client.resource(Node).create({ metadata: { name: "node-1" } });
  await client.resource(Pod, "prod").create({
    metadata: { name: "web-0" },
    spec: { nodeName: "node-1", containers: [{ name: "c", image: "i" }] },
  });
  const page = await pageExamples("controllers.md");
  const code = page.find(({ title }) => title === "Some fields")?.code ?? "";
  vi.stubGlobal("embedded", api);
  await using folder = await exampleFolder();
  await folder.run(
    code.replace("await connect()", "await connect({ transport: globalThis.embedded })"),
  );
  vi.unstubAllGlobals();
  expect(log).toContainEqual(["node-1", "web-0 Pending"]);
  expect(log).toContainEqual(["v1/Node", undefined, []]);
  expect(log).toContainEqual(["v1/Pod", ["spec.nodeName", "status.phase"], []]);
});
