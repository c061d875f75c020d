import assert from "node:assert/strict";
import { Pod } from "@typekube/api/core/v1";
import { PriorityClass } from "@typekube/api/scheduling/v1";
import type { ConformanceCase, ConformanceContext } from "../conformance-case.js";
import { expectFailure } from "../support/expect-failure.js";
import { pod } from "../support/objects.js";
import { until } from "../support/until.js";

/** Waits until a pod without a class gets this priority: real servers read the classes from a cache. */
async function untilDefault(context: ConformanceContext, priority: number): Promise<void> {
  const pods = context.client.resource(Pod, context.namespace);
  await until(context, async () => {
    const made = await pods.create(pod("probe"), { dryRun: "All" });
    return made.spec?.priority === priority;
  });
}

/** Runs a case with names of PriorityClasses of its own, and removes all of them afterwards. */
function withClasses(
  run: (
    context: ConformanceContext,
    nameOf: (suffix: string) => string,
    create: (suffix: string, value: number, globalDefault?: boolean) => Promise<PriorityClass>,
  ) => Promise<void>,
): (context: ConformanceContext) => Promise<void> {
  return async (context) => {
    const { client, namespace } = context;
    const classes = client.resource(PriorityClass);
    const labels = { case: namespace };
    const nameOf = (suffix: string) => `${namespace}-${suffix}`;
    try {
      await run(context, nameOf, (suffix, value, globalDefault) =>
        classes.create({ metadata: { name: nameOf(suffix), labels }, value, globalDefault }),
      );
    } finally {
      await classes.deleteCollection({ labelSelector: labels });
      await untilDefault(context, 0);
    }
  };
}

const secondDefault = (name: string, known: string) =>
  ({
    code: 403,
    reason: "Forbidden",
    message: `priorityclasses.scheduling.k8s.io "${name}" is forbidden: PriorityClass ${known} is already marked as default. Only one default can exist`,
    details: { name, group: "scheduling.k8s.io", kind: "priorityclasses" },
    causes: [],
  }) as const;

/** Cases for the PriorityClass that pods without a class get. */
export const priorityClasses: readonly ConformanceCase[] = [
  {
    id: "priority-class-second-default",
    name: "a second default PriorityClass is rejected, on create and on update",
    run: withClasses(async (context, nameOf, create) => {
      const classes = context.client.resource(PriorityClass);
      await create("m", 500, true);
      await create("z", 300);
      await untilDefault(context, 500);
      await expectFailure(create("a", 100, true), secondDefault(nameOf("a"), nameOf("m")));
      const change = (one: PriorityClass) => {
        one.globalDefault = true;
      };
      await expectFailure(
        classes.modify(nameOf("z"), change),
        secondDefault(nameOf("z"), nameOf("m")),
      );
      await classes.modify(nameOf("m"), (one) => {
        one.description = "the default may change otherwise";
      });
      await classes.modify(nameOf("m"), (one) => {
        one.globalDefault = false;
      });
      await untilDefault(context, 0);
      const { globalDefault } = await classes.modify(nameOf("z"), change);
      assert.equal(globalDefault, true);
      await untilDefault(context, 300);
    }),
  },
  {
    id: "priority-class-lowest",
    name: "of several default PriorityClasses, which concurrent writes can make, pods get the lowest one",
    run: withClasses(async (context, _nameOf, create) => {
      const { client, namespace } = context;
      const values = [500, 100, 300, 700, 200];
      const made = await Promise.allSettled(
        values.map((value, at) => create(`${"mzakb"[at]}`, value, true)),
      );
      const defaults = values.filter((_, at) => made[at]?.status === "fulfilled");
      assert.ok(defaults.length > 0);
      await untilDefault(context, Math.min(...defaults));
      const created = await client.resource(Pod, namespace).create(pod("a"));
      assert.equal(created.spec?.priority, Math.min(...defaults));
    }),
  },
];
