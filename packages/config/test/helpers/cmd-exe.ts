/**
 * Expands variables in a command line, which is the first step of cmd.exe: outside scripts an unset name stays as text,
 * and `~` selects a substring.
 *
 * @param variables - values by upper-case name.
 */
function expanded(line: string, variables: Readonly<Record<string, string>>): string {
  let result = "";
  for (let at = 0; at < line.length; ) {
    const found = /^%([^%:]+)(?::~(-?\d*)(?:,(-?\d*))?)?%/.exec(line.slice(at));
    const value = found ? variables[(found[1] ?? "").toUpperCase()] : undefined;
    if (found && value !== undefined) {
      const [all, , from, length] = found;
      result +=
        from === undefined ? value : value.slice(Number(from), Number(from) + Number(length));
      at += all.length;
    } else {
      result += line[at];
      at += 1;
    }
  }
  return result;
}

/** Splits a line at operators outside quotes that no caret escapes, and removes the carets: the second step of cmd.exe. */
function commandsOf(line: string): string[] {
  const commands = [""];
  let isQuoted = false;
  const add = (text: string) => commands.push((commands.pop() ?? "") + text);
  for (let at = 0; at < line.length; at += 1) {
    const char = line[at] as string;
    if (char === '"') {
      isQuoted = !isQuoted;
      add(char);
    } else if (!isQuoted && char === "^") {
      at += 1;
      add(line[at] ?? "");
    } else if (!isQuoted && /[&|<>\n]/.test(char)) {
      commands.push("");
    } else {
      add(char);
    }
  }
  return commands;
}

/** Parses a command line as the C run-time has since 2008: two quotes inside quotes are one quote. */
export function argumentsOf(words: string): string[] {
  const args: string[] = [];
  let arg: string | undefined;
  let isQuoted = false;
  for (let at = 0; at < words.length; ) {
    const slashes = /^\\*/.exec(words.slice(at))?.[0].length ?? 0;
    const next = words[at + slashes];
    if (slashes > 0) {
      arg = (arg ?? "") + "\\".repeat(next === '"' ? slashes / 2 : slashes);
      at += slashes;
      if (next === '"' && slashes % 2 === 1) {
        arg += '"';
        at += 1;
      }
    } else if (next === '"') {
      arg ??= "";
      if (isQuoted && words[at + 1] === '"') {
        arg += '"';
        at += 1;
      } else {
        isQuoted = !isQuoted;
      }
      at += 1;
    } else if (!isQuoted && (next === " " || next === "\t")) {
      if (arg !== undefined) {
        args.push(arg);
      }
      arg = undefined;
      at += 1;
    } else {
      arg = (arg ?? "") + next;
      at += 1;
    }
  }
  return arg === undefined ? args : [...args, arg];
}

/**
 * Returns the commands that cmd.exe starts for a one-line script, `program %*`, when run with `/s /c "LINE"`.
 *
 * @param levels - number of nested `cmd /c` through which the script passes its arguments to the program.
 */
export function runScript(
  line: string,
  variables: Readonly<Record<string, string>>,
  levels = 0,
): { readonly script: string; readonly commands: readonly string[] } {
  const [first = "", ...others] = commandsOf(expanded(line, variables));
  const [, quoted, bare = "", rest = ""] = /^(?:"([^"]*)"|(\S+))(.*)$/s.exec(first) ?? [];
  // Inside the script, %* is inserted without expanding variables again; its line is split once more.
  let commands = [...commandsOf(`program${rest}`), ...others];
  for (let level = 0; level < levels; level += 1) {
    commands = commands.flatMap((command) => commandsOf(expanded(command, variables)));
  }
  return { script: quoted ?? bare, commands };
}
