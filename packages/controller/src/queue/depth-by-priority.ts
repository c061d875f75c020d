/** Maximum of label values, including the collective one. (controller-runtime `maxRecommendedUniquePriorities`) */
const maxLabels = 25;

/** Label of all priorities that have no label of their own. (controller-runtime `internal/metrics/workqueue.go`) */
const collectiveLabel = "exceeded_cardinality_limit";

/** Counts ready keys per priority, with a bounded number of labels. */
export interface DepthByPriority {
  /** Receives the changes; an `onDepth` of a queue's observer. */
  readonly onDepth: (priority: number, change: 1 | -1) => void;
  /** Number of ready keys by label: the priority, or `exceeded_cardinality_limit` for the 25th and further ones. */
  readonly depths: ReadonlyMap<string, number>;
}

/** Creates a counter of ready keys per priority. A priority keeps its label; the sum is the number of ready keys. */
export function createDepthByPriority(): DepthByPriority {
  const labels = new Map<number, string>();
  const depths = new Map<string, number>();
  return {
    depths,
    onDepth(priority, change) {
      let label = labels.get(priority);
      if (label === undefined) {
        label = labels.size < maxLabels - 1 ? String(priority) : collectiveLabel;
        if (label !== collectiveLabel) {
          labels.set(priority, label);
        }
      }
      depths.set(label, (depths.get(label) ?? 0) + change);
    },
  };
}
