import { objectsOf } from "../../objects/parts.js";
import { type PodCheck, type PodView, securityOf, type Violation } from "./pod-check.js";

/** Safe sysctls, by the minor version that first allowed them. */
const safeSince: readonly (readonly [since: number, names: readonly string[]])[] = [
  [
    0,
    [
      "kernel.shm_rmid_forced",
      "net.ipv4.ip_local_port_range",
      "net.ipv4.tcp_syncookies",
      "net.ipv4.ping_group_range",
      "net.ipv4.ip_unprivileged_port_start",
    ],
  ],
  [27, ["net.ipv4.ip_local_reserved_ports"]],
  [
    29,
    [
      "net.ipv4.tcp_keepalive_time",
      "net.ipv4.tcp_fin_timeout",
      "net.ipv4.tcp_keepalive_intvl",
      "net.ipv4.tcp_keepalive_probes",
    ],
  ],
  [32, ["net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem"]],
  [37, ["net.ipv4.tcp_slow_start_after_idle", "net.ipv4.tcp_notsent_lowat"]],
];

/** One check for each version that allowed more sysctls. */
export const sysctlVersions: PodCheck["versions"] = safeSince.map(([since]) => {
  const safe = new Set(safeSince.flatMap(([from, names]) => (from <= since ? names : [])));
  return { since, check: (pod) => unsafeSysctls(pod, safe) };
});

function unsafeSysctls({ spec }: PodView, safe: ReadonlySet<string>): Violation | undefined {
  const forbidden = objectsOf(securityOf(spec)["sysctls"])
    .map(({ name }) => String(name ?? ""))
    .filter((name) => !safe.has(name));
  return forbidden.length === 0
    ? undefined
    : { reason: "forbidden sysctls", detail: forbidden.join(", ") };
}
