import type { MemoryNode } from "../files/memory-files.js";
import { divideArguments, type Program, withEach } from "./program.js";

const typeLetters = { directory: "d", file: "-", symlink: "l" } as const;

/** `ls [-1aAdl] [PATH...]`: one name a line, as without a terminal. */
export const ls: Program = async (io) => {
  const { flags, operands } = divideArguments(io.args, "1aAdl");
  const names = operands.length === 0 ? ["."] : operands;
  const isLong = flags.has("l");
  const line = (name: string, node: MemoryNode) => `${isLong ? longLine(name, node) : name}\n`;
  let isFirst = true;
  return withEach(io, "ls", names, async (name) => {
    const node = io.files.get(name, { follows: !isLong && !flags.has("d") });
    if (node.type !== "directory" || flags.has("d")) {
      await io.stdout(line(name, node));
      return;
    }
    const heading = names.length > 1 ? `${isFirst ? "" : "\n"}${name}:\n` : "";
    isFirst = false;
    const entries: (readonly [string, MemoryNode])[] = [...node.entries].sort(([a], [b]) =>
      Buffer.compare(Buffer.from(a), Buffer.from(b)),
    );
    const parent = io.files.get(`${name}/..`);
    const dots = flags.has("a")
      ? ([
          [".", node],
          ["..", parent],
        ] as const)
      : [];
    const isShown = flags.has("a") || flags.has("A");
    const shown = entries.filter(([entry]) => isShown || !entry.startsWith("."));
    await io.stdout(heading + [...dots, ...shown].map(([entry, one]) => line(entry, one)).join(""));
  });
};

function longLine(name: string, node: MemoryNode): string {
  const time = new Date(node.modifiedMs).toISOString().slice(0, 16).replace("T", " ");
  const size = node.type === "file" ? node.content.byteLength : 0;
  const target = node.type === "symlink" ? ` -> ${node.target}` : "";
  const mode = `${typeLetters[node.type]}${permissions(node.mode)}`;
  return `${mode} root root ${String(size).padStart(8)} ${time} ${name}${target}`;
}

function permissions(mode: number): string {
  const bits = [..."rwxrwxrwx"].map((letter, at) => (mode & (0o400 >> at) ? letter : "-"));
  return bits.join("");
}
