import { version } from "./version.js";

/** The runtime details in the User-Agent; replaceable in tests. */
export interface Runtime {
  readonly platform: string;
  readonly arch: string;
  /** Versions, like `process.versions`. Bun and Deno also have `node`: the version that they are compatible with. */
  readonly versions: Readonly<Record<string, string | undefined>>;
}

/**
 * Returns the User-Agent that the server's audit log shows: `typekube/0.1.0 (linux/x64) node/20`, with `bun/1` or
 * `deno/2` on those runtimes.
 */
export function defaultUserAgent({ platform, arch, versions }: Runtime = process): string {
  const name = ["bun", "deno"].find((other) => versions[other] !== undefined) ?? "node";
  const major = versions[name]?.split(".")[0] ?? "";
  return `typekube/${version} (${platform}/${arch}) ${name}/${major}`;
}
