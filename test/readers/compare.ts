// Compares our manifest reader with kubectl's, over every YAML file below the given folders. node
// --conditions=@typekube/source --import tsx test/readers/compare.ts FOLDER...

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { KubeError, type ManifestObject, readManifests } from "@typekube/core";
import { jsonEqual } from "@typekube/core/internal";
import { explanation, kubectlReads, withLabel } from "@typekube/test-support/kubectl";

/** Files per run of kubectl. */
const batchSize = 50;
const limits = { maxObjectBytes: 64 * 1024 * 1024 };

interface ReadFile {
  readonly path: string;
  /** Our objects, with the label; `undefined` when we reject the file. */
  readonly objects: readonly unknown[] | undefined;
  readonly refusal: string;
}

const counts = { files: 0, objects: 0, "read by both": 0, "refused by both": 0, differ: 0 };
/** Number of files that differ for a reason other than reading, by reason. */
const explained = new Map<string, number>();
const readable: ReadFile[] = [];
const refused: ReadFile[] = [];

for (const folder of process.argv.slice(2)) {
  for await (const path of yamlFiles(folder)) {
    counts.files++;
    const file = await readOurs(path);
    const batch = file.objects === undefined ? refused : readable;
    batch.push(file);
    if (batch.length >= batchSize) {
      await compare(batch.splice(0));
    }
  }
}
await compare(readable);
await compare(refused);
console.log(counts, Object.fromEntries(explained));
process.exitCode = counts.files > 0 && counts.differ === 0 ? 0 : 1;

async function* yamlFiles(folder: string): AsyncIterable<string> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      yield* yamlFiles(path);
    } else if (entry.isFile() && /\.ya?ml$/.test(entry.name)) {
      yield path;
    }
  }
}

async function readOurs(path: string): Promise<ReadFile> {
  const bytes = await readFile(path);
  try {
    const objects: ManifestObject[] = [];
    for await (const { object } of readManifests([bytes], { duplicateKeys: "last", limits })) {
      objects.push(object);
    }
    return { path, objects: objects.map(withLabel), refusal: "" };
  } catch (error) {
    if (!(error instanceof KubeError)) {
      throw error;
    }
    return { path, objects: undefined, refusal: error.message };
  }
}

/** Compares files that we all read, or all reject, in one run; splits the batch only when it differs. */
async function compare(files: readonly ReadFile[]): Promise<void> {
  if (files.length === 0) {
    return;
  }
  const isRefused = files[0]?.objects === undefined;
  const expected = files.flatMap(({ objects }) => objects ?? []);
  const output = await kubectlReads(files.map(({ path }) => path));
  const { objects, error } = output;
  const isSame = jsonEqual(objects, expected);
  if (isRefused ? objects.length === 0 && error !== "" : isSame && error === "") {
    counts[isRefused ? "refused by both" : "read by both"] += files.length;
    counts.objects += expected.length;
    return;
  }
  const [file] = files;
  if (files.length > 1 || file === undefined) {
    const middle = Math.ceil(files.length / 2);
    await compare(files.slice(0, middle));
    await compare(files.slice(middle));
    return;
  }
  if (isRefused && error !== "") {
    // kubectl prints the documents before the one that it rejects.
    counts["refused by both"]++;
    return;
  }
  const known = explanation(output, file.refusal);
  if (known !== undefined) {
    explained.set(known, (explained.get(known) ?? 0) + 1);
    return;
  }
  counts.differ++;
  const what = isRefused
    ? `only kubectl reads it: ${file.refusal}`
    : error === ""
      ? "the values differ"
      : `only we read it: ${error}`;
  console.log(`${file.path}: ${what}`);
}
