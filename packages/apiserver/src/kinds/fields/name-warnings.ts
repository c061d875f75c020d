import type { ApiObject } from "../../objects/api-object.js";

const maxLabelLength = 63;

/** Returns warnings about a name that is not a DNS label although host names derive from it. */
export function labelNameWarnings({ metadata: { name = "" } }: ApiObject, uses: string): string[] {
  const wrongs = [
    ...(name.length > maxLabelLength ? [`must be no more than ${maxLabelLength} characters`] : []),
    ...(name.includes(".") ? ["must not contain dots"] : []),
  ];
  return wrongs.length === 0
    ? []
    : [
        `metadata.name: this is used in ${uses}, which can result in surprising behavior; a DNS label is recommended: [${wrongs.join(" ")}]`,
      ];
}
