import { divideArguments, type Program, readOperand, withEach } from "./program.js";

/** `wc [-clw] [FILE...]` */
export const wc: Program = async (io) => {
  const { flags, operands } = divideArguments(io.args, "clw");
  const names = operands.length === 0 ? ["-"] : operands;
  return withEach(io, "wc", names, async (name) => {
    const content = await readOperand(io, name);
    const text = content.toString("latin1");
    const counts = {
      l: text.split("\n").length - 1,
      w: text.split(/\s+/).filter((word) => word !== "").length,
      c: content.byteLength,
    };
    const shown = (["l", "w", "c"] as const).filter((one) => flags.size === 0 || flags.has(one));
    const suffix = operands.length === 0 ? "" : ` ${name}`;
    await io.stdout(`${shown.map((one) => counts[one]).join(" ")}${suffix}\n`);
  });
};
