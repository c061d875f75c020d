// Checks that every public export has a doc comment: functions, classes and their public methods, types, interfaces and
// their fields. Reads the built declarations of the packages that users import.
//
//   pnpm build && node .ci/check-doc-comments.mjs [--list]
//
// Counts must not grow: `allowed` is the number of exports per package that still lack a comment.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../", import.meta.url));
const allowed = { core: 0, transport: 0, config: 0, client: 0, informer: 0, typekube: 0 };
const isListing = process.argv.includes("--list");

/** Finds the declaration of a name that a declaration file exports, following re-exports inside the package. */
function declarationOf(file, name, seen = new Set()) {
  if (seen.has(`${file} ${name}`) || !existsSync(file)) {
    return undefined;
  }
  seen.add(`${file} ${name}`);
  const text = readFileSync(file, "utf8");
  const kinds = "(?:declare )?(?:abstract )?(?:function|class|const|interface|type)";
  const own = new RegExp(`^export ${kinds} ${name}\\b`, "m").exec(text);
  if (own) {
    return { file, at: own.index, text };
  }
  for (const [, list, from] of text.matchAll(/export (?:type )?\{([^}]*)\} from "(\.[^"]+)"/g)) {
    for (const one of list.split(",")) {
      const [source, as = source] = one
        .replace(/^\s*type\s/, "")
        .trim()
        .split(" as ");
      if (as === name) {
        return declarationOf(join(dirname(file), from.replace(/\.js$/, ".d.ts")), source, seen);
      }
    }
  }
  return undefined;
}

/** Returns the names that an entry point re-exports from its own package. */
function exportsOf(file) {
  const text = readFileSync(file, "utf8");
  return [...text.matchAll(/export (?:type )?\{([^}]*)\}(?: from "(\.[^"]+)")?;/g)]
    .filter(([, , from]) => from !== undefined)
    .flatMap(([, list]) => list.split(","))
    .map((one) =>
      one
        .replace(/^\s*type\s/, "")
        .trim()
        .split(" as ")
        .at(-1),
    )
    .filter((name) => name);
}

function hasComment(text, at) {
  return /\*\/\s*$/.test(text.slice(0, at));
}

let problems = 0;
for (const [name, limit] of Object.entries(allowed)) {
  const folder = `${root}packages/${name}/`;
  const { exports } = JSON.parse(readFileSync(`${folder}package.json`, "utf8"));
  const missing = new Set();
  let looked = 0;
  for (const { types } of Object.values(exports)) {
    if (!types || types.includes("*") || types.includes("generated")) {
      continue;
    }
    const entry = join(folder, types);
    for (const exported of exportsOf(entry)) {
      const found = declarationOf(entry, exported);
      if (found === undefined) {
        continue;
      }
      looked++;
      if (!hasComment(found.text, found.at)) {
        missing.add(`${exported} (${relative(root, found.file)})`);
      }
    }
  }
  console.log(`${name}: ${looked} exports, ${missing.size} without a doc comment`);
  if (isListing || missing.size > limit) {
    console.log([...missing].map((one) => `  ${one}`).join("\n"));
  }
  problems += missing.size > limit ? 1 : 0;
}
process.exit(problems > 0 ? 1 : 0);
