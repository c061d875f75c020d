import type { MemoryFiles } from "../files/memory-files.js";
import { type Program, UsageError } from "./program.js";

/** `test EXPRESSION`: exits with 0 when it is true, else with 1. */
export const test: Program = async ({ args, files }) => (evaluate(args, files) ? 0 : 1);

/** `[ EXPRESSION ]` */
export const bracket: Program = async ({ args, files }) => {
  if (args.at(-1) !== "]") {
    throw new UsageError("missing ]");
  }
  return evaluate(args.slice(0, -1), files) ? 0 : 1;
};

function evaluate(words: readonly string[], files: MemoryFiles): boolean {
  const [first = "", second = "", third = ""] = words;
  switch (words.length) {
    case 0:
      return false;
    case 1:
      return first !== "";
    case 2:
      return first === "!" ? second === "" : unary(first, second, files);
    default:
      if (first === "!") {
        return !evaluate(words.slice(1), files);
      }
      if (words.length === 3 && (second === "=" || second === "!=")) {
        return (first === third) === (second === "=");
      }
      throw new UsageError(`${second}: unknown operand`);
  }
}

function unary(operator: string, operand: string, files: MemoryFiles): boolean {
  const node = files.find(operand);
  switch (operator) {
    case "-n":
      return operand !== "";
    case "-z":
      return operand === "";
    case "-d":
      return node?.type === "directory";
    case "-f":
      return node?.type === "file";
    case "-s":
      return node?.type === "directory" || (node?.type === "file" && node.content.byteLength > 0);
    case "-e":
    case "-r":
    case "-w":
      return node !== undefined;
    case "-x":
      return node !== undefined && (node.mode & 0o111) !== 0;
    case "-h":
    case "-L":
      return files.find(operand, { follows: false })?.type === "symlink";
    default:
      throw new UsageError(`${operator}: unknown operand`);
  }
}
