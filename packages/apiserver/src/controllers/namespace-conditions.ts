import type { ConditionText } from "./conditions.js";

/** What is left in a namespace that is being deleted. */
export interface Remains {
  /** How many objects, by resource. */
  readonly counts: ReadonlyMap<string, number>;
  /** How many objects have a finalizer. */
  readonly finalizers: ReadonlyMap<string, number>;
}

/** What a namespace that is being deleted says of that. */
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
