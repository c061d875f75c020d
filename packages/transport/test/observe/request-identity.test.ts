import { describe, expect, test } from "vitest";
import { requestIdentity } from "../../src/observe/request-identity.js";

const server = { origin: "https://kube:6443", basePath: "" };
const of = (method: "DELETE" | "GET" | "OPTIONS" | "PATCH" | "POST" | "PUT", path: string) =>
  requestIdentity({ method, path }, server);

describe("H9: URL templates", () => {
  test.each([
    ["/api/v1/pods", "/api/v1/pods"],
    ["/api/v1/namespaces/a/pods", "/api/v1/namespaces/{namespace}/pods"],
    ["/api/v1/namespaces/a/pods/b", "/api/v1/namespaces/{namespace}/pods/{name}"],
    ["/api/v1/namespaces/a/pods/b/status", "/api/v1/namespaces/{namespace}/pods/{name}/status"],
    ["/api/v1/namespaces/a/pods/b/log", "/api/v1/namespaces/{namespace}/pods/{name}/log"],
    ["/api/v1/namespaces", "/api/v1/namespaces"],
    ["/api/v1/namespaces/a", "/api/v1/namespaces/{name}"],
    ["/api/v1/namespaces/a/finalize", "/api/v1/namespaces/{name}/finalize"],
    ["/api/v1/namespaces/a/status", "/api/v1/namespaces/{name}/status"],
    ["/api/v1/nodes/n", "/api/v1/nodes/{name}"],
    ["/api/v1/nodes/n/proxy/metrics/a", "/api/v1/nodes/{name}/proxy/{path}"],
    ["/apis/apps/v1/deployments", "/apis/apps/v1/deployments"],
    [
      "/apis/apps/v1/namespaces/a/deployments/b/scale",
      "/apis/apps/v1/namespaces/{namespace}/deployments/{name}/scale",
    ],
    ["/apis/x.io/v1/widgets/w?dryRun=All", "/apis/x.io/v1/widgets/{name}"],
    ["/api/v1", "/api/v1"],
    ["/apis/apps/v1", "/apis/apps/v1"],
    ["/apis", "/apis"],
    ["/version", "/version"],
    ["/openapi/v3/apis/apps/v1", "/{prefix}"],
    ["/healthz/etcd", "/{prefix}"],
    ["/", "/"],
  ])("maps the path %s to the template %s", (path, template) => {
    expect(of("GET", path).urlTemplate).toBe(template);
  });

  test("starts with the server's base path", () => {
    const identity = requestIdentity(
      { method: "GET", path: "/api/v1/pods" },
      { origin: "https://gate", basePath: "/k8s/clusters/c-1" },
    );
    expect(identity.urlTemplate).toBe("/k8s/clusters/c-1/api/v1/pods");
    expect(identity.server).toBe("https://gate");
  });
});

test.each([
  ["GET", "/api/v1/pods", "list"],
  ["GET", "/api/v1/pods?limit=1&watch=true&x=1", "watch"],
  ["GET", "/api/v1/pods?watch=1", "watch"],
  ["GET", "/api/v1/pods?fieldSelector=watch%3Dtrue", "list"],
  ["GET", "/api/v1/namespaces/a/pods/b", "get"],
  ["POST", "/api/v1/namespaces/a/pods", "create"],
  ["PUT", "/api/v1/namespaces/a/pods/b", "update"],
  ["PATCH", "/api/v1/namespaces/a/pods/b", "patch"],
  ["DELETE", "/api/v1/namespaces/a/pods/b", "delete"],
  ["DELETE", "/api/v1/namespaces/a/pods", "deletecollection"],
  ["OPTIONS", "/api/v1/pods", "options"],
  ["GET", "/version", "get"],
  ["GET", "/apis/apps/v1", "get"],
] as const)("the Kubernetes verb of %s %s is %s", (method, path, verb) => {
  expect(of(method, path).verb).toBe(verb);
});

test("splits a path into its parts and decodes names", () => {
  expect(of("PATCH", "/apis/rbac.x/v1/namespaces/a/roles/system%3Aone/status")).toMatchObject({
    apiVersion: "rbac.x/v1",
    resource: "roles",
    subresource: "status",
    namespace: "a",
    name: "system:one",
  });
  expect(of("GET", "/api/v1/nodes/%zz").name).toBe("%zz");
  expect(of("GET", "/api/v1")).not.toHaveProperty("resource");
});
