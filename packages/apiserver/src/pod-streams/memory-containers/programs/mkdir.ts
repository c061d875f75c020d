import { divideArguments, type Program, withEach } from "./program.js";

/** `mkdir [-p] PATH...` */
export const mkdir: Program = async (io) => {
  const { flags, operands } = divideArguments(io.args, "p");
  return withEach(io, "mkdir", operands, (path) =>
    io.files.makeDirectory(path, { parents: flags.has("p") }),
  );
};
