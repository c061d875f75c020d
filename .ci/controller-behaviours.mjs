// Writes docs/controller-behaviours.md: the behaviours of controllers with the tests that cover them.
//
//   vitest run --reporter=json --outputFile=REPORT.json
//   node .ci/controller-behaviours.mjs REPORT.json... [--write]
import { behavioursPage } from "./behaviours-page.shared.mjs";
import { open, parts } from "./controller-behaviours.rows.mjs";

behavioursPage({
  script: "controller-behaviours",
  decisions: "docs/decisions/0025-controllers.md",
  heading: "Tested behaviours of controllers",
  intro: [
    "Each row is a behaviour that users of client-go, controller-runtime, kube-rs, JOSDK or kopf rely on or ask for, with the tests that carry its ID and their result.",
    "`decided` rows state what TypeKube does instead ([decision 0025](decisions/0025-controllers.md)); `open` ones are not built yet. [controllers.md](controllers.md) is the guide.",
  ],
  parts,
  open,
  files:
    /controller|reconcile-|leader-election|operator|rbac|finalizers-command|call-scope|webhook|shards|explore/,
});
