import { execFile } from "node:child_process";
import { readdir, readFile, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { DefinitionText } from "../../packages/crd/src/generate/index.js";
import { modules } from "./modules.js";

const execute = promisify(execFile);

/** Texts of definitions, and modules that could not be read, with the reasons. */
export interface ModuleTexts {
  readonly texts: readonly DefinitionText[];
  readonly missing: readonly string[];
}

/**
 * Reads the definitions of projects from Go's module cache, which downloads missing modules. Each definition is a text of
 * its own; of several with one name, such as variants of one project, the first one counts.
 */
export async function readModules(): Promise<ModuleTexts> {
  const texts = new Map<string, DefinitionText>();
  const missing: string[] = [];
  for (const [module, ...places] of modules) {
    const folder = await folderOf(module).catch((error: Error) => error);
    if (folder instanceof Error) {
      missing.push(`${module}: ${folder.message.split("\n")[0]}`);
      continue;
    }
    for (const file of (
      await Promise.all(places.map((one) => filesOf(join(folder, one))))
    ).flat()) {
      const text = await readFile(file, "utf8");
      for (const document of text.split(/^---$/m)) {
        const name = nameOf(document);
        if (name !== undefined && !texts.has(name)) {
          texts.set(name, { name: `${module}:${name}`, text: document });
        }
      }
    }
  }
  return { texts: [...texts.values()], missing };
}

async function folderOf(module: string): Promise<string> {
  const { stdout } = await execute("go", ["mod", "download", "-json", module], {
    cwd: tmpdir(),
    env: { ...process.env, GOFLAGS: "-mod=mod" },
  });
  return (JSON.parse(stdout) as { readonly Dir: string }).Dir;
}

/** Returns the YAML files of a folder and below, in order, or the file itself. */
async function filesOf(place: string): Promise<string[]> {
  if (!(await stat(place)).isDirectory()) {
    return [place];
  }
  const names = await readdir(place, { recursive: true });
  return names
    .filter((name) => /\.ya?ml$/.test(name))
    .sort()
    .map((name) => join(place, name));
}

/** Returns the name of a definition; `undefined` for other documents, among them patches of definitions. */
function nameOf(document: string): string | undefined {
  return /^kind: ["']?CustomResourceDefinition/m.test(document) && /^ +group: /m.test(document)
    ? /^ {2,4}name: ["']?([a-z0-9.-]+\.[a-z0-9.-]+)["']?\s*$/m.exec(document)?.[1]
    : undefined;
}
