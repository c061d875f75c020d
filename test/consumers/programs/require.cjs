// CommonJS: Node 20.19 and later can require the packages, which are ES modules.
const { KubeError, connect } = require("typekube");
const { Pod } = require("typekube/api/core/v1");

async function main() {
  const client = await connect({ server: process.argv[2] });
  const error = await client
    .resource(Pod, "default")
    .get("none")
    .catch((caught) => caught);
  await client.close();
  console.log(JSON.stringify({ kind: Pod.kind, error: error instanceof KubeError && error.code }));
}

void main();
