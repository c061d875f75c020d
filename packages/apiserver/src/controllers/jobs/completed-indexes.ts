/** Parses completion indexes in the format of a Job's status: "0,2-4". */
export function parseIndexes(text: string): Set<number> {
  const indexes = new Set<number>();
  for (const part of text.split(",").filter((one) => one !== "")) {
    const [first = 0, last = first] = part.split("-").map(Number);
    for (let index = first; index <= last; index++) {
      indexes.add(index);
    }
  }
  return indexes;
}

/** Formats completion indexes: three or more consecutive ones as a range, two as separate numbers. */
export function formatIndexes(indexes: ReadonlySet<number>): string {
  const sorted = [...indexes].sort((a, b) => a - b);
  const parts: string[] = [];
  for (let at = 0; at < sorted.length; ) {
    let end = at;
    while (sorted[end + 1] === (sorted[end] ?? 0) + 1) {
      end += 1;
    }
    const first = sorted[at];
    parts.push(
      end === at
        ? `${first}`
        : end === at + 1
          ? `${first},${sorted[end]}`
          : `${first}-${sorted[end]}`,
    );
    at = end + 1;
  }
  return parts.join(",");
}
