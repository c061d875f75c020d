import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { peersFolder } from "./peers.js";
import { median } from "./statistics.js";

/** Size of a package and its dependencies in `node_modules`. */
export interface InstallSize {
  readonly packages: number;
  readonly megabytes: number;
}

/** Costs of a program before it runs. */
export interface Footprint {
  /** Sizes by installed package, dependencies included. */
  readonly installed: Readonly<Record<string, InstallSize | undefined>>;
  /** Median seconds of `tsc --noEmit` for a file that imports nothing, or three group-versions. */
  readonly typeCheck: { readonly nothing: number; readonly threeGroups: number };
}

const root = fileURLToPath(new URL("../../../", import.meta.url));
const checks = 5;

/** Measures the installed packages; takes a few seconds. */
export function measureFootprint(): Footprint {
  return {
    installed: {
      typekube: installSize(join(root, "packages/typekube")),
      "@kubernetes/client-node": installSize(
        join(peersFolder, "node_modules/@kubernetes/client-node"),
      ),
    },
    typeCheck: {
      nothing: typeCheckSeconds(""),
      threeGroups: typeCheckSeconds(
        `import { connect } from "typekube";
import { Pod } from "typekube/api/core/v1";
import { Deployment } from "typekube/api/apps/v1";
import { NetworkPolicy } from "typekube/api/networking/v1";
const client = await connect();
export const pods = await client.resource(Pod, "default").list();
export const deployment = await client.resource(Deployment, "default").get("web");
export const policies = await client.resource(NetworkPolicy).list();
`,
      ),
    },
  };
}

/** Adds up the package and its dependencies, each once, by the files that a registry would send. */
function installSize(folder: string): InstallSize | undefined {
  if (!existsSync(join(folder, "package.json"))) {
    return undefined;
  }
  const seen = new Map<string, number>();
  const waiting = [realpathSync(folder)];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (seen.has(next)) {
      continue;
    }
    const manifest = JSON.parse(readFileSync(join(next, "package.json"), "utf8")) as {
      dependencies?: Record<string, string>;
      files?: string[];
    };
    seen.set(next, publishedBytes(next, manifest.files));
    for (const name of Object.keys(manifest.dependencies ?? {})) {
      const found = folderOf(name, next);
      if (found !== undefined) {
        waiting.push(found);
      }
    }
  }
  const bytes = [...seen.values()].reduce((sum, size) => sum + size, 0);
  return { packages: seen.size, megabytes: bytes / 2 ** 20 };
}

function folderOf(name: string, from: string): string | undefined {
  const paths = createRequire(join(from, "package.json")).resolve.paths(name) ?? [];
  const found = paths.map((path) => join(path, name)).find((path) => existsSync(path));
  return found && realpathSync(found);
}

/** Counts only the published files of a package of this workspace, as listed in its `files`. */
function publishedBytes(folder: string, files: readonly string[] | undefined): number {
  const isOurs = folder.startsWith(join(root, "packages")) && !folder.includes("node_modules");
  const parts =
    isOurs && files ? [...files.filter((file) => !file.startsWith("!")), "package.json"] : ["."];
  return parts.reduce((sum, part) => sum + bytesIn(join(folder, part)), 0);
}

function bytesIn(path: string): number {
  if (!existsSync(path)) {
    return 0;
  }
  const stats = statSync(path);
  if (!stats.isDirectory()) {
    return path.endsWith(".tsbuildinfo") ? 0 : stats.size;
  }
  return readdirSync(path)
    .filter((name) => name !== "node_modules")
    .reduce((sum, name) => sum + bytesIn(join(path, name)), 0);
}

function typeCheckSeconds(source: string): number {
  // Inside this package, so that the imports resolve.
  const folder = mkdtempSync(fileURLToPath(new URL("../dist/type-check-", import.meta.url)));
  const file = join(folder, "program.ts");
  writeFileSync(file, source || "export {};\n");
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  const options = [
    "--noEmit",
    "--strict",
    "--skipLibCheck",
    "--module",
    "nodenext",
    "--target",
    "es2023",
    "--types",
    "node",
  ];
  try {
    const seconds = Array.from({ length: checks }, () => {
      const startedAt = performance.now();
      const { status, stdout } = spawnSync(
        process.execPath,
        [compiler, ...options, "--ignoreConfig", file],
        {
          cwd: folder,
          encoding: "utf8",
        },
      );
      if (status !== 0) {
        throw new Error(`the program to type-check does not compile:\n${stdout}`);
      }
      return (performance.now() - startedAt) / 1000;
    });
    return median(seconds);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
