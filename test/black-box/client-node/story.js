// A program on @kubernetes/client-node that lists, watches, runs an informer and patches, and prints what it receives.
const { CoreV1Api, KubeConfig, makeInformer, PatchStrategy, setHeaderOptions, Watch } =
  await import(process.env.CLIENT_NODE ?? "");

const namespace = "node-story";
const config = new KubeConfig();
config.loadFromDefault();
const api = config.makeApiClient(CoreV1Api);

const say = (...words) => console.log(...words);
/** Names that the story is about: a real cluster may put others beside them. */
const isOwn = ({ metadata }) => metadata.name.startsWith("m-");

await api.createNamespace({ body: { metadata: { name: namespace } } });
const create = (name) =>
  api.createNamespacedConfigMap({ namespace, body: { metadata: { name }, data: { n: "1" } } });
const patch = (name, data) =>
  api.patchNamespacedConfigMap(
    { name, namespace, body: { data } },
    setHeaderOptions("Content-Type", PatchStrategy.MergePatch),
  );
await create("m-1");
await create("m-2");

const list = await api.listNamespacedConfigMap({ namespace });
say(
  "listed",
  list.items
    .filter(isOwn)
    .map((item) => item.metadata.name)
    .join(" "),
);
const page = await api.listNamespacedConfigMap({ namespace, limit: 1 });
say("a page of", page.items.length, "and there is more:", Boolean(page.metadata._continue));

const path = `/api/v1/namespaces/${namespace}/configmaps`;
const since = { resourceVersion: list.metadata.resourceVersion };
const seen = [];
const watched = new Promise((resolve, reject) => {
  const stop = new Watch(config).watch(
    path,
    since,
    (type, object) => {
      if (isOwn(object)) {
        seen.push(`${type} ${object.metadata.name} ${object.data.n}`);
        if (type === "DELETED") {
          resolve(stop);
        }
      }
    },
    (error) => reject(error ?? new Error("the watch ended")),
  );
  stop.catch(reject);
});
await create("m-3");
await patch("m-3", { n: "2" });
await api.deleteNamespacedConfigMap({ name: "m-3", namespace });
(await watched).abort();
for (const line of seen) {
  say("watched", line);
}

const informer = makeInformer(config, path, () => api.listNamespacedConfigMap({ namespace }));
const told = [];
const waiting = new Map();
const tell = (type) => (object) => {
  if (isOwn(object)) {
    const line = `${type} ${object.metadata.name} ${object.data.n}`;
    told.push(line);
    waiting.get(line)?.();
  }
};
for (const type of ["add", "update", "delete"]) {
  informer.on(type, tell(type));
}
const until = (line) =>
  new Promise((resolve) => {
    if (told.includes(line)) {
      resolve();
    }
    waiting.set(line, resolve);
  });
await informer.start();
await until("add m-2 1");
await patch("m-1", { n: "7" });
await until("update m-1 7");
await api.deleteNamespacedConfigMap({ name: "m-2", namespace });
await until("delete m-2 1");
await informer.stop();
for (const line of [...new Set(told)]) {
  say("informed", line);
}

for (const [what, call] of [
  ["get", () => api.readNamespacedConfigMap({ name: "m-9", namespace })],
  ["create", () => create("m-1")],
  ["bad name", () => create("M!")],
]) {
  await call().catch((error) => {
    const body = typeof error.body === "string" ? JSON.parse(error.body) : error.body;
    say(what, "is refused:", error.code, body.reason);
  });
}
process.exit(0);
