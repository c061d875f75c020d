import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { parseArgs } from "node:util";

/** What the command line says. */
export interface BenchOptions {
  /** 10,000 pods and two rounds, one of them for slow rows. */
  readonly quick: boolean;
  /** Rounds of every task. Default 5, quick 2. */
  readonly rounds: number;
  /** Only tasks whose name matches. */
  readonly only: RegExp;
  /** Where the results go as JSON. */
  readonly json: string | undefined;
  /** Where a page with goals and figures goes, in Markdown. */
  readonly page: string | undefined;
}

/**
 * Reads `[--quick] [--rounds N] [--only REGEXP] [--json FILE] [--page FILE]`.
 *
 * @throws for what makes no sense or could not be written in the end.
 */
export function readBenchOptions(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: args.filter((argument) => argument !== "--"),
    options: {
      quick: { type: "boolean", default: false },
      rounds: { type: "string" },
      only: { type: "string", default: "" },
      json: { type: "string" },
      page: { type: "string" },
    },
  });
  const rounds = values.rounds === undefined ? (values.quick ? 2 : 5) : Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1) {
    throw new Error(`--rounds must be an integer of at least 1, not ${values.rounds}`);
  }
  const { quick } = values;
  const json = fromHere(values.json);
  const page = fromHere(values.page);
  for (const [name, path] of Object.entries({ json, page })) {
    // Known before an hour is spent, not after.
    if (path !== undefined && !existsSync(dirname(path))) {
      throw new Error(`--${name}: the folder ${dirname(path)} does not exist`);
    }
  }
  if (page !== undefined && !page.endsWith(".md")) {
    throw new Error(`--page must end with .md; the chart is written beside it as .svg`);
  }
  return { quick, rounds, only: new RegExp(values.only), json, page };
}

/** A path as whoever called means it: a package manager runs this in the package's folder. */
function fromHere(path: string | undefined): string | undefined {
  return path && resolve(process.env["INIT_CWD"] ?? process.cwd(), path);
}
