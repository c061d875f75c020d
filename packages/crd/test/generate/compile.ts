import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const root = new URL("../../../../", import.meta.url);
const execute = promisify(execFile);

/** Settings of a strict user. */
const strictest = {
  declaration: true,
  exactOptionalPropertyTypes: true,
  isolatedDeclarations: true,
  lib: ["es2023", "esnext.disposable"],
  module: "nodenext",
  moduleResolution: "nodenext",
  noEmit: true,
  noUncheckedIndexedAccess: true,
  noUnusedLocals: true,
  strict: true,
  target: "es2022",
  verbatimModuleSyntax: true,
};

/**
 * Compiles files as the only ones of a project that has `typekube` and `zod`.
 *
 * @returns the output of the compiler; empty without errors.
 */
export async function compile(
  files: ReadonlyMap<string, string>,
  compilerOptions: object = {},
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "typekube-generate-"));
  try {
    const modules = join(folder, "node_modules");
    await mkdir(modules);
    for (const [name, from] of [
      ["typekube", "packages/typekube"],
      ["zod", "packages/crd/node_modules/zod"],
    ] as const) {
      await symlink(fileURLToPath(new URL(from, root)), join(modules, name), "junction");
    }
    for (const [path, text] of files) {
      const place = join(folder, path);
      await mkdir(dirname(place), { recursive: true });
      await writeFile(place, text);
    }
    const config = {
      compilerOptions: {
        ...strictest,
        // The sources of typekube are checked elsewhere, under settings of their own.
        customConditions: ["@typekube/source"],
        noUncheckedIndexedAccess: true,
        skipLibCheck: true,
        typeRoots: [fileURLToPath(new URL("node_modules/@types", root))],
        types: ["node"],
        ...compilerOptions,
      },
      include: ["**/*.ts"],
    };
    await writeFile(join(folder, "package.json"), '{ "type": "module" }');
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config));
    const compiler = fileURLToPath(new URL("node_modules/typescript/bin/tsc", root));
    return await execute(process.execPath, [compiler, "-p", folder], { cwd: folder }).then(
      ({ stdout }) => stdout,
      ({ stdout, message }: { stdout?: string; message: string }) => stdout || message,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
