// Writes docs/pod-behaviours.md: the behaviours of calls into pods with the tests that cover them.
//
//   vitest run --reporter=json --outputFile=REPORT.json
//   node .ci/pod-behaviours.mjs REPORT.json... [--write]
import { behavioursPage } from "./behaviours-page.shared.mjs";
import { open, parts } from "./pod-behaviours.rows.mjs";

behavioursPage({
  script: "pod-behaviours",
  decisions: "docs/decisions/0026-streams-into-pods.md",
  heading: "Tested behaviours of calls into pods",
  intro: [
    "Each row is a behaviour that users of kubectl, client-go and clients in other languages rely on or ask for, with the tests that carry its ID and their result.",
    "`decided` rows state what TypeKube does instead ([decision 0026](decisions/0026-streams-into-pods.md)); `open` ones are not built yet. [pods.md](pods.md) is the guide.",
  ],
  parts,
  open,
  files: /./,
});
