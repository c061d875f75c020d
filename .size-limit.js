// The size of what a program that imports the facade may load, bundled for Node and compressed.
const forNode = (config) => ({ ...config, platform: "node" });

export default [
  {
    name: "typekube with everything it may load, undici and zod included",
    path: "packages/typekube/dist/index.js",
    modifyEsbuildConfig: forNode,
    limit: "423 kB",
  },
  {
    // A third of it are the schema tables, which are loaded with the first strategic patch or extract of a group.
    name: "what TypeKube itself adds to that",
    path: "packages/typekube/dist/index.js",
    modifyEsbuildConfig: (config) => ({
      ...forNode(config),
      external: ["undici", "zod", "zod/mini", "js-yaml"],
    }),
    limit: "207 kB",
  },
  {
    name: "the kinds of core/v1",
    path: "packages/typekube/dist/generated/api/core/v1.js",
    modifyEsbuildConfig: forNode,
    limit: "5 kB",
  },
];
