import { parseArgs } from "node:util";
import type { CommandIo } from "./command-io.js";
import { checkDefinitions } from "./crd-check.js";
import { type NamedDefinition, readModules, textOf } from "./crd-definitions.js";
import { writeDefinitions } from "./crd-output.js";

const usage = `Usage: typekube crd print MODULE... [options]

Prints the CustomResourceDefinitions of the resources that modules export, as YAML, in the order of their names. Modules
export the values of defineResource() of typekube/crd, alone or in arrays. A module in TypeScript needs a Node that runs
it: 22.18 or later.

Options:
  --check FILE|FOLDER  print no definitions; compare them with those in YAML and JSON files, and print the differences
  --output FOLDER      print no definitions; write each to a file of its own: widgets.example.com.yaml

Exit codes: 0; 1 a definition differs (--check), or a module or file cannot be read; 2 invalid command line.
`;

/**
 * Prints, compares or writes the definitions of resources that modules export.
 *
 * @returns the exit code.
 */
export async function crdCommand(args: readonly string[], io: CommandIo): Promise<number> {
  let parsed: ReturnType<typeof readArguments>;
  try {
    parsed = readArguments(args);
  } catch (error) {
    io.writeError(`typekube crd: ${(error as Error).message}\n\n${usage}`);
    return 2;
  }
  const { values, positionals } = parsed;
  if (values.help === true) {
    io.write(usage);
    return 0;
  }
  const [verb, ...modules] = positionals;
  const mistake = mistakeIn(verb, modules, values);
  if (mistake !== undefined) {
    io.writeError(`typekube crd: ${mistake}\n\n${usage}`);
    return 2;
  }
  try {
    return await runOn(await readModules(modules, io.folder), values, io);
  } catch (error) {
    io.writeError(`typekube crd: ${(error as Error).message}\n`);
    return 1;
  }
}

type CrdOptions = ReturnType<typeof readArguments>["values"];

function mistakeIn(
  verb: string | undefined,
  modules: readonly string[],
  { check, output }: CrdOptions,
): string | undefined {
  if (verb !== "print") {
    return verb === undefined ? "the command is missing: print" : `unknown command "${verb}"`;
  }
  if (modules.length === 0) {
    return "no modules: pass files that export values of defineResource()";
  }
  if (check === "" || output === "") {
    return check === "" ? "--check needs a file or folder" : "--output needs a folder";
  }
  return check !== undefined && output !== undefined
    ? "--check writes nothing: leave --output out"
    : undefined;
}

async function runOn(
  definitions: readonly NamedDefinition[],
  { check, output }: CrdOptions,
  io: CommandIo,
): Promise<number> {
  if (check !== undefined) {
    const { report, differs } = await checkDefinitions(definitions, check, io);
    io.write(report);
    return differs ? 1 : 0;
  }
  if (output !== undefined) {
    io.write(await writeDefinitions(definitions, output, io.folder));
    return 0;
  }
  io.write(textOf(definitions));
  return 0;
}

function readArguments(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      check: { type: "string" },
      help: { type: "boolean", short: "h" },
      output: { type: "string", short: "o" },
    },
  });
}
