import type { Program } from "./program.js";

/** `env`: prints the environment. */
export const env: Program = async ({ environment, stdout }) => {
  const lines = Object.entries(environment).map(([name, value]) => `${name}=${value}\n`);
  await stdout(lines.join(""));
  return 0;
};
