import { describe, expect, test } from "vitest";
import { findCommand } from "../src/exec/find-command.js";
import { launchOf } from "../src/exec/windows-command.js";

const windows = (...files: string[]) => ({
  platform: "win32" as const,
  isExecutable: async (path: string) => files.includes(path),
});

describe("a command on Windows", () => {
  const env = { Path: "relative;C:\\bin;D:\\bin", PATHEXT: ".COM;.EXE;.BAT;.CMD" };

  test("gets the endings of PATHEXT; a file without one is never a program", async () => {
    expect(await findCommand("az", env, windows("C:\\bin\\az", "C:\\bin\\az.CMD"))).toBe(
      "C:\\bin\\az.CMD",
    );
    expect(await findCommand("az", env, windows("C:\\bin\\az", "D:\\bin\\az.EXE"))).toBe(
      "D:\\bin\\az.EXE",
    );
    expect(await findCommand("az", env, windows("C:\\bin\\az"))).toBeUndefined();
    expect(await findCommand("az", env, windows("relative\\az.EXE"))).toBeUndefined();
  });

  test("with an ending of its own is taken as it is first", async () => {
    expect(await findCommand("az.cmd", env, windows("C:\\bin\\az.cmd"))).toBe("C:\\bin\\az.cmd");
    expect(await findCommand("v1.2", env, windows("C:\\bin\\v1.2.EXE"))).toBe("C:\\bin\\v1.2.EXE");
    expect(await findCommand("C:\\x\\az", env, windows("C:\\x\\az.BAT"))).toBe("C:\\x\\az.BAT");
  });

  test("without PATHEXT gets Go's endings", async () => {
    expect(await findCommand("az", { PATH: "C:\\bin" }, windows("C:\\bin\\az.cmd"))).toBe(
      "C:\\bin\\az.cmd",
    );
  });
});

describe("a .cmd or .bat file", () => {
  const launch = (...args: string[]) =>
    launchOf("C:\\a b\\az.cmd", args, "win32", { ComSpec: "X" });

  test("is run by cmd.exe, which sees each argument as text", () => {
    expect(launch("get", "%PATH%", 'a"b', "a & del", "back\\")).toEqual({
      file: "X",
      args: [
        "/d",
        "/s",
        "/c",
        '"C:\\a^ b\\az.cmd ' +
          '^^^"get^^^" ^^^"^^^%PATH^^^%^^^" ^^^"a\\^^^"b^^^" ' +
          '^^^"a^^^ ^^^&^^^ del^^^" ^^^"back\\\\^^^""',
      ],
      isVerbatim: true,
    });
  });

  test("takes no line break, which no escape can express", () => {
    expect(() => launch("a\nb")).toThrow("cannot hold a line break");
  });

  test("other programs and other platforms get their arguments from Node", () => {
    expect(launchOf("C:\\az.exe", ["a b"], "win32", {})).toEqual({
      file: "C:\\az.exe",
      args: ["a b"],
      isVerbatim: false,
    });
    expect(launchOf("/bin/az.cmd", ["a b"], "linux", {}).isVerbatim).toBe(false);
  });
});
