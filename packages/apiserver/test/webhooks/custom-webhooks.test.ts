import { type Review, startApiServer } from "@typekube/apiserver";
import { call } from "@typekube/test-support/api-calls";
import { expect, test } from "vitest";
import { mutating, patchOf, register, reply, webhook } from "./configurations.js";

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const boxes = "/apis/example.com/v2/namespaces/default/boxes";
const text = { type: "string" };
const version = (name: string, properties: object) => ({
  name,
  served: true,
  storage: name === "v1",
  schema: {
    openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties } } },
  },
});

/** Converts between a `size` "2x3" in v1, and a `width` and a `height` in v2. */
function converted(spec: Record<string, string>, to: string): object {
  const [width, height] = (spec["size"] ?? "").split("x");
  return to.endsWith("/v2") ? { width, height } : { size: `${spec["width"]}x${spec["height"]}` };
}

test("CT9: a custom resource is converted to the version of a webhook's rules, and back", async () => {
  const reviews: Review[] = [];
  await using api = await startApiServer({
    clock: "virtual",
    webhooks: {
      "default/hooks": (review) => {
        if (review.kind === "AdmissionReview") {
          reviews.push(review);
          return reply(
            review,
            patchOf(
              { op: "replace", path: "/spec/size", value: "5x6" },
              { op: "add", path: "/spec/unknown", value: "dropped" },
            ),
          );
        }
        const { objects = [], desiredAPIVersion: apiVersion = "" } = review.request;
        const convertedObjects = objects.map((object) => ({
          ...object,
          apiVersion,
          spec: converted(Object(object["spec" as keyof object]), apiVersion),
        }));
        return reply(review, { convertedObjects, result: { status: "Success" } });
      },
    },
  });
  const clientConfig = { service: { namespace: "default", name: "hooks" } };
  await call(api, "POST", definitions, {
    metadata: { name: "boxes.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "boxes", kind: "Box" },
      versions: [version("v1", { size: text }), version("v2", { width: text, height: text })],
      conversion: {
        strategy: "Webhook",
        webhook: { clientConfig, conversionReviewVersions: ["v1"] },
      },
    },
  });
  const rules = [
    { apiGroups: ["example.com"], apiVersions: ["v1"], operations: ["*"], resources: ["boxes"] },
  ];
  await register(api, mutating, webhook("a", { rules }));
  const { status, body } = await call(api, "POST", boxes, {
    apiVersion: "example.com/v2",
    kind: "Box",
    metadata: { name: "b" },
    spec: { width: "2", height: "3" },
  });
  expect([status, body.apiVersion, body.spec]).toEqual([
    201,
    "example.com/v2",
    { width: "5", height: "6" },
  ]);
  expect(reviews.map(({ request }) => request.object)).toMatchObject([
    { apiVersion: "example.com/v1", spec: { size: "2x3" } },
  ]);
  expect(reviews[0]?.request["requestKind"]).toEqual({
    group: "example.com",
    version: "v2",
    kind: "Box",
  });
});
