import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** What a command sees of the world. */
export interface CommandWorld {
  /** The folder that it was called in. */
  readonly folder: string;
  write(text: string): void;
  complain(text: string): void;
}

/** A command of another package. */
type Command = (args: readonly string[], world: CommandWorld) => Promise<number>;

const usage = `Usage: typekube <command>

Commands:
  serve    start an embedded Kubernetes API server; typekube serve --help says more

Options:
  --version  print the version of typekube
`;

/** The package that serves is for development: it is found when it is asked for, and nothing here depends on it. */
const servePackage = "@typekube/apiserver";

/**
 * Runs what the command line asks for.
 *
 * @param args - without the program itself.
 * @returns the exit code: 2 for a command line that is wrong.
 */
export async function runCommand(args: readonly string[], world: CommandWorld): Promise<number> {
  const [command, ...rest] = args;
  switch (command) {
    case "serve": {
      const serve = await loadServe(world);
      if (serve === undefined) {
        world.complain(
          `typekube serve needs the package ${servePackage}: npm install --save-dev ${servePackage}\n`,
        );
        return 1;
      }
      return serve(rest, world);
    }
    case "--version":
    case "-v":
      world.write(`${ownVersion()}\n`);
      return 0;
    case "help":
    case "--help":
    case "-h":
      world.write(usage);
      return 0;
    default:
      world.complain(
        command === undefined
          ? usage
          : `typekube: unknown command ${JSON.stringify(command)}\n\n${usage}`,
      );
      return 2;
  }
}

/** The version of the package that this file belongs to. */
function ownVersion(): string {
  const { version } = createRequire(import.meta.url)("typekube/package.json") as {
    readonly version: string;
  };
  return version;
}

/** Loads the server that was installed beside this package, else the one of the current folder, and says so. */
async function loadServe({ folder, complain }: CommandWorld): Promise<Command | undefined> {
  const own = import.meta.url;
  for (const place of [own, join(folder, "package.json")]) {
    let file: string;
    try {
      file = createRequire(place).resolve(`${servePackage}/serve`);
    } catch {
      continue;
    }
    if (place !== own) {
      complain(`typekube serve: using ${servePackage} of this folder: ${file}\n`);
    }
    const { serve } = (await import(pathToFileURL(file).href)) as { readonly serve: Command };
    return serve;
  }
  return undefined;
}
