import { readFolder } from "./folder.js";

/**
 * Lists the lines of the embedded server that are written by hand and name a release, such as `Kubernetes 1.37.1` in the
 * comment of a table: what they hold was copied or observed there.
 *
 * @param packages - the folder `packages`.
 * @param release - such as `1.37.1`.
 */
export function handWrittenRules(packages: string, release: string): string[] {
  const minor = release.split(".").slice(0, 2).join("\\.");
  const names = new RegExp(`\\b${minor}(\\.\\d+)?\\b`);
  return [...readFolder(packages, "apiserver/src")]
    .filter(([path]) => path.endsWith(".ts") && !path.includes("/generated/"))
    .flatMap(([path, text]) =>
      text
        .split("\n")
        .flatMap((line, at) =>
          names.test(line) ? [`  packages/${path}:${at + 1}: ${line.trim()}`] : [],
        ),
    );
}
