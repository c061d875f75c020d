import { divideArguments, type Program, readOperand, withEach } from "./program.js";

/** `sort [-r] [FILE...]`: prints lines in the order of their bytes. */
export const sort: Program = async (io) => {
  const { flags, operands } = divideArguments(io.args, "r");
  const lines: Buffer[] = [];
  const names = operands.length === 0 ? ["-"] : operands;
  const code = await withEach(io, "sort", names, async (name) => {
    const text = (await readOperand(io, name)).toString("latin1");
    const given = text.endsWith("\n") ? text.slice(0, -1) : text;
    lines.push(
      ...(text === "" ? [] : given.split("\n").map((line) => Buffer.from(line, "latin1"))),
    );
  });
  lines.sort((a, b) => (flags.has("r") ? Buffer.compare(b, a) : Buffer.compare(a, b)));
  await io.stdout(Buffer.concat(lines.flatMap((line) => [line, Buffer.from("\n")])));
  return code;
};
