import { ConfigMap } from "@typekube/api/core/v1";
import { defineController } from "@typekube/controller";
import { expectTypeOf, test } from "vitest";

test("CE14: a reason that the controller does not declare does not compile", () => {
  defineController(ConfigMap, {
    reasons: ["Created", "Failed"],
    reconcile(object, run) {
      run.events.normal(object, "Created", "");
      // @ts-expect-error a typo
      run.events.normal(object, "Craeted", "");
      // @ts-expect-error a typo
      run.events.warning(object, "Faild", "");
      expectTypeOf(run.events.normal).parameter(1).toEqualTypeOf<"Created" | "Failed">();
    },
  });
  defineController(ConfigMap, {
    reconcile(object, run) {
      run.events.normal(object, "Anything", "");
    },
  });
});
