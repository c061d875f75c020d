import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type PodHandlers, startApiServer } from "@typekube/apiserver";

const run = promisify(execFile);

async function textOf(source: AsyncIterable<Uint8Array>): Promise<string> {
  let text = "";
  for await (const chunk of source) {
    text += Buffer.from(chunk).toString();
  }
  return text;
}

/** Containers that answer what they receive in capital letters. */
const containers: PodHandlers = {
  async exec({ stdin, stdout }) {
    await stdout((await textOf(stdin)).toUpperCase());
    return 0;
  },
  portForward: async ({ port, data, write }) => {
    if (port !== 8080) {
      await write((await textOf(data)).toUpperCase());
      return;
    }
    // A request with a chunked body ends with an empty chunk.
    let request = "";
    for await (const chunk of data) {
      request += Buffer.from(chunk).toString("latin1");
      if (request.endsWith("\r\n0\r\n\r\n")) {
        break;
      }
    }
    const [, body = ""] = /\r\n\r\n\w+\r\n(.*)\r\n0\r\n\r\n$/s.exec(request) ?? [];
    await write(
      `HTTP/1.1 201 Created\r\ncontent-length: ${body.length}\r\n\r\n${body.toUpperCase()}`,
    );
  },
};

const root = join(import.meta.dirname, "..", "..");

/** Published packages, in the order of their dependencies. */
const packages = [
  "api",
  "core",
  "cel",
  "policy",
  "schema",
  "transport",
  "config",
  "client",
  "informer",
  "crd",
  "controller",
  "typekube",
  "apiserver",
];

/** Exit code and output of a program. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A project outside the workspace, with the packed packages and the tools of `package.json` installed. */
export interface ConsumerProject extends AsyncDisposable {
  readonly folder: string;
  /** URL of an embedded API server that allows anonymous requests. */
  readonly server: string;
  path(...parts: readonly string[]): string;
  write(name: string, content: string): Promise<string>;
  /** Runs Node in the folder; never fails. */
  node(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ended>;
  /** Runs another program than this Node; never fails. */
  run(
    file: string,
    args: readonly string[],
    env?: Readonly<Record<string, string>>,
  ): Promise<Ended>;
}

/**
 * Packs the built packages and installs them with npm, as users do. Requires a prior `pnpm build`, and the npm
 * registry.
 */
export async function consumerProject(): Promise<ConsumerProject> {
  const folder = await mkdtemp(join(tmpdir(), "typekube-consumer-"));
  const tarballs = join(folder, "tarballs");
  await mkdir(tarballs);
  for (const name of packages) {
    const cwd = join(root, "packages", name);
    await run("npx", ["--yes", "pnpm@10.34.9", "pack", "--pack-destination", tarballs], { cwd });
  }
  for (const file of ["package.json", "package-lock.json"]) {
    await cp(join(import.meta.dirname, file), join(folder, file));
  }
  await cp(join(import.meta.dirname, "programs"), folder, { recursive: true });
  const npm = (...args: readonly string[]) =>
    run("npm", [...args, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], {
      cwd: folder,
      maxBuffer: 64 * 1024 * 1024,
    });
  await npm("ci");
  const files = (await readdir(tarballs)).map((file) => join(tarballs, file));
  await npm("install", "--no-save", ...files);
  const api = await startApiServer({ pods: containers });
  const { server } = await api.listen({ tls: false, anonymous: true });
  const start: ConsumerProject["run"] = (file, args, env = {}) =>
    new Promise((resolve) => {
      const options = { cwd: folder, env: { ...process.env, NODE_OPTIONS: "", ...env } };
      execFile(file, args, options, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr }),
      );
    });
  return {
    folder,
    server,
    path: (...parts) => join(folder, ...parts),
    async write(name, content) {
      const path = join(folder, name);
      await writeFile(path, content);
      return path;
    },
    node: (args, env) => start(process.execPath, args, env),
    run: start,
    async [Symbol.asyncDispose]() {
      await api.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
