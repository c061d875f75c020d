/** Returns what a process has in progress outside of virtual time, by type, without the turns of its event loop. */
export function realResources(): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const type of process.getActiveResourcesInfo()) {
    if (type !== "Immediate") {
      counts.set(type, (counts.get(type) ?? 0) + 1);
    }
  }
  return counts;
}

/** Returns the types of which there are more than before. */
export function moreResources(before: ReadonlyMap<string, number>): string[] {
  return [...realResources()]
    .filter(([type, count]) => count > (before.get(type) ?? 0))
    .map(([type]) => type);
}
