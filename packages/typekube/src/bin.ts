#!/usr/bin/env node
import { runCommand } from "./command/run-command.js";

process.exitCode = await runCommand(process.argv.slice(2), {
  folder: process.cwd(),
  write: (text) => process.stdout.write(text),
  writeError: (text) => process.stderr.write(text),
});
