#!/usr/bin/env node
import { runCommand } from "./command/run-command.js";
import { surviveClosedOutput } from "./command/survive-closed-output.js";

// Commands that watch end at this signal; the others have no listener, and finish their work.
surviveClosedOutput([process.stdout, process.stderr], () => process.emit("SIGTERM", "SIGTERM"));

process.exitCode = await runCommand(process.argv.slice(2), {
  folder: process.cwd(),
  write: (text) => process.stdout.write(text),
  writeError: (text) => process.stderr.write(text),
});
