import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PodHandlers } from "@typekube/apiserver";

type PodSession = Parameters<NonNullable<PodHandlers["exec"]>>[0];

/** Programs of the container. */
const programs = [
  "cat",
  "chmod",
  "tee",
  "gzip",
  "head",
  "ls",
  "mkfifo",
  "mv",
  "rm",
  "sh",
  "sleep",
  "tail",
  "tar",
  "test",
  "wc",
];
/** TYPEKUBE_BUSYBOX names a busybox whose programs the container has, in place of those of this machine. */
export const busybox: string | undefined = process.env["TYPEKUBE_BUSYBOX"];
const folders = ["/usr/bin", "/bin", "/usr/local/bin", "/opt/homebrew/bin"];

/** Options of a container. */
export interface FileContainerOptions {
  /** Programs that it lacks. Default: none. */
  readonly lacks?: readonly string[];
  /** Called before each command; an exit code that it returns replaces the command. */
  readonly instead?: (session: PodSession) => Promise<number | undefined>;
}

/** A container whose commands are programs of this machine, run in a temporary folder. */
export interface FileContainer extends AsyncDisposable {
  /** Working directory of its commands. */
  readonly folder: string;
  /** Commands that it has run. */
  readonly commands: readonly (readonly string[])[];
  readonly exec: (session: PodSession) => Promise<number | undefined>;
}

/** Creates a container. */
export async function fileContainer({
  lacks = [],
  instead = () => Promise.resolve(undefined),
}: FileContainerOptions = {}): Promise<FileContainer> {
  const home = await mkdtemp(join(tmpdir(), "typekube-container-"));
  const [folder, bin] = [join(home, "files"), join(home, "bin")];
  await mkdir(folder);
  await mkdir(bin);
  for (const name of programs.filter((one) => !lacks.includes(one))) {
    const path = busybox ?? folders.map((one) => join(one, name)).find((one) => existsSync(one));
    if (path !== undefined) {
      await symlink(path, join(bin, name));
    }
  }
  const commands: (readonly string[])[] = [];
  return {
    folder,
    commands,
    async exec(session) {
      const { command } = session;
      commands.push(command);
      const code = await instead(session);
      if (code !== undefined) {
        return code;
      }
      const [name = ""] = command;
      if (!existsSync(join(bin, name))) {
        throw new Error(`exec: "${name}": executable file not found in $PATH: unknown`);
      }
      return runProgram(session, join(bin, name), { folder, path: bin });
    },
    [Symbol.asyncDispose]: () => rm(home, { recursive: true, force: true }),
  };
}

/** Runs a command as a program of this machine, and returns its exit code. */
export async function runProgram(
  { command, stdin, stdout, stderr, signal }: PodSession,
  program: string,
  { folder, path }: { readonly folder: string; readonly path: string },
): Promise<number> {
  const [name, ...args] = command;
  const child = spawn(program, args, {
    cwd: folder,
    argv0: name,
    env: { PATH: path, LC_ALL: "C.UTF-8" },
    signal,
  });
  child.on("error", () => {});
  child.stdin.on("error", () => {});
  const closed = once(child, "close");
  const input = async () => {
    for await (const chunk of stdin) {
      if (!child.stdin.write(chunk)) {
        await Promise.race([once(child.stdin, "drain"), closed]);
      }
    }
    child.stdin.end();
  };
  input().catch(() => child.stdin.end());
  const output = async (
    source: NodeJS.ReadableStream,
    write: (data: Uint8Array) => Promise<void>,
  ) => {
    for await (const chunk of source) {
      await write(chunk as Buffer);
    }
  };
  const [[code]] = await Promise.all([
    closed as Promise<[number | null]>,
    output(child.stdout, stdout),
    output(child.stderr, stderr),
  ]);
  return code ?? 137;
}
