import { divideArguments, type Program, withEach } from "./program.js";

/** `cat [FILE...]`: prints files, or its input. */
export const cat: Program = async (io) => {
  const { operands } = divideArguments(io.args, "u");
  return withEach(io, "cat", operands.length === 0 ? ["-"] : operands, async (operand) => {
    if (operand !== "-") {
      await io.stdout(io.files.read(operand));
      return;
    }
    for await (const chunk of io.stdin) {
      await io.stdout(chunk);
    }
  });
};
