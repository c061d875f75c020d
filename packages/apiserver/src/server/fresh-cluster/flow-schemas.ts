import type { FreshCollection, FreshObject } from "./fresh-object.js";

/** Adds the condition that kube-apiserver maintains: the priority level of the FlowSchema exists. */
export function withReferenceFound(
  collections: readonly FreshCollection[],
): readonly FreshCollection[] {
  return collections.map((one) =>
    one.kind === "FlowSchema" ? { ...one, objects: () => one.objects().map(withCondition) } : one,
  );
}

function withCondition(schema: FreshObject): FreshObject {
  const { priorityLevelConfiguration } = schema["spec"] as {
    readonly priorityLevelConfiguration: { readonly name: string };
  };
  const message = `This FlowSchema references the PriorityLevelConfiguration object named "${priorityLevelConfiguration.name}" and it exists`;
  return {
    ...schema,
    status: {
      conditions: [
        {
          type: "Dangling",
          status: "False",
          lastTransitionTime: "$now",
          reason: "Found",
          message,
        },
      ],
    },
  };
}
