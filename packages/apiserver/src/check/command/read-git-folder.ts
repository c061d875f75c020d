import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { CheckText } from "../options/check-input.js";
import { UsageProblem } from "./command-options.js";

const execute = promisify(execFile);
const maxGitBytes = 256 * 1024 * 1024;

/**
 * Reads the manifests of a revision of the repository around a folder, without changing its work tree.
 *
 * @param paths - limits the files to those below these paths; empty for all.
 * @throws {UsageProblem} when git or the revision is missing.
 */
export async function readGitFolder(
  folder: string,
  revision: string,
  paths: readonly string[],
): Promise<readonly CheckText[]> {
  const git = async (...args: readonly string[]) => {
    try {
      const options = { cwd: folder, maxBuffer: maxGitBytes };
      return (await execute("git", args, options)).stdout;
    } catch (error) {
      const { stderr = "", message } = error as Error & { readonly stderr?: string };
      throw new UsageProblem(`--against git:${revision}: ${(stderr || message).trim()}`);
    }
  };
  if (revision === "" || revision.startsWith("-")) {
    throw new UsageProblem(`--against git:${revision}: expected a revision such as git:main`);
  }
  const commit = (
    await git("rev-parse", "--verify", "--end-of-options", `${revision}^{commit}`)
  ).trim();
  const names = await git("ls-tree", "-r", "-z", "--name-only", commit, "--", ...paths);
  const texts: CheckText[] = [];
  for (const name of names.split("\0").filter((one) => /\.(?:json|ya?ml)$/i.test(one))) {
    texts.push({ name: `${revision}:${name}`, text: await git("show", `${commit}:./${name}`) });
  }
  return texts;
}
