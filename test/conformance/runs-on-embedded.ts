/**
 * `false` when `TYPEKUBE_EMBEDDED_SERVER` is `off`: the cases ran on the embedded server in `pnpm test`, and this run adds the
 * real one.
 */
export const runsOnEmbedded: boolean = process.env["TYPEKUBE_EMBEDDED_SERVER"] !== "off";
