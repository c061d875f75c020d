import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { runCommand } from "../src/command/run-command.js";
import { exampleFolder, pageExamples } from "./page-examples.js";

let log: unknown[][] = [];
beforeEach(() => {
  log = [];
  vi.spyOn(console, "log").mockImplementation((...values) => void log.push(values));
});
afterEach(() => {
  vi.restoreAllMocks();
});

const page = await readFile(new URL("../../../docs/generate.md", import.meta.url), "utf8");

/** Returns the blocks of the page in a language. */
function blocks(language: string): string[] {
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm"))].map(
    ([, text = ""]) => text,
  );
}

/** Runs a command line of the page in a folder. */
async function run(line: string, folder: string) {
  const said = { out: "", err: "" };
  const args = line
    .trim()
    .replace(/^npx typekube /, "")
    .split(" ");
  const code = await runCommand(args, {
    folder,
    write: (text) => {
      said.out += text;
    },
    writeError: (text) => {
      said.err += text;
    },
  });
  return { code, ...said };
}

it("the commands and the example of generate.md run and print what the page shows", async () => {
  await using folder = await exampleFolder();
  await mkdir(join(folder.path, "crds"));
  await writeFile(join(folder.path, "crds/plant.yaml"), blocks("yaml")[0] ?? "");
  const commands = blocks("sh");
  const outputs = blocks("text");
  expect(commands).toHaveLength(2);
  for (const [at, line] of commands.entries()) {
    expect(await run(line, folder.path)).toEqual({ code: 0, out: outputs[at], err: "" });
  }
  const [example, ...others] = await pageExamples("generate.md");
  expect(others).toEqual([]);
  expect(await folder.typeErrors([example?.code ?? ""])).toBe("");
  await folder.run(example?.code ?? "");
  expect(log).toEqual([[1], ["red"]]);
});

it("the configuration of generate.md repeats the first command", async () => {
  await using folder = await exampleFolder();
  await mkdir(join(folder.path, "crds"));
  await writeFile(join(folder.path, "crds/plant.yaml"), blocks("yaml")[0] ?? "");
  await writeFile(join(folder.path, "typekube.config.json"), blocks("json")[0] ?? "");
  expect((await run("npx typekube generate", folder.path)).out).toBe(blocks("text")[0]);
});
