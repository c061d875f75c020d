import { randomUUID } from "node:crypto";
import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { copiedFiles } from "./bench-pod.js";

/** Places of a copy, of which a program reads one and writes another. */
export interface CopyPlace {
  /** Folder of the local files. */
  readonly source: string;
  /** Folder that does not exist yet, for files of the pod. */
  readonly target: string;
  /** Folder in the pod that contains that of the files. */
  readonly parent: string;
  /** Folder of the files in the pod. */
  readonly remote: string;
}

export function copyPlace(folder = ""): CopyPlace {
  return {
    source: join(folder, copiedFiles.name),
    target: join(folder, `copy-${randomUUID()}`),
    parent: copiedFiles.parent,
    remote: `${copiedFiles.parent}/${copiedFiles.name}`,
  };
}

/** Counts the complete files of a copy from the pod, and removes them. */
export function takeCopied(target: string): number {
  const files = readdirSync(target).filter(
    (name) => statSync(join(target, name)).size === copiedFiles.bytes,
  );
  rmSync(target, { recursive: true });
  return files.length;
}
