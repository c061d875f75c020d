/** An intended difference in some recorded exchanges. */
export interface ExplainedDifference {
  readonly exchanges: RegExp;
  /** Matches the line that describes the difference: path, then the two values. */
  readonly difference: RegExp;
  readonly reason: string;
}

export const explainedDifferences: readonly ExplainedDifference[] = [
  {
    exchanges: /^(136|136t)-openapi|^136-gzip$/,
    difference: /com\.example\.v1.*(allOf|\$ref): real/,
    reason: "a reference beside a description is wrapped; the embedded server describes nothing",
  },
  {
    exchanges: /^(136|136t)-openapi|^136-gzip$/,
    difference: /^(?!\.body\.(definitions|components\.schemas)\.com\.example)/,
    reason:
      "the built-in types of 1.36, and parameters in other places; what the defined kind is like must agree",
  },
  {
    exchanges: /^136-aggdisc-cbor$/,
    difference: /./,
    reason: "1.36 had no aggregated discovery in CBOR; 1.37.1 has, and so has the embedded server",
  },
  {
    exchanges: /^136-apis-legacy$/,
    difference: /serverAddressByClientCIDRs|body\.apiVersion/,
    reason:
      "recorded from a server without an aggregator; kube-apiserver lists its groups as the embedded server does",
  },
  {
    exchanges: /^136-version$/,
    difference: /\.body\.(compiler|gitCommit|gitVersion|goVersion|platform): /,
    reason: "another build",
  },
  {
    exchanges: /^136-list-garbagecontinue$/,
    difference: /\.body\.message: real .*'\\\\xc7'.* embedded .*'Ç'/,
    reason:
      "the message of another release of Go; kube-apiserver 1.37.1 has the same message as the embedded server",
  },
  {
    exchanges: /^136t-(pod-create|service-create|pod-smp)$/,
    difference: /./,
    reason:
      "a server without the rules of built-in kinds accepted a request that kube-apiserver rejects",
  },
  {
    exchanges: /^136t-ssa-(create|force|remove)$/,
    difference: /^\.body\.(metadata\.generation|spec)\b.*: real undefined/,
    reason: "a server without the rules of built-in kinds sets no defaults",
  },
  {
    exchanges: /^136t-watchlist-deployments-/,
    difference: /^\.body\.2\.object\.spec\.replicas: real undefined, embedded 0$/,
    reason:
      "a server that stores Deployments in the served form; the bookmarks of kube-apiserver have the field (every-kind/bookmarks.test.ts)",
  },
  {
    exchanges: /^136t-delete-finalizer$/,
    difference: /./,
    reason:
      "a server without the rules of built-in kinds responds to the delete of a pod with a Status",
  },
  {
    exchanges: /^136t-aggdisc(-core)?$/,
    difference: /\.(categories|subresources|verbs)\b/,
    reason:
      "a server without the rules of built-in kinds has the verbs and subresources that all kinds have",
  },
  {
    exchanges: /^120-/,
    difference: /metadata\.generation: real undefined/,
    reason: "since 1.33 Pods count their generations",
  },
  {
    exchanges: /^120-discovery-/,
    difference: /singularName|\.verbs\.\d|\.version: real "v1beta1"/,
    reason: "1.20 had no singular names in discovery; no release before 1.33 is emulated",
  },
  {
    exchanges: /^120-(aggdisc|fieldvalidation-ignored|watchlist-ignored|watchlist-ignored-rv0)$/,
    difference: /./,
    reason:
      "1.20 had neither aggregated discovery nor field validation; its error for streaming lists had another message",
  },
  {
    exchanges: /^120-table-json$/,
    difference: /cells\.2: real "12m"/,
    reason: "ages are by the clock of the server",
  },
  {
    exchanges: /^120-deploy-json$/,
    difference: /template\.metadata\.creationTimestamp: real null, embedded undefined/,
    reason: "since 1.33 a time that is not set is not written",
  },
  {
    exchanges: /^120-cbor$/,
    difference:
      /body\.message: real "406: Not Acceptable", embedded "406: Not Acceptable\\n\\nAvailable/,
    reason: "1.20 did not say what it has instead",
  },
];
