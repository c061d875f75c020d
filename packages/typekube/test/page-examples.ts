import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";

const root = new URL("../../../", import.meta.url);

/** An example on a page of the documentation. */
export interface PageExample {
  /** The heading above it, with a number when the heading has several examples. */
  readonly title: string;
  readonly code: string;
}

/** Returns the TypeScript examples of a page of docs/, in order. */
export function pageExamples(page: string): Promise<PageExample[]> {
  return examplesOf(`docs/${page}`);
}

/** Returns the TypeScript examples of any Markdown file, by its path from the root of the repository. */
export async function examplesOf(path: string): Promise<PageExample[]> {
  const text = await readFile(new URL(path, root), "utf8");
  return text.split(/^## /m).flatMap((section) => {
    const heading = section.slice(0, section.indexOf("\n"));
    const blocks = [...section.matchAll(/^```ts\n([\s\S]*?)^```$/gm)];
    return blocks.map(([, code = ""], i) => ({
      title: blocks.length > 1 ? `${heading} ${i + 1}` : heading,
      code,
    }));
  });
}

/** Packages that a reader of the documentation has installed, with their locations. */
const readersPackages = {
  "@opentelemetry": "packages/typekube/node_modules/@opentelemetry",
  "@typekube/apiserver": "packages/apiserver",
  msw: "packages/apiserver/node_modules/msw",
  typekube: "packages/typekube",
  zod: "packages/typekube/node_modules/zod",
};

/** Packages that the READMEs of packages use. */
const allPackages = {
  ...readersPackages,
  "@typekube/api": "packages/api",
  "@typekube/cel": "packages/cel",
  "@typekube/client": "packages/client",
  "@typekube/config": "packages/config",
  "@typekube/core": "packages/core",
  "@typekube/crd": "packages/crd",
  "@typekube/controller": "packages/controller",
  "@typekube/informer": "packages/informer",
  "@typekube/policy": "packages/policy",
  "@typekube/schema": "packages/schema",
  "@typekube/transport": "packages/transport",
};

/** A folder in which code runs as if it were in this repository. */
export interface ExampleFolder extends AsyncDisposable {
  readonly path: string;
  /** Writes modules that examples import, by file name. */
  put(files: Readonly<Record<string, string>>): Promise<void>;
  /** Writes a module and runs it to its end. */
  run(code: string): Promise<Readonly<Record<string, unknown>>>;
  /** Returns the compiler's errors in modules, as strict as in this repository; empty when there are none. */
  typeErrors(code: readonly string[]): Promise<string>;
}

const execute = promisify(execFile);

/**
 * Creates a folder for examples.
 *
 * @param hasAllPackages - makes every package importable. Default: only those that the documentation says to install,
 * since pnpm resolves no other package in a user's project.
 */
export async function exampleFolder({ hasAllPackages = false } = {}): Promise<ExampleFolder> {
  const path = await mkdtemp(join(tmpdir(), "typekube-examples-"));
  const modules = join(path, "node_modules");
  await mkdir(join(modules, "@typekube"), { recursive: true });
  for (const [name, from] of Object.entries(hasAllPackages ? allPackages : readersPackages)) {
    // On Windows everyone may create junctions, but only administrators links; elsewhere the type is ignored.
    await symlink(fileURLToPath(new URL(from, root)), join(modules, name), "junction");
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
    async put(files) {
      for (const [file, code] of Object.entries(files)) {
        await mkdir(dirname(join(path, file)), { recursive: true });
        await writeFile(join(path, file), code);
      }
    },
    async typeErrors(code) {
      const include = await Promise.all(code.map((one) => write(`${one}\nexport {};\n`)));
      const config = {
        extends: fileURLToPath(new URL("tsconfig.test.json", root)),
        compilerOptions: {
          typeRoots: [fileURLToPath(new URL("node_modules/@types", root))],
          // Examples show values without using them.
          noUnusedLocals: false,
          noUnusedParameters: false,
          // The types of msw need those of browsers, and the types of vitest need those of Vite.
          skipLibCheck: true,
        },
        include,
      };
      await writeFile(join(path, "tsconfig.json"), JSON.stringify(config));
      const compiler = fileURLToPath(new URL("node_modules/typescript/bin/tsc", root));
      const said = execute(process.execPath, [compiler, "-p", path], { cwd: path });
      return said.then(
        ({ stdout }) => stdout,
        ({ stdout }: { stdout: string }) => stdout,
      );
    },
    run: async (code) =>
      (await import(pathToFileURL(await write(code)).href)) as Record<string, unknown>,
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}
