// Checks the imports between files and folders of each package: no cycle of files (type imports included, but for recursive types), no cycle of
// folders at run time, and, where a package has layers, no import of a layer above. docs/ARCHITECTURE.md explains the
// layers of the embedded server.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

/** Top folders of a package, lowest layer first; folders of one layer don't import each other. "." are its entry files. */
const layersOf = {
  apiserver: [
    ["objects"],
    ["errors"],
    ["store"],
    ["time", "journal"],
    ["faults"],
    ["schema"],
    ["resources"],
    ["request"],
    ["response"],
    ["access", "webhooks"],
    ["context"],
    ["phases"],
    ["custom-resources"],
    ["kinds"],
    ["admission"],
    ["controllers"],
    ["pod-streams", "tls"],
    ["proxy"],
    ["server"],
    ["listener"],
    ["api-server"],
    ["check", "recording", "serve", "msw", "testing", "envtest"],
    ["vitest"],
    ["."],
  ],
};

/** Folders with a recursive type: a list holds values, and a list is a value. Their files may import each other's types. */
const recursive = { cel: ["values"] };

const root = fileURLToPath(new URL("../packages/", import.meta.url));
const problems = [];

for (const name of readdirSync(root).sort()) {
  const source = join(root, name, "src");
  const files = filesIn(source).filter((file) => !/(?:^|\/)generated\//.test(file));
  const imports = files.flatMap((file) => importsOf(source, file, new Set(files)));
  const runTime = imports.filter(({ isType }) => !isType);
  const isRecursive = ({ from, to, isType }) =>
    isType &&
    recursive[name]?.some((folder) => [from, to].every((file) => dirname(file) === folder));
  const counted = imports.filter((one) => !isRecursive(one));
  report(name, "import cycle of files", cyclesOf(counted.map(({ from, to }) => [from, to])));
  report(name, "run-time import cycle of folders", cyclesOf(betweenFolders(runTime)));
  checkLayers(name, imports);
}
for (const problem of problems) {
  console.error(problem);
}
console.log(`folders: ${problems.length} problems`);
process.exit(problems.length === 0 ? 0 : 1);

function report(name, what, cycles) {
  for (const cycle of cycles) {
    problems.push(`packages/${name}/src: ${what}: ${cycle.join(", ")}`);
  }
}

function checkLayers(name, imports) {
  const layers = layersOf[name];
  if (layers === undefined) {
    return;
  }
  const rankOf = (folder) => layers.findIndex((layer) => layer.includes(folder));
  for (const { from, to } of imports) {
    const [above, below] = [from, to].map((file) =>
      file.includes("/") ? file.split("/")[0] : ".",
    );
    if (rankOf(above) === -1) {
      problems.push(
        `packages/${name}/src/${above} is in no layer: add it to .ci/check-folders.mjs`,
      );
    }
    if (above !== below && rankOf(below) >= rankOf(above)) {
      problems.push(
        `packages/${name}/src: ${from} imports ${to}, which is not in a layer below it`,
      );
    }
  }
}

function filesIn(folder, below = folder) {
  let entries = [];
  try {
    entries = readdirSync(below, { withFileTypes: true });
  } catch {
    return [];
  }
  return entries.flatMap((entry) => {
    const path = join(below, entry.name);
    if (entry.isDirectory()) {
      return filesIn(folder, path);
    }
    return /\.ts$/.test(entry.name) ? [relative(folder, path).replaceAll("\\", "/")] : [];
  });
}

/** Returns the imports of other files of the package; `isType` when they vanish at run time. */
function importsOf(source, file, known) {
  const text = readFileSync(join(source, file), "utf8");
  const found = [];
  const add = (specifier, isType) => {
    const to = join(dirname(file), specifier).replaceAll("\\", "/").replace(/\.js$/, ".ts");
    if (known.has(to)) {
      found.push({ from: file, to, isType });
    }
  };
  const statement = /^(?:import|export)\s+(type\s+)?([^;]*?)\s*from\s+"(\.[^"]+)"/gms;
  for (const [, type, names, specifier] of text.matchAll(statement)) {
    add(specifier, type !== undefined || areTypes(names));
  }
  for (const [, specifier] of text.matchAll(/\bimport\("(\.[^"]+)"\)/g)) {
    add(specifier, false);
  }
  return found;
}

function areTypes(names) {
  const list = names.replace(/[{}]/g, "").split(",");
  return (
    names.startsWith("{") && list.every((name) => name.trim() === "" || /^\s*type\s/.test(name))
  );
}

function betweenFolders(imports) {
  return imports
    .map(({ from, to }) => [dirname(from), dirname(to)])
    .filter(([from, to]) => from !== to);
}

/** Returns the strongly connected parts of a graph that have more than one node (Tarjan's algorithm). */
function cyclesOf(edges) {
  const next = new Map();
  for (const [from, to] of edges) {
    next.set(from, [...(next.get(from) ?? []), to]);
    next.set(to, next.get(to) ?? []);
  }
  const index = new Map();
  const low = new Map();
  const stack = [];
  const cycles = [];
  const visit = (node) => {
    index.set(node, index.size);
    low.set(node, index.get(node));
    stack.push(node);
    for (const other of next.get(node)) {
      if (!index.has(other)) {
        visit(other);
        low.set(node, Math.min(low.get(node), low.get(other)));
      } else if (stack.includes(other)) {
        low.set(node, Math.min(low.get(node), index.get(other)));
      }
    }
    if (low.get(node) === index.get(node)) {
      const cycle = stack.splice(stack.indexOf(node));
      if (cycle.length > 1) {
        cycles.push(cycle.sort());
      }
    }
  };
  for (const node of next.keys()) {
    if (!index.has(node)) {
      visit(node);
    }
  }
  return cycles;
}
