import { stat } from "node:fs/promises";
import { fileProblemOf } from "@typekube/transport/internal";
import { ConfigProblem, configError } from "../errors/config-problem.js";
import type { Kubeconfig } from "../kubeconfig/kubeconfig.js";
import { kubeconfigPaths } from "../kubeconfig/kubeconfig-paths.js";
import { loadFiles, readKubeconfigFile } from "../kubeconfig/load-kubeconfig.js";
import {
  assertLoadKubeconfigOptions,
  type LoadKubeconfigOptions,
} from "../kubeconfig/load-kubeconfig-options.js";
import { parseYaml } from "../kubeconfig/parse-yaml.js";
import { changedContent, type FileChange, type FileContent } from "./changed-content.js";
import { changedText } from "./changed-text.js";
import { changesOf, draftOf, type KubeconfigDraft } from "./kubeconfig-draft.js";
import { withLocks } from "./lock-file.js";
import { writeAtomically } from "./write-atomically.js";

/**
 * Changes kubeconfig files as `kubectl config` does: each entry in the file that it came from, new entries in the first
 * file that exists, or in the last one named when none exists. Only changed parts are rewritten; see
 * `docs/connecting.md` for comments. Files are locked during the change (`<file>.lock`), replaced atomically, and
 * readable by their owner only (mode 0600, which Windows does not have).
 *
 * @param change - changes the draft; when it throws, every file stays unchanged.
 * @returns the files that were written.
 *
 * @example
 * ```ts
 * await modifyKubeconfig((draft) => {
 *   draft.contexts.set("dev", { cluster: "kind", user: "kind", namespace: "dev" });
 * });
 * ```
 *
 * @throws {KubeError} `Config` when a file is locked, cannot be read or written, or would no longer be a valid
 * kubeconfig.
 */
export async function modifyKubeconfig(
  change: (draft: KubeconfigDraft) => Promise<void> | void,
  options: LoadKubeconfigOptions = {},
): Promise<readonly string[]> {
  // Validated before anything is created: locking creates folders.
  assertLoadKubeconfigOptions(options);
  const { paths } = await kubeconfigPaths(options);
  if (paths.length === 0) {
    const text = "no kubeconfig file is named, and this user has no home directory";
    throw configError([new ConfigProblem("Unwritable", text)], "pass { path } or set KUBECONFIG");
  }
  const target = await fileForNew(paths);
  const there = await Promise.all(paths.map(isThere));
  return withLocks([target, ...paths.filter((_, i) => there[i])], async () => {
    // Named files that do not exist yet are created.
    const kubeconfig = await loadFiles(paths, false);
    const draft = draftOf(kubeconfig);
    await change(draft);
    const texts: { readonly file: string; readonly text: string }[] = [];
    // Prepares all texts before the first write, so that invalid changes leave every file unchanged.
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

/** Returns the file that sets the current context; to remove it, all files that set one. */
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
  // The schema brings zod with it, which programs that change no file never load.
  const { parseKubeconfigFile } = await import("../kubeconfig/kubeconfig-schema.js");
  const result = parseKubeconfigFile(next);
  if ("problems" in result) {
    const problem = `${file} would become an invalid kubeconfig: ${result.problems.join(", ")}`;
    throw configError([new ConfigProblem("Invalid", problem)]);
  }
  return changedText(text, content, next, file);
}

/** Reads the current content of a file; `undefined` for a missing or empty file. */
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
