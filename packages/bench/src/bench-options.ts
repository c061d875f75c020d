import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type TopicName, topicNames } from "./topics.js";

/** Options of the command line. */
export interface BenchOptions {
  /** Limits the run to 10,000 pods and two rounds, of which slow rows take part in one. */
  readonly quick: boolean;
  /** Lets the tasks with steady updates take ten minutes instead of two, in one round. */
  readonly long: boolean;
  /** Rounds of every task. Default 5; 2 with `quick`. */
  readonly rounds: number;
  /** Runs only tasks whose name matches. */
  readonly only: RegExp;
  /** Part of the benchmarks; `undefined` runs those of every part whose name matches `only`. */
  readonly topic: TopicName | undefined;
  /** Path of the JSON file for the results. */
  readonly json: string | undefined;
  /** Path of the Markdown page for goals and figures. */
  readonly page: string | undefined;
}

/**
 * Reads `[--quick] [--long] [--rounds N] [--topic NAME] [--only REGEXP] [--json FILE] [--page FILE]`.
 *
 * @throws on invalid values, and when an output folder does not exist.
 */
export function readBenchOptions(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: args.filter((argument) => argument !== "--"),
    options: {
      quick: { type: "boolean", default: false },
      long: { type: "boolean", default: false },
      rounds: { type: "string" },
      topic: { type: "string" },
      only: { type: "string", default: "" },
      json: { type: "string" },
      page: { type: "string" },
    },
  });
  const rounds = values.rounds === undefined ? (values.quick ? 2 : 5) : Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1) {
    throw new Error(`--rounds must be an integer of at least 1, not ${values.rounds}`);
  }
  const { quick, long } = values;
  const needsTopic = values.only === "" || values.page !== undefined;
  const name = values.topic ?? (needsTopic ? "client" : undefined);
  const topic = topicNames.find((known) => known === name);
  if (topic !== name) {
    throw new Error(`--topic must be one of ${topicNames.join(", ")}, not ${name}`);
  }
  const json = fromHere(values.json);
  const page = fromHere(values.page);
  for (const [name, path] of Object.entries({ json, page })) {
    // Checked before the run, which takes an hour.
    if (path !== undefined && !existsSync(dirname(path))) {
      throw new Error(`--${name}: the folder ${dirname(path)} does not exist`);
    }
  }
  if (page !== undefined && !page.endsWith(".md")) {
    throw new Error(`--page must end with .md; the chart is written to the same path with .svg`);
  }
  return { quick, long, rounds, topic, only: new RegExp(values.only), json, page };
}

/** Resolves a path against the caller's folder; a package manager runs this command in the package's folder. */
function fromHere(path: string | undefined): string | undefined {
  return path && resolve(process.env["INIT_CWD"] ?? process.cwd(), path);
}
