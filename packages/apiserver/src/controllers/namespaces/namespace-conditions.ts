import type { ConditionText } from "../../objects/conditions.js";

/** Remaining content of a terminating namespace. */
export interface Remains {
  /** Number of remaining objects by resource. */
  readonly counts: ReadonlyMap<string, number>;
  /** Number of remaining objects by finalizer. */
  readonly finalizers: ReadonlyMap<string, number>;
}

/** Returns the conditions of a terminating namespace. */
export function namespaceConditions({ counts, finalizers }: Remains): readonly ConditionText[] {
  return [
    {
      type: "NamespaceDeletionDiscoveryFailure",
      status: "False",
      reason: "ResourcesDiscovered",
      message: "All resources successfully discovered",
    },
    {
      type: "NamespaceDeletionGroupVersionParsingFailure",
      status: "False",
      reason: "ParsedGroupVersions",
      message: "All legacy kube types successfully parsed",
    },
    {
      type: "NamespaceDeletionContentFailure",
      status: "False",
      reason: "ContentDeleted",
      message: "All content successfully deleted, may be waiting on finalization",
    },
    counts.size > 0
      ? {
          type: "NamespaceContentRemaining",
          status: "True",
          reason: "SomeResourcesRemain",
          message: `Some resources are remaining: ${texts(counts, (name, count) => `${name} has ${count} resource instances`)}`,
        }
      : {
          type: "NamespaceContentRemaining",
          status: "False",
          reason: "ContentRemoved",
          message: "All content successfully removed",
        },
    finalizers.size > 0
      ? {
          type: "NamespaceFinalizersRemaining",
          status: "True",
          reason: "SomeFinalizersRemain",
          message: `Some content in the namespace has finalizers remaining: ${texts(finalizers, (name, count) => `${name} in ${count} resource instances`)}`,
        }
      : {
          type: "NamespaceFinalizersRemaining",
          status: "False",
          reason: "ContentHasNoFinalizers",
          message: "All content-preserving finalizers finished",
        },
  ];
}

function texts(
  counts: ReadonlyMap<string, number>,
  text: (name: string, count: number) => string,
): string {
  return [...counts]
    .map(([name, count]) => text(name, count))
    .sort()
    .join(", ");
}
