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
      const serve = await loadServe(world.folder);
      if (serve === undefined) {
        world.complain(
          `typekube serve needs the package ${servePackage}: npm install --save-dev ${servePackage}\n`,
        );
        return 1;
      }
      return serve(rest, world);
    }
    case "help":
    case "--help":
    case "-h":
      world.write(usage);
      return 0;
    default:
      world.complain(
        command === undefined
          ? usage
          : `typekube: there is no command ${JSON.stringify(command)}\n\n${usage}`,
      );
      return 2;
  }
}

/** From the project that the command was called in, else from beside this package. */
async function loadServe(folder: string): Promise<Command | undefined> {
  for (const place of [join(folder, "package.json"), import.meta.url]) {
    let file: string;
    try {
      file = createRequire(place).resolve(`${servePackage}/serve`);
    } catch {
      continue;
    }
    const { serve } = (await import(pathToFileURL(file).href)) as { readonly serve: Command };
    return serve;
  }
  return undefined;
}
