import { posix } from "node:path";
import { divideArguments, type Program, UsageError, withEach } from "./program.js";

/** `mv [-f] SOURCE... TARGET` */
export const mv: Program = async (io) => {
  const { operands } = divideArguments(io.args, "f");
  const target = operands.at(-1);
  const sources = operands.slice(0, -1);
  if (target === undefined || sources.length === 0) {
    throw new UsageError("missing operand");
  }
  const isInto = io.files.find(target)?.type === "directory";
  return withEach(io, "mv", sources, (source) =>
    io.files.rename(source, isInto ? `${target}/${posix.basename(source)}` : target),
  );
};
