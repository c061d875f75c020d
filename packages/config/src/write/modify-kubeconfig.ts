import { stat } from "node:fs/promises";
import { fileProblemOf } from "@typekube/transport/internal";
import { ConfigProblem, configError } from "../config-problem.js";
import { assertLoadKubeconfigOptions } from "../known-options.js";
import type { Kubeconfig } from "../kubeconfig.js";
import { kubeconfigPaths } from "../kubeconfig-paths.js";
import { type LoadKubeconfigOptions, loadFiles, readKubeconfigFile } from "../load-kubeconfig.js";
import { parseYaml } from "../parse-yaml.js";
import { changedContent, type FileChange, type FileContent } from "./changed-content.js";
import { changedText } from "./changed-text.js";
import { changesOf, draftOf, type KubeconfigDraft } from "./kubeconfig-draft.js";
import { withLocks } from "./lock-file.js";
import { writeAtomically } from "./write-atomically.js";

/**
 * Changes kubeconfig files as `kubectl config` does: each entry in the file that it came from, new ones in the first file that is
 * there, or in the last one named when none is. Only what changed is written anew; see `docs/connecting.md` for what becomes of
 * comments. Files are locked while they are changed (`<file>.lock`), replaced in one step, and readable by their owner alone (mode
 * 0600, which Windows does not have).
 *
 * @param change - changes the draft; what it throws leaves every file as it was.
 * @returns the files that were written.
 *
 * @example
 * await modifyKubeconfig((draft) => {
 *   draft.contexts.set("dev", { cluster: "kind", user: "kind", namespace: "dev" });
 * });
 *
 * @throws {KubeError} `Config` when a file is locked, cannot be read or written, or would not be a kubeconfig any more.
 */
export async function modifyKubeconfig(
  change: (draft: KubeconfigDraft) => Promise<void> | void,
  options: LoadKubeconfigOptions = {},
): Promise<readonly string[]> {
  // Before anything is made: the locks have a folder.
  assertLoadKubeconfigOptions(options);
  const { paths } = await kubeconfigPaths(options);
  if (paths.length === 0) {
    const text = "no kubeconfig file is named, and this user has no home directory";
    throw configError([new ConfigProblem("Unwritable", text)], "pass { path } or set KUBECONFIG");
  }
  const target = await fileForNew(paths);
  const there = await Promise.all(paths.map(isThere));
  return withLocks([target, ...paths.filter((_, i) => there[i])], async () => {
    // A file that is named and missing is created.
    const kubeconfig = await loadFiles(paths, false);
    const draft = draftOf(kubeconfig);
    await change(draft);
    const texts: { readonly file: string; readonly text: string }[] = [];
    // All of them before the first is written: what cannot be is found out in time.
    for (const [file, fileChange] of await changesByFile(draft, kubeconfig, target)) {
      texts.push({ file, text: await nextText(file, fileChange) });
    }
    for (const { file, text } of texts) {
      await writeAtomically(file, text);
    }
    return texts.map(({ file }) => file);
  });
}

async function changesByFile(
  draft: KubeconfigDraft,
  kubeconfig: Kubeconfig,
  target: string,
): Promise<Map<string, FileChange>> {
  const changes = new Map<string, FileChange>();
  for (const entry of changesOf(draft, kubeconfig)) {
    const file = entry.file ?? target;
    changes.set(file, { entries: [...(changes.get(file)?.entries ?? []), entry] });
  }
  const current = draft.currentContext ?? "";
  if (current !== (kubeconfig.currentContext ?? "")) {
    for (const file of await filesForContext(current, kubeconfig.files, target)) {
      const entries = changes.get(file)?.entries ?? [];
      changes.set(file, { entries, currentContext: current });
    }
  }
  return changes;
}

/** The file that says which context is the current one; all that say one when there shall be none. */
async function filesForContext(
  current: string,
  files: readonly string[],
  target: string,
): Promise<readonly string[]> {
  const saying: string[] = [];
  for (const file of files) {
    if ((await contentOf(file)).content?.["current-context"]) {
      saying.push(file);
    }
  }
  return current === "" ? saying : [saying[0] ?? target];
}

async function nextText(file: string, change: FileChange): Promise<string> {
  const { text, content } = await contentOf(file);
  const next = changedContent(content, change, file);
  // With the schema comes zod, which programs that touch no file never load.
  const { parseKubeconfigFile } = await import("../kubeconfig-schema.js");
  const result = parseKubeconfigFile(next);
  if ("problems" in result) {
    const problem = `${file} would not be a kubeconfig: ${result.problems.join(", ")}`;
    throw configError([new ConfigProblem("Invalid", problem)]);
  }
  return changedText(text, content, next, file);
}

/** What a file says now; no content for one that is not there or empty. */
async function contentOf(
  file: string,
): Promise<{ readonly text: string; readonly content: FileContent | undefined }> {
  const text = await readKubeconfigFile(file).catch((error: unknown) => {
    if (fileProblemOf(error) === "ENOENT") {
      return "";
    }
    const problem = `the kubeconfig file ${file} cannot be read (${fileProblemOf(error)})`;
    throw configError([new ConfigProblem("Unreadable", problem)]);
  });
  const content = text.trim() === "" ? undefined : await parseYaml(text, file);
  const isObject = typeof content === "object" && content !== null;
  return { text, content: isObject ? (content as FileContent) : undefined };
}

async function fileForNew(paths: readonly string[]): Promise<string> {
  for (const path of paths) {
    if (await isThere(path)) {
      return path;
    }
  }
  return paths.at(-1) ?? "";
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
