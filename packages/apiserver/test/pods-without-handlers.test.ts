import { startApiServer } from "@typekube/apiserver";
import { call, pods as podsPath } from "@typekube/test-support/api-calls";
import { expect, it } from "vitest";

it.each([
  ["log", "log"],
  ["exec", "exec"],
  ["attach", "attach"],
  ["portforward", "portForward"],
])("the error of %s without a handler names the missing one", async (part, handler) => {
  await using api = await startApiServer();
  const spec = { nodeName: "node-1", containers: [{ name: "c", image: "x" }] };
  await call(api, "POST", podsPath, { metadata: { name: "one" }, spec });
  const { status, body } = await call(api, "GET", `${podsPath}/one/${part}`);
  expect(status).toBe(501);
  expect(JSON.stringify(body)).toContain(`{ pods: { ${handler} } }`);
});
