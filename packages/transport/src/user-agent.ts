import { version } from "./version.js";

/** The runtime, as far as the User-Agent names it; replaceable for tests. */
export interface Runtime {
  readonly platform: string;
  readonly arch: string;
  /** As `process.versions`. Bun and Deno have `node` as well: the version that they are compatible with. */
  readonly versions: Readonly<Record<string, string | undefined>>;
}

/**
 * Returns what the server's audit log shows for us: `typekube/0.1.0 (linux/x64) node/20`, with `bun/1` and `deno/2` on those
 * runtimes.
 */
export function defaultUserAgent({ platform, arch, versions }: Runtime = process): string {
  const name = ["bun", "deno"].find((other) => versions[other] !== undefined) ?? "node";
  const major = versions[name]?.split(".")[0] ?? "";
  return `typekube/${version} (${platform}/${arch}) ${name}/${major}`;
}
