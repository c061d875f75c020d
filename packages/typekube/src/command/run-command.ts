import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { CommandIo } from "./command-io.js";
import { ownVersion } from "./own-version.js";

/** A command of another package. */
type Command = (args: readonly string[], world: CommandIo) => Promise<number>;

const usage = `Usage: typekube <command>

Commands:
  check       check manifests as a server would, without one; see typekube check --help
  crd         print the definitions of custom resources; see typekube crd --help
  finalizers  list the objects that wait for their deletion; see typekube finalizers --help
  generate    generate types of custom resources from a cluster or files; see typekube generate --help
  rbac        print the roles that controllers need; see typekube rbac --help
  serve       start an embedded Kubernetes API server; see typekube serve --help

Options:
  --version  print the version of typekube
`;

/**
 * The package that serves and checks. It is meant for development: it is located on request, and is not a dependency of this
 * package.
 */
const serverPackage = "@typekube/apiserver";

/**
 * Runs the command of a command line.
 *
 * @param args - the command line without the program itself.
 * @returns the exit code: 2 for an invalid command line.
 */
export async function runCommand(args: readonly string[], world: CommandIo): Promise<number> {
  const [command, ...rest] = args;
  switch (command) {
    case "check": {
      const check = await loadCommand("check/command", "checkCommand", "check", world);
      if (check === undefined) {
        world.writeError(missing("check"));
        return 2;
      }
      return check(rest, world);
    }
    case "crd": {
      const { crdCommand } = await import("./crd.js");
      return crdCommand(rest, world);
    }
    case "finalizers": {
      const { printFinalizers } = await import("./finalizers.js");
      return printFinalizers(rest, world);
    }
    case "generate": {
      const { generateTypes } = await import("./generate.js");
      return generateTypes(rest, world);
    }
    case "rbac": {
      const { printRbac } = await import("./rbac.js");
      return printRbac(rest, world);
    }
    case "serve": {
      const serve = await loadCommand("serve", "serve", "serve", world);
      if (serve === undefined) {
        world.writeError(missing("serve"));
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
      world.writeError(
        command === undefined
          ? usage
          : `typekube: unknown command ${JSON.stringify(command)}\n\n${usage}`,
      );
      return 2;
  }
}

function missing(command: string): string {
  return `typekube ${command} needs the package ${serverPackage}: npm install --save-dev ${serverPackage}\n`;
}

/**
 * Loads a command of the server package installed next to this one, otherwise of the one in the current folder, which it
 * reports.
 */
async function loadCommand(
  entryPoint: string,
  name: string,
  command: string,
  { folder, writeError, resolve = resolveAsNode }: CommandIo,
): Promise<Command | undefined> {
  const own = import.meta.url;
  for (const place of [own, join(folder, "package.json")]) {
    let file: string;
    try {
      file = resolve(`${serverPackage}/${entryPoint}`, place);
    } catch {
      continue;
    }
    if (place !== own) {
      writeError(`typekube ${command}: using ${serverPackage} of this folder: ${file}\n`);
    }
    const module = (await import(pathToFileURL(file).href)) as Readonly<Record<string, Command>>;
    return module[name];
  }
  return undefined;
}

function resolveAsNode(specifier: string, from: string): string {
  return createRequire(from).resolve(specifier);
}
