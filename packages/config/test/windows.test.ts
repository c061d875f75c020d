import { execFile } from "node:child_process";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { folder } from "@typekube/test-support/kubeconfig-files";
import { describe, expect, test } from "vitest";
import { isOnOtherComputer } from "../src/environment/other-computer.js";
import { earlyRefusalOf } from "../src/exec/exec-policy.js";
import { findCommand } from "../src/exec/find-command.js";
import { launchOf } from "../src/exec/windows-command.js";
import { systemProgram, withVariables } from "../src/exec/windows-system.js";
import { isAllowed } from "../src/kubeconfig/file-references.js";
import { argumentsOf, runScript } from "./helpers/cmd-exe.js";

const windows = (...files: string[]) => ({
  platform: "win32" as const,
  isExecutable: async (path: string) => files.includes(path),
});

describe("looking up a command on Windows", () => {
  const env = { Path: "relative;C:\\bin;D:\\bin", PATHEXT: ".COM;.EXE;.BAT;.CMD" };

  test("tries the extensions of PATHEXT and never matches a file without one", async () => {
    expect(await findCommand("az", env, windows("C:\\bin\\az", "C:\\bin\\az.CMD"))).toBe(
      "C:\\bin\\az.CMD",
    );
    expect(await findCommand("az", env, windows("C:\\bin\\az", "D:\\bin\\az.EXE"))).toBe(
      "D:\\bin\\az.EXE",
    );
    expect(await findCommand("az", env, windows("C:\\bin\\az"))).toBeUndefined();
    expect(await findCommand("az", env, windows("relative\\az.EXE"))).toBeUndefined();
  });

  test("tries a command with an extension as it is first", async () => {
    expect(await findCommand("az.cmd", env, windows("C:\\bin\\az.cmd"))).toBe("C:\\bin\\az.cmd");
    expect(await findCommand("v1.2", env, windows("C:\\bin\\v1.2.EXE"))).toBe("C:\\bin\\v1.2.EXE");
    expect(await findCommand("C:\\x\\az", env, windows("C:\\x\\az.BAT"))).toBe("C:\\x\\az.BAT");
  });

  test("accepts quoted folders in PATH, and variable names in any case", async () => {
    const quoted = { pAtH: '"C:\\a;b";D:\\bin', PathExt: ".EXE" };
    expect(await findCommand("az", quoted, windows("C:\\a;b\\az.EXE"))).toBe("C:\\a;b\\az.EXE");
    expect(await findCommand("az", quoted, windows("D:\\bin\\az.EXE"))).toBe("D:\\bin\\az.EXE");
  });

  test("uses Go's extensions without PATHEXT", async () => {
    expect(await findCommand("az", { PATH: "C:\\bin" }, windows("C:\\bin\\az.cmd"))).toBe(
      "C:\\bin\\az.cmd",
    );
  });
});

/** Arguments with a special meaning for cmd.exe, for a script, or for the program that parses its command line. */
const hostile = [
  "",
  "get token",
  "%PATH%",
  "100%",
  "%%PATH%%",
  "%EVIL%",
  "%cd:~,%",
  'a"b',
  '"',
  '""',
  '"&calc&"',
  '\\"&calc',
  'a\\"b c',
  "a & del",
  "a&calc",
  "a|calc",
  "<in >out",
  "^&calc",
  "a^",
  "back\\",
  "back \\",
  "back \\\\",
  "\\",
  "!PATH!",
  "(x)",
  "a,b;c=d",
  "\t",
  "é ü",
];

describe("a .cmd or .bat file", () => {
  const variables = { PATH: "C:\\bin", CD: "C:\\here", EVIL: '" & calc & "' };
  const launch = (path: string, ...args: string[]) =>
    launchOf(path, args, "win32", { SYSTEMROOT: "W:\\Windows", ComSpec: "C:\\evil.exe" });
  const lineOf = (path: string, ...args: string[]) => {
    const line = launch(path, ...args).args.at(-1) ?? "";
    expect(line).toMatch(/^".*"$/);
    return line.slice(1, -1);
  };

  test("runs in the cmd.exe of Windows, without AutoRun and delayed expansion", () => {
    expect(launch("C:\\a b\\az.cmd", "get-token", "--scope", "a b")).toEqual({
      file: "W:\\Windows\\System32\\cmd.exe",
      args: ["/d", "/e:on", "/v:off", "/s", "/c", '""C:\\a b\\az.cmd" get-token --scope "a b""'],
      isVerbatim: true,
    });
  });

  test.each(hostile)("passes %j to its program as text and runs nothing else", (arg) => {
    const path = "C:\\50% (x) & y=z\\az.cmd";
    const { script, commands } = runScript(lineOf(path, arg, "next", arg), variables);
    expect(script).toBe(path);
    expect(commands.map(argumentsOf)).toEqual([["program", arg, "next", arg]]);
  });

  // There cmd.exe expands variables of the environment, which the caller cannot prevent.
  test.each(hostile.filter((arg) => !arg.includes("%")))(
    "runs nothing of %j when the script passes it to another command line",
    (arg) => {
      const { commands } = runScript(lineOf("C:\\az.cmd", arg), variables, 2);
      expect(commands.map(argumentsOf)).toEqual([["program", arg]]);
    },
  );

  test.each(["C:\\x\\az.BAT", "C:\\x\\az.cmd.", "C:\\x\\az.cmd. ."])(
    "recognizes %j as a script",
    (path) => {
      expect(launch(path).isVerbatim).toBe(true);
    },
  );

  test.each(["a\nb", "a\rb", "a\0b"])("rejects %j, which cannot be quoted", (arg) => {
    expect(() => launch("C:\\az.cmd", arg)).toThrow("must not contain a line break");
  });

  test("leaves the arguments of other programs and on other platforms to Node", () => {
    expect(launch("C:\\az.exe", "a b")).toEqual({
      file: "C:\\az.exe",
      args: ["a b"],
      isVerbatim: false,
    });
    expect(launchOf("/bin/az.cmd", ["a b"], "linux", {}).isVerbatim).toBe(false);
  });
});

// Only Windows itself can show that the rules above are complete.
test.runIf(process.platform === "win32").each(hostile)(
  "passes %j through the real cmd.exe",
  async (arg) => {
    await using dir = await folder();
    await dir.write("print.cjs", "console.log(JSON.stringify(process.argv.slice(2)))");
    const path = await dir.write(
      "a b/print.cmd",
      `@"${process.execPath}" "%~dp0..\\print.cjs" %*\r\n`,
    );
    const { file, args, isVerbatim } = launchOf(path, [arg, "next"], process.platform, process.env);
    const options = { windowsVerbatimArguments: isVerbatim };
    const { stdout } = await promisify(execFile)(file, [...args], options);
    expect(JSON.parse(stdout)).toEqual([arg, "next"]);
  },
);

describe("the environment of a plugin on Windows", () => {
  test("a variable of the kubeconfig replaces one whose name differs only in case", () => {
    const merged = withVariables({ Path: "a", Home: "h" }, { PATH: "b", path: "c" }, "win32");
    expect(merged).toEqual({ path: "c", Home: "h" });
    expect(withVariables({ Path: "a" }, { PATH: "b" }, "linux")).toEqual({ Path: "a", PATH: "b" });
  });

  test("system programs are not looked up in PATH or the current folder", () => {
    const system = "C:\\Windows\\System32\\taskkill.exe";
    expect(systemProgram("taskkill.exe", {})).toBe(system);
    expect(systemProgram("taskkill.exe", { SystemRoot: "relative" })).toBe(system);
    expect(systemProgram("taskkill.exe", { systemroot: "D:\\W" })).toBe(
      "D:\\W\\System32\\taskkill.exe",
    );
  });
});

describe("files on other computers, to which Windows would log the user in", () => {
  const remote = "\\\\evil.example\\share\\plugin.exe";

  test.each([remote, "//evil.example/share/x", "\\/evil.example/x"])(
    "recognizes %s as a file on another computer",
    (path) => {
      expect(isOnOtherComputer(path, "win32")).toBe(true);
      expect(isOnOtherComputer(path, "linux")).toBe(false);
    },
  );

  test("does not look up a plugin there unless an entry of execPlugins names it", () => {
    const refusal = expect.stringContaining("execPlugins does not allow");
    expect(earlyRefusalOf("none", "az", "win32")).toEqual(refusal);
    expect(earlyRefusalOf(["az"], remote, "win32")).toEqual(refusal);
    expect(earlyRefusalOf([{ command: remote }], remote, "win32")).toBeUndefined();
    expect(earlyRefusalOf(["az"], "C:\\az.exe", "win32")).toBeUndefined();
    expect(earlyRefusalOf("all", remote, "win32")).toBeUndefined();
  });

  test("does not access a file there unless it is below a folder of fileReferences", async () => {
    const looked: string[] = [];
    const look = async (path: string) => {
      looked.push(path);
      return path;
    };
    expect(await isAllowed("//evil.example/share/ca.pem", ["/etc/kube"], "win32", look)).toBe(
      false,
    );
    expect(await isAllowed("/etc/kube/ca.pem", [], "linux", look)).toBe(false);
    expect(looked).toEqual([]);
    const folder = resolve("/etc/kube");
    expect(await isAllowed(join(folder, "ca.pem"), [folder], "win32", look)).toBe(true);
    expect(looked).toEqual([join(folder, "ca.pem")]);
  });
});
