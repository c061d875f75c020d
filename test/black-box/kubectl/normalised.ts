/** Text that differs between runs, and its replacement. */
const volatile: readonly (readonly [RegExp, string])[] = [
  // Real servers repair their IP allocations periodically and may report an address that was just allocated as lost.
  [
    /Events:\n +Type .*\n +----.*\n(?: +Warning +ClusterIPNotAllocated .*\n?)+/g,
    "Events: <none>\n",
  ],
  // Time and process in the warnings of kubectl's own log.
  [/^([IWE])\d{4} [\d:.]+ +\d+ /gm, "$1 "],
  [/127\.0\.0\.1:\d+/g, "HOST"],
  [/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "UID"],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, "TIME"],
  [/[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d \+0000/g, "DATE"],
  [/(resource ?version\\?"?: *\\?"?)\d+/gi, "$1VERSION"],
  [/\b10\.\d+\.\d+\.\d+/g, "ADDRESS"],
  [/\b(?:\d+m)?\d+s\b/g, "AGE"],
  [/\S*\/(LIVE|MERGED)-\d+/g, "$1"],
  [/^ +<(?:empty|no description)>\n/gm, ""],
  // Columns are as wide as their widest value.
  [/[ \t]+/g, " "],
];

/**
 * Replaces the parts of kubectl's output that differ between runs: times, ages, uids, resourceVersions, addresses,
 * ports.
 */
export function normalised(text: string): string {
  return volatile
    .reduce((seen, [pattern, replacement]) => seen.replace(pattern, replacement), text)
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
    .trim();
}
