import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { type OutputOption, UsageProblem } from "./command-options.js";

/**
 * Refuses reports that would overwrite a file that the check reads, under any of its names.
 *
 * @param inputs - absolute paths.
 * @throws {UsageProblem} for such a report.
 */
export async function refuseOverwriting(
  folder: string,
  outputs: readonly OutputOption[],
  inputs: readonly string[],
): Promise<void> {
  const files = outputs.flatMap(({ format, file }) =>
    file === undefined ? [] : [{ format, file, path: resolve(folder, file) }],
  );
  if (files.length === 0) {
    return;
  }
  const read = new Set<string>();
  for (const input of inputs) {
    read.add((await identityOf(input)) ?? input);
  }
  for (const { format, file, path } of files) {
    const identity = (await identityOf(path)) ?? path;
    if (read.has(identity)) {
      throw new UsageProblem(
        `--output ${format}=${file} would overwrite a file that is checked: name another file, or leave it out with --ignore ${file}`,
      );
    }
  }
}

/** Returns what all names of an ordinary file share; `undefined` for other paths. */
async function identityOf(path: string): Promise<string | undefined> {
  const found = await stat(path, { bigint: true }).catch(() => undefined);
  return found?.isFile() ? `${found.dev} ${found.ino}` : undefined;
}
