import { Pod } from "@typekube/api/core/v1";
import type { Client } from "typekube";
import { describe, expectTypeOf, test } from "vitest";

declare const client: Client;
const pods = () => client.resource(Pod, "prod");

describe("resourceVersions of reads", () => {
  test("RV8, RV10: get takes a resourceVersion and no match, list takes both, watch only a resourceVersion", () => {
    type Get = NonNullable<Parameters<ReturnType<typeof pods>["get"]>[1]>;
    type List = NonNullable<Parameters<ReturnType<typeof pods>["list"]>[0]>;
    expectTypeOf<Get["resourceVersion"]>().toEqualTypeOf<string | undefined>();
    expectTypeOf<"resourceVersionMatch" extends keyof Get ? true : false>().toEqualTypeOf<false>();
    expectTypeOf<List["resourceVersionMatch"]>().toEqualTypeOf<
      "Exact" | "NotOlderThan" | undefined
    >();
    pods().list({ resourceVersion: "5", resourceVersionMatch: "Exact" });
    pods().watch({ resourceVersion: "5" });
    // @ts-expect-error a match needs a version
    pods().list({ resourceVersionMatch: "NotOlderThan" });
    // @ts-expect-error an exact watch does not exist
    pods().watch({ resourceVersion: "5", resourceVersionMatch: "Exact" });
  });
});
