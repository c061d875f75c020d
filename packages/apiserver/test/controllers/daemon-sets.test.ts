import { expect, it } from "vitest";
import { spreadPods } from "../../src/controllers/daemon-sets/daemon-sets.js";
import { nodeOf } from "../../src/controllers/pods/node-of.js";
import { createControllerContext, objectOf, selector, template } from "./controller-context.js";

it("creates a pod on each Node without one, and deletes those on other Nodes", async () => {
  const context = await createControllerContext("daemonsets.apps");
  const { writer } = context;
  const spec = { selector, template };
  const set = writer.create("daemonsets.apps", objectOf("apps/v1", "DaemonSet", "agent", { spec }));
  const nodes = () => writer.list("pods", "").map(nodeOf).sort();
  spreadPods(context, set, [], ["n1", "n2"], "h");
  expect(nodes()).toEqual(["n1", "n2"]);
  spreadPods(context, set, writer.list("pods", ""), ["n2", "n3"], "h");
  expect(nodes()).toEqual(["n2", "n3"]);
});
