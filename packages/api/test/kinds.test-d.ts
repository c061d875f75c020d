import type {
  BuiltInKinds,
  KubeObject,
  ResourceDescriptor,
  SubresourceDescriptor,
  Verb,
} from "@typekube/api";
import type { Deployment } from "@typekube/api/apps/v1";
import { SelfSubjectAccessReview } from "@typekube/api/authorization/v1";
import type { Scale } from "@typekube/api/autoscaling/v1";
import { type ComponentStatus, Node, Pod, type PodList, type PodSpec } from "@typekube/api/core/v1";
import type { Eviction } from "@typekube/api/policy/v1";
import { builtInResources } from "@typekube/api/resources";
import { describe, expectTypeOf, test } from "vitest";

type ObjectOf<D> = D extends ResourceDescriptor<infer T> ? T : never;
type BodyOf<D> = D extends SubresourceDescriptor<infer T> ? T : never;

describe("kinds", () => {
  test("a descriptor carries its object type, scope, verbs and subresources", () => {
    expectTypeOf<ObjectOf<typeof Pod>>().toEqualTypeOf<Pod>();
    expectTypeOf(Pod.scope).toEqualTypeOf<"Namespaced">();
    expectTypeOf(Node.scope).toEqualTypeOf<"Cluster">();
    expectTypeOf(Pod.verbs).toEqualTypeOf<readonly Verb[]>();
    expectTypeOf<keyof typeof Deployment.subresources>().toEqualTypeOf<"scale" | "status">();
    expectTypeOf(Pod.subresources.eviction.verbs).toEqualTypeOf<readonly "create"[]>();
  });

  test("GRP13: a kind that represents an operation can only be created", () => {
    expectTypeOf(SelfSubjectAccessReview.verbs).toEqualTypeOf<readonly "create"[]>();
  });

  test("every descriptor is a ResourceDescriptor, every object a KubeObject", () => {
    expectTypeOf(Pod).toExtend<ResourceDescriptor>();
    expectTypeOf(builtInResources).toEqualTypeOf<readonly ResourceDescriptor[]>();
    expectTypeOf<BuiltInKinds[keyof BuiltInKinds]>().toExtend<object>();
    expectTypeOf<Deployment>().toExtend<KubeObject>();
    expectTypeOf<ComponentStatus>().toExtend<KubeObject>();
  });

  test("a subresource carries the type of its body, also from another package", () => {
    expectTypeOf<BodyOf<typeof Pod.subresources.eviction>>().toEqualTypeOf<Eviction>();
    expectTypeOf<BodyOf<typeof Pod.subresources.status>>().toEqualTypeOf<Pod>();
    expectTypeOf<BodyOf<typeof Deployment.subresources.scale>>().toEqualTypeOf<Scale>();
    expectTypeOf<Eviction["kind"]>().toEqualTypeOf<"Eviction" | undefined>();
    expectTypeOf<Scale["apiVersion"]>().toEqualTypeOf<"autoscaling/v1" | undefined>();
  });

  test("objects are plain literals with the API's field names", () => {
    const pod: Pod = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "web-0", labels: { app: "web" } },
      spec: { containers: [{ name: "web", image: "nginx", ports: [{ containerPort: 80 }] }] },
    };
    expectTypeOf(pod.spec).toExtend<PodSpec | undefined>();
    // @ts-expect-error another kind's apiVersion
    const wrong: Pod = { apiVersion: "apps/v1" };
    expectTypeOf(wrong).toEqualTypeOf<Pod>();
  });

  test("lists are generic over their items", () => {
    expectTypeOf<PodList["items"]>().toEqualTypeOf<Pod[]>();
    expectTypeOf<PodList["kind"]>().toEqualTypeOf<"PodList">();
  });

  test("apiVersion and kind name the interface", () => {
    expectTypeOf<BuiltInKinds["apps/v1"]["Deployment"]>().toEqualTypeOf<Deployment>();
    expectTypeOf<BuiltInKinds["v1"]["Pod"]>().toEqualTypeOf<Pod>();
  });
});
