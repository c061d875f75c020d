import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { exportCommands } from "../src/serve/export-command.js";
import { serve } from "../src/serve/index.js";

const windows = (env: Record<string, string>) => ({ platform: "win32" as const, env });
const path = "C:\\Users\\Jo O'Neil\\config";

test.each([
  [
    "cmd.exe, perhaps below PowerShell",
    windows({ PROMPT: "$P$G" }),
    [
      `set "KUBECONFIG=${path}"`,
      "$env:KUBECONFIG = 'C:\\Users\\Jo O''Neil\\config'   # in PowerShell",
    ],
  ],
  [
    "PowerShell",
    windows({ PSModulePath: "x" }),
    ["$env:KUBECONFIG = 'C:\\Users\\Jo O''Neil\\config'"],
  ],
  [
    "Git Bash",
    windows({ MSYSTEM: "MINGW64", PROMPT: "$P$G" }),
    ["export KUBECONFIG='C:\\Users\\Jo O'\\''Neil\\config'"],
  ],
] as const)("the command that sets KUBECONFIG on Windows: %s", (_name, shell, commands) => {
  expect(exportCommands(path, shell)).toEqual(commands);
});

test
  .runIf(process.platform !== "win32")
  .each(["/srv/typekube-a/config", "/srv/a b/it's $HOME/`x`/config", '/srv/"quoted"/&;|/config'])(
  "sh reads back the same path: %s",
  (kubeconfig) => {
    const [command = ""] = exportCommands(kubeconfig, { platform: "linux", env: {} });
    const script = `${command}; printf %s "$KUBECONFIG"`;
    expect(execFileSync("/bin/sh", ["-c", script], { encoding: "utf8" })).toBe(kubeconfig);
  },
);

test("typekube serve prints the command for the given shell", async () => {
  const end = new AbortController();
  let text = "";
  const code = await serve([], {
    folder: ".",
    write(part) {
      text += part;
      end.abort();
    },
    writeError() {},
    signal: end.signal,
    shell: windows({}),
  });
  expect(code).toBe(0);
  expect(text).toMatch(/^ {2}\$env:KUBECONFIG = '.*config'$/m);
  expect(text).not.toContain("export");
});
