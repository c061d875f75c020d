import { readFile } from "node:fs/promises";
import { startApiServer } from "@typekube/apiserver";
import { call, type Json } from "@typekube/test-support/api-calls";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { idleKinds, isIdleKindWarning } from "../src/kinds/idle-kinds.js";

const page = new URL("../../../docs/embedded-server.md", import.meta.url);

let api: Awaited<ReturnType<typeof startApiServer>>;
beforeEach(async () => {
  api = await startApiServer();
});
afterEach(() => api.close());

async function warningOf(path: string, body: Json): Promise<string | undefined> {
  const { status, headers } = await call(api, "POST", path, body);
  expect(status).toBe(201);
  return headers["warning"];
}

describe("kinds that the server does not act on", () => {
  it("the page lists exactly the kinds of the table", async () => {
    const rows = idleKinds.map(({ resource, why, note }) => {
      const [plural, ...group] = resource.split(".");
      const of = group.length === 0 ? "" : ` of \`${group.join(".")}\``;
      return `| \`${plural}\`${of}${note === undefined ? "" : `, ${note}`} | ${why} |`;
    });
    const text = await readFile(page, "utf8");
    const table = /<!-- idle kinds -->\n(?:\|.*\n){2}([\s\S]*?)<!-- \/idle kinds -->/.exec(
      text,
    )?.[1];
    expect(table?.trim().split("\n")).toEqual(rows);
  });

  it("warns about a token Secret, but not about other Secrets", async () => {
    const path = "/api/v1/namespaces/default/secrets";
    const annotations = { "kubernetes.io/service-account.name": "default" };
    const metadata = { name: "token", annotations };
    const type = "kubernetes.io/service-account-token";
    expect(await warningOf(path, { metadata, type })).toMatch(/tokens .* has no effect/);
    expect(await warningOf(path, { metadata: { name: "plain" } })).toBeUndefined();
  });

  it("warns about an APIService of another server, but not of a local version", async () => {
    const path = "/apis/apiregistration.k8s.io/v1/apiservices";
    const spec = { group: "example.com", groupPriorityMinimum: 1_000, versionPriority: 1 };
    const service = { namespace: "default", name: "x" };
    expect(
      await warningOf(path, {
        metadata: { name: "v1.example.com" },
        spec: { ...spec, version: "v1", service, insecureSkipTLSVerify: true },
      }),
    ).toMatch(/does not forward .* has no effect/);
    expect(
      await warningOf(path, {
        metadata: { name: "v2.example.com" },
        spec: { ...spec, version: "v2" },
      }),
    ).toBeUndefined();
  });

  it.each([
    [
      "flowcontrol.apiserver.k8s.io/v1/flowschemas",
      { priorityLevelConfiguration: { name: "x" } },
      /queues none/,
    ],
    [
      "flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations",
      { type: "Limited", limited: { limitResponse: { type: "Reject" } } },
      /queues none/,
    ],
    ["networking.k8s.io/v1/namespaces/default/networkpolicies", { podSelector: {} }, /no network/],
  ])("warns about %s", async (path, spec, why) => {
    const text = await warningOf(`/apis/${path}`, { metadata: { name: "a" }, spec });
    expect(text).toMatch(why);
    expect(text).toMatch(/has no effect/);
  });

  it.each([undefined, true] as const)(
    "warns about a HorizontalPodAutoscaler in both of its versions, with `controllers: %s`",
    async (controllers) => {
      await using other = await startApiServer(controllers === undefined ? {} : { controllers });
      const scaleTargetRef = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };
      for (const version of ["v1", "v2"]) {
        const path = `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers`;
        const spec = { scaleTargetRef, maxReplicas: 3 };
        const { status, headers } = await call(other, "POST", path, {
          metadata: { name: version },
          spec,
        });
        expect(status).toBe(201);
        expect(headers["warning"]).toMatch(/no metrics .*HorizontalPodAutoscaler has no effect/);
      }
    },
  );

  it("comparisons recognize exactly these warnings", () => {
    for (const { why } of idleKinds) {
      expect(isIdleKindWarning(`this embedded API server ${why}: the Thing has no effect`)).toBe(
        true,
      );
    }
    expect(isIdleKindWarning("spec.x: deprecated")).toBe(false);
  });
});
