import { existsSync, readdirSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";

const docs = fileURLToPath(new URL("..", import.meta.url));
const repository = "https://github.com/typekube/typekube";

/** Sections of the side bar: title of a group, and its pages in order. */
const guides = {
  Start: [
    "README.md",
    "connecting.md",
    "reading.md",
    "writing.md",
    "pods.md",
    "manifests.md",
    "check.md",
  ],
  Informers: ["informers.md", "informer-options.md", "informer-states.md"],
  Controllers: ["controllers.md", "controller-behaviours.md"],
  Testing: ["testing.md", "embedded-server.md"],
  Operating: ["diagnostics.md", "bundling.md", "platforms.md", "performance.md"],
  "Coming from": [
    "from-client-go.md",
    "from-controller-runtime.md",
    "from-client-node.md",
    "from-kopf-and-josdk.md",
  ],
  Background: [
    "ARCHITECTURE.md",
    "wire.md",
    "compile-errors.md",
    "tests.md",
    "decisions/README.md",
  ],
};

const titleOf = (page) =>
  page === "README.md"
    ? "Overview"
    : page
        .replace(/\/README\.md$|\.md$/g, "")
        .replaceAll("-", " ")
        .replace(/^./, (c) => c.toUpperCase());

/** The side bar of the API reference: one group per entry point, as TypeDoc wrote them. */
function referenceGroups() {
  const folder = `${docs}/reference`;
  if (!existsSync(folder)) {
    return [];
  }
  const pages = readdirSync(folder, { recursive: true }).map((page) => page.replaceAll("\\", "/"));
  const modules = pages.filter((page) => page.endsWith("/index.md")).sort();
  return modules.map((index) => {
    const module = index.slice(0, -"/index.md".length);
    const own = pages.filter((page) => page.startsWith(`${module}/`) && page.endsWith(".md"));
    const isNested = (page) =>
      modules.some(
        (other) =>
          other !== index && other.startsWith(`${module}/`) && page.startsWith(other.slice(0, -9)),
      );
    return {
      text: module,
      link: `/reference/${module}/`,
      collapsed: true,
      items: own
        .filter((page) => page !== index && !isNested(page))
        .sort()
        .map((page) => ({
          text: page.split("/").at(-1).slice(0, -3),
          link: `/reference/${page.slice(0, -3)}`,
        })),
    };
  });
}

/** Points links to files outside of the documentation at the repository. */
function linkToRepository(md) {
  md.core.ruler.push("repository-links", ({ tokens, env }) => {
    const folder = dirname(resolve(docs, env.relativePath ?? env.path ?? ""));
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const href = token.type === "link_open" ? (token.attrGet("href") ?? "") : "";
      if (/^\.\.?\//.test(href)) {
        const target = relative(docs, resolve(folder, href.replace(/#.*/, "")));
        if (target.startsWith("..")) {
          token.attrSet("href", `${repository}/blob/main/${target.replace(/^\.\.\//, "")}`);
        }
      }
    }
  });
}

export default defineConfig({
  title: "TypeKube",
  description: "The Kubernetes client library for TypeScript",
  srcExclude: ["api-reports/**"],
  cleanUrls: true,
  metaChunk: true,
  rewrites: { "README.md": "index.md", ":folder/README.md": ":folder/index.md" },
  markdown: { config: linkToRepository },
  themeConfig: {
    search: { provider: "local" },
    nav: [
      { text: "Guides", link: "/" },
      { text: "API", link: "/reference/" },
    ],
    sidebar: {
      "/reference/": referenceGroups(),
      "/": Object.entries(guides).map(([text, pages]) => ({
        text,
        items: pages
          .filter((page) => existsSync(`${docs}/${page}`))
          .map((page) => ({
            text: titleOf(page),
            link: `/${page.replace(/README\.md$|\.md$/, "")}`,
          })),
      })),
    },
    socialLinks: [{ icon: "github", link: repository }],
  },
});
