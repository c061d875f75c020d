import { type Program, type ProgramIo, readOperand, UsageError, withEach } from "./program.js";

const newline = 0x0a;

/** `head [-n LINES | -c BYTES] [FILE...]` */
export const head: Program = async (io) => {
  const { unit, count, operands } = readArguments(io.args);
  const names = operands.length === 0 ? ["-"] : operands;
  return withEach(io, "head", names, async (name) => {
    if (name === "-" && unit === "c") {
      await copyBytes(io, count);
      return;
    }
    const content = await readOperand(io, name);
    await io.stdout(content.subarray(0, unit === "c" ? count : endOfLine(content, count)));
  });
};

/** Copies bytes of the input and ends, without waiting for the end of it. */
async function copyBytes({ stdin, stdout }: ProgramIo, count: number): Promise<void> {
  let left = count;
  if (left === 0) {
    return;
  }
  for await (const chunk of stdin) {
    await stdout(chunk.subarray(0, left));
    left -= chunk.byteLength;
    if (left <= 0) {
      return;
    }
  }
}

/** Returns the index after a number of lines. */
function endOfLine(content: Uint8Array, lines: number): number {
  let end = 0;
  for (let line = 0; line < lines; line += 1) {
    const next = content.indexOf(newline, end);
    if (next < 0) {
      return content.byteLength;
    }
    end = next + 1;
  }
  return end;
}

function readArguments(args: readonly string[]): {
  readonly unit: "c" | "n";
  readonly count: number;
  readonly operands: readonly string[];
} {
  const [first = "", second = ""] = args;
  const [, letter, joined] = /^-([cn]?)(\d*)$/.exec(first) ?? [];
  if (letter === undefined || first === "-") {
    return { unit: "n", count: 10, operands: args[0] === "--" ? args.slice(1) : args };
  }
  const isJoined = joined !== "";
  const count = Number(isJoined ? joined : second);
  if (!Number.isSafeInteger(count) || count < 0 || (!isJoined && second === "")) {
    throw new UsageError(`invalid number '${isJoined ? joined : second}'`);
  }
  const rest = args.slice(isJoined ? 1 : 2);
  return {
    unit: letter === "c" ? "c" : "n",
    count,
    operands: rest[0] === "--" ? rest.slice(1) : rest,
  };
}
