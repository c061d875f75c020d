import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = new URL("../../../", import.meta.url);

/** An example of a page of the documentation. */
export interface PageExample {
  /** The heading that it stands under, and its number there when there are several. */
  readonly title: string;
  readonly code: string;
}

/** The TypeScript of a page, in order. */
export async function pageExamples(page: string): Promise<PageExample[]> {
  const text = await readFile(new URL(`docs/${page}`, root), "utf8");
  return text.split(/^## /m).flatMap((section) => {
    const heading = section.slice(0, section.indexOf("\n"));
    const blocks = [...section.matchAll(/^```ts\n([\s\S]*?)^```$/gm)];
    return blocks.map(([, code = ""], i) => ({
      title: blocks.length > 1 ? `${heading} ${i + 1}` : heading,
      code,
    }));
  });
}

/** Where the packages that examples import are installed. */
const homes = {
  "@opentelemetry": "packages/typekube/",
  "@typekube": "",
  typekube: "",
};

/** A folder that code can be run in as if it stood in this repository. */
export interface ExampleFolder extends AsyncDisposable {
  readonly path: string;
  /** Writes a module and runs it to its end. */
  run(code: string): Promise<Readonly<Record<string, unknown>>>;
}

export async function exampleFolder(): Promise<ExampleFolder> {
  const path = await mkdtemp(join(tmpdir(), "typekube-examples-"));
  const modules = join(path, "node_modules");
  await mkdir(modules);
  for (const [name, from] of Object.entries(homes)) {
    await symlink(fileURLToPath(new URL(`${from}node_modules/${name}`, root)), join(modules, name));
  }
  await writeFile(join(path, "package.json"), '{ "type": "module" }');
  let files = 0;
  const write = async (code: string) => {
    files += 1;
    const file = join(path, `example-${files}.ts`);
    await writeFile(file, code);
    return file;
  };
  return {
    path,
    run: async (code) =>
      (await import(pathToFileURL(await write(code)).href)) as Record<string, unknown>,
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}
