import { FileError } from "../files/file-error.js";
import { divideArguments, type Program, withEach } from "./program.js";

/** `rm [-frR] PATH...` */
export const rm: Program = async (io) => {
  const { flags, operands } = divideArguments(io.args, "frR");
  const recursive = flags.has("r") || flags.has("R");
  return withEach(io, "rm", operands, (path) => {
    try {
      io.files.remove(path, { recursive });
    } catch (error) {
      const isMissing = error instanceof FileError && error.code === "ENOENT";
      if (!isMissing || !flags.has("f")) {
        throw error;
      }
    }
  });
};
