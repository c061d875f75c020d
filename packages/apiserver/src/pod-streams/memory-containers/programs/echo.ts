import type { Program } from "./program.js";

/** `echo [-n] [WORD...]` */
export const echo: Program = async ({ args, stdout }) => {
  const isOpen = args[0] === "-n";
  await stdout(`${args.slice(isOpen ? 1 : 0).join(" ")}${isOpen ? "" : "\n"}`);
  return 0;
};
