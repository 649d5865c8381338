import { randomBytes } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { parseAllDocuments } from "yaml";
import { METRICS } from "../../base/budgets/metrics.ts";
import { envNames, readEnv } from "../../config/env.ts";
import { release } from "../../config/release.ts";
import { serviceList } from "../../config/service-folders.ts";
import { say } from "../../lab/harness/apt.ts";
import { FOLDERS_WITH_KEYS } from "../../tools/installation/encryption-keys.ts";
import { makeCertificates } from "../support/certificates.ts";
import { testFolder } from "../support/folder.ts";
import {
  type End,
  faultsOf,
  kubectl,
  mayConnect,
  type Pods,
  podsOf,
  type Resource,
  rendered,
  type Selector,
  secretsOf,
  selects,
} from "../support/kubernetes.ts";

const ROOT = join(__dirname, "..", "..");
const FOLDER = join(ROOT, "k8s");
const GUIDE = readFileSync(join(ROOT, "docs", "guides", "kubernetes.md"), "utf8");
const textOf = (file: string) => readFileSync(join(FOLDER, file), "utf8");

if ("missing" in kubectl) say(`${kubectl.missing}. The manifests of k8s/ are not rendered.`);
const describeRendered = "path" in kubectl ? describe : describe.skip;

const WITH_KEDA: [string, string] = ["# - ../../keda", "- ../../keda"];
const WITH_ENRICHMENT: [string, string] = ["# - ../../enrichment", "- ../../enrichment"];

/** The overlays, and changes of them that their comments offer. */
const INSTALLATIONS: [name: string, folder: string, edits: [string, string][]][] = [
  ["local", "overlays/local", []],
  ["production", "overlays/production", []],
  ["production with KEDA and a provider of enrichments", "overlays/production", [WITH_KEDA, WITH_ENRICHMENT]],
  [
    "production with all services in each process",
    "overlays/production",
    [
      ["- ../../services", "- ../../all"],
      ["name: contact-workspace-gateway,", "name: contact-workspace,"],
    ],
  ],
];

const NAME = "app.kubernetes.io/name";
const COMPONENT = "app.kubernetes.io/component";
const named = (resources: readonly Resource[], kind: string) => resources.filter((one) => one.kind === kind);
const called = (pods: readonly Pods[], name: string) => pods.filter(({ labels }) => labels[NAME] === name);

const [DATABASE, OWNER] = ["postgresql://runtime@here/contacts", "postgresql://owner@here/contacts"];
/** The files that pods see in /etc/contact-workspace. */
const secrets = testFolder();
beforeAll(() => {
  const { ca } = makeCertificates(secrets.path);
  secrets.write("nats-ca.crt", readFileSync(ca));
  secrets.write("database-url", DATABASE);
  secrets.write("owner-url", OWNER);
  secrets.write("encryption-keys", randomBytes(32).toString("base64"));
  secrets.write("enrichment-token", "secret");
});
afterAll(() => secrets.remove());

/** A key of a secret or of a config map that a pod refers to; all of its keys when `key` is undefined. */
interface Reference {
  kind: "Secret" | "ConfigMap";
  name: string;
  key?: string | undefined;
}

function referencesOf(pods: Pods): Reference[] {
  const { spec, container } = pods;
  const maps = [
    ...(container.envFrom ?? []).map(({ configMapRef }) => configMapRef),
    ...(spec.volumes ?? []).flatMap(({ configMap }) => (configMap ? [configMap] : [])),
  ];
  return [
    ...maps.map(({ name }): Reference => ({ kind: "ConfigMap", name })),
    ...secretsOf(pods).flatMap(({ name, items }) =>
      (items ?? [{ key: undefined }]).map(({ key }): Reference => ({ kind: "Secret", name, key })),
    ),
  ];
}

/** Whether the guide makes a secret, with this key. */
function isMadeInGuide({ name, key }: Reference): boolean {
  const [, words] = new RegExp(`create secret \\S+ ${name} ((?:[^\\n]*\\\\\\n)*[^\\n]*)`).exec(GUIDE) ?? [];
  return words !== undefined && (key === undefined || new RegExp(`--from-(literal|file)=${key}=`).test(words));
}

/** The selectors of a resource that have to find pods of the installation. */
function selectorsOf({ kind, spec }: Resource): Selector[] {
  const peers = [...(spec?.ingress ?? []), ...(spec?.egress ?? [])].flatMap(({ from, to }) => from ?? to ?? []);
  const own: Record<string, Selector> = {
    Service: { matchLabels: spec?.selector as Record<string, string> },
    PodDisruptionBudget: spec?.selector ?? {},
    NetworkPolicy: spec?.podSelector ?? {},
  };
  return [
    ...(own[kind] ? [own[kind]] : []),
    ...peers.flatMap(({ podSelector, namespaceSelector }) => (podSelector && !namespaceSelector ? [podSelector] : [])),
  ];
}

/** The ports that a resource names, by name or number, each with those that the pods have which it selects. */
function portsOf({ kind, metadata, spec }: Resource, pods: readonly Pods[]) {
  const portsWith = (selector: Selector) =>
    pods
      .filter(({ labels }) => selects(selector, labels))
      .flatMap(({ container }) => (container.ports ?? []).flatMap(({ name, containerPort }) => [name, containerPort]));
  const [own] = pods.filter(({ of }) => of.kind === kind && of.metadata.name === metadata.name);
  const container = own?.container;
  const probes = [container?.livenessProbe, container?.readinessProbe, container?.startupProbe];
  const ports: Record<string, (string | number)[]> = {
    Service: spec?.ports?.map(({ targetPort }) => targetPort) ?? [],
    NetworkPolicy: (spec?.ingress ?? []).flatMap(({ ports = [] }) => ports.map(({ port }) => port)),
  };
  const found = ports[kind] ?? probes.flatMap((probe) => (probe?.httpGet ? [probe.httpGet.port] : []));
  const selector = kind === "Service" ? { matchLabels: spec.selector as Record<string, string> } : spec?.podSelector;
  const there = portsWith(selector ?? { matchLabels: own?.labels ?? {} });
  return found.map((port) => ({ of: `${kind} ${metadata.name}`, port, there }));
}

describeRendered.each(INSTALLATIONS)("k8s: %s", (_name, folder, edits) => {
  const resources = "path" in kubectl ? rendered(folder, edits) : [];
  const pods = podsOf(resources);
  const servers = called(pods, "contact-workspace");
  const jobs = called(pods, "contact-workspace-jobs");

  it("has selectors that select pods", () => {
    for (const { of, labels, spec } of pods) {
      if (of.spec.selector) expect(selects(of.spec.selector, labels)).toBe(true);
      for (const { labelSelector } of spec.topologySpreadConstraints ?? [])
        expect(selects(labelSelector, labels)).toBe(true);
    }
    const all = resources.flatMap((one) =>
      selectorsOf(one).map((selector) => ({ of: `${one.kind} ${one.metadata.name}`, selector })),
    );
    expect(all.length).toBeGreaterThan(10);
    expect(all.filter(({ selector }) => !pods.some(({ labels }) => selects(selector, labels)))).toEqual([]);
  });

  it("names ports that there are", () => {
    const named = resources.flatMap((one) => portsOf(one, pods));
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter(({ port, there }) => !there.includes(port))).toEqual([]);
  });

  it("has the service that the ingress names, with its port", () => {
    const services = named(resources, "Service").map(({ metadata, spec }) => [
      metadata.name,
      spec.ports?.map(({ name }) => name),
    ]);
    const rules = named(resources, "Ingress").flatMap(({ spec }) => spec.rules ?? []);
    const backends = rules.flatMap(({ http }) => http.paths.map(({ backend }) => backend.service));
    expect(backends).toHaveLength(folder === "overlays/production" ? 1 : 0);
    for (const { name, port } of backends) expect(services).toContainEqual([name, [port.name]]);
  });

  it("refers to config maps that it has, and to keys of secrets that it has or the guide makes", () => {
    const references = pods.flatMap(referencesOf);
    expect(references.length).toBeGreaterThan(5);
    const missing = references.filter((reference) => {
      const { kind, name, key } = reference;
      const own = named(resources, kind).find(({ metadata }) => metadata.name === name);
      if (own) return key !== undefined && !Object.hasOwn(own.data ?? {}, key);
      return kind === "ConfigMap" || !isMadeInGuide(reference);
    });
    expect(missing).toEqual([]);
  });

  it("gives secrets as files, each only to the pods that need it", () => {
    const env = pods.flatMap(({ container }) => container.env ?? []);
    expect(env.filter(({ valueFrom }) => valueFrom?.secretKeyRef)).toEqual([]);
    const using = (secret: string) =>
      pods.filter((pod) => secretsOf(pod).some(({ name }) => name.startsWith(`contact-workspace-${secret}`)));
    expect(using("owner").map(({ of }) => of.kind)).toEqual(["CronJob", "Job"]);
    expect(using("database")).toEqual(servers);
    const needKeys = servers.filter(({ container }) => {
      const services = container.env?.find(({ name }) => name === "SERVICES")?.value;
      const folders = services === undefined ? FOLDERS_WITH_KEYS : serviceList().parse(services);
      return folders?.some((one) => FOLDERS_WITH_KEYS.includes(one));
    });
    expect(using("encryption")).toEqual(needKeys);
    for (const pod of [...servers, ...jobs]) {
      const files = secretsOf(pod).flatMap(({ items = [] }) =>
        items.map(({ path }) => `/etc/contact-workspace/${path}`),
      );
      const named = (pod.container.env ?? []).filter(({ value }) => value?.startsWith("/"));
      expect(named.map(({ value }) => value).sort()).toEqual(files.sort());
    }
  });

  /** The variables of a pod, whose files are in this folder. */
  function variablesOf({ container }: Pods): Record<string, string> {
    const settings = named(resources, "ConfigMap").find(({ metadata }) => /^contact-workspace/.test(metadata.name));
    const own = (container.env ?? []).map(({ name, value = "" }): [string, string] => [
      name,
      value.replace("/etc/contact-workspace", secrets.path),
    ]);
    return { ...(container.envFrom ? settings?.data : {}), ...Object.fromEntries(own) };
  }

  it("sets variables that there are, to values that the server takes", () => {
    const isTls = folder !== "overlays/local";
    secrets.write("nats-url", `${isTls ? "tls" : "nats"}://contact-workspace:secret@nats:4222`);
    const known = envNames();
    const variables = [...servers, ...jobs].map(variablesOf);
    expect(variables.flatMap((one) => Object.keys(one)).filter((name) => !known.includes(name))).toEqual([]);
    const read = (pods: Pods[]) => pods.map((pod) => readEnv(variablesOf(pod)));
    for (const { databaseUrl, natsUrls, natsCa } of read(servers))
      expect([databaseUrl, natsUrls?.length, natsCa !== undefined]).toEqual([DATABASE, 1, isTls]);
    for (const { databaseUrl, natsUrls } of read(jobs)) expect([databaseUrl, natsUrls]).toEqual([OWNER, undefined]);
  });

  it("scales what there is, and sets the replicas of all else", () => {
    const scalers = [...named(resources, "HorizontalPodAutoscaler"), ...named(resources, "ScaledObject")];
    const deployments = named(resources, "Deployment");
    const scaled = scalers.map(({ spec }) => spec.scaleTargetRef?.name);
    const withoutReplicas = deployments.filter(({ spec }) => spec.replicas === undefined);
    expect(withoutReplicas.map(({ metadata }) => metadata.name).sort()).toEqual(scaled.sort());
    for (const { spec } of scalers) {
      expect(spec.minReplicas ?? spec.minReplicaCount).toBe(2);
      expect(spec.maxReplicas ?? spec.maxReplicaCount).toBeGreaterThan(2);
    }
    const queries = scalers.flatMap(({ spec }) => (spec.triggers ?? []).map(({ metadata }) => metadata.query ?? ""));
    const metrics = queries.flatMap((query) => query.match(/contact_workspace_\w+/g) ?? []);
    expect(metrics).toHaveLength(edits.includes(WITH_KEDA) ? 1 : 0);
    expect(metrics.filter((metric) => !Object.hasOwn(METRICS, metric))).toEqual([]);
  });

  it("lets one pod of several be evicted at a time", () => {
    const budgets = named(resources, "PodDisruptionBudget");
    for (const { spec } of budgets) expect(spec).toMatchObject({ maxUnavailable: 1 });
    const several = pods.filter(({ of }) => /Deployment|StatefulSet/.test(of.kind) && of.spec.replicas !== 1);
    for (const { labels } of several)
      expect(budgets.filter(({ spec }) => selects(spec.selector ?? {}, labels))).toHaveLength(1);
  });

  it("gives no pod more rights or memory than it needs, and ends it in time", () => {
    for (const { spec, container } of pods) {
      expect(spec).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
      });
      expect(container.securityContext).toMatchObject({
        allowPrivilegeEscalation: false,
        capabilities: { drop: ["ALL"] },
      });
      expect(Object.keys(container.resources.requests)).toEqual(["cpu", "memory"]);
      expect(Object.keys(container.resources.limits)).toEqual(["memory"]);
      if (container.livenessProbe) expect(container.livenessProbe.terminationGracePeriodSeconds).toBe(5);
    }
    const heapMb = Number(/--max-old-space-size=(\d+)/.exec(readFileSync(join(ROOT, "Dockerfile"), "utf8"))?.[1]);
    for (const { spec, container } of servers) {
      expect(container.resources.limits.memory).toBe("2Gi");
      expect(heapMb).toBeLessThanOrEqual(2048 * 0.75);
      // preStop, and the 25 seconds after which a stop is given up.
      expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(8 + 25);
    }
  });

  it("has a version or a digest for each image", () => {
    const images = pods.map(({ container }) => container.image);
    expect(images.filter((image) => !/:\d+(\.\d+)+(-\w+)?$|@sha256:[\da-f]{64}$/.test(image))).toEqual([]);
    const own = new Set([...servers, ...jobs].map(({ container }) => container.image));
    expect([...own]).toEqual(
      folder === "overlays/local"
        ? [`contact-workspace:${release()}`]
        : [expect.stringMatching(/^registry\.example\.com\/contact-workspace@sha256:/)],
    );
  });

  const may = (from: End, to: End, port: number) => mayConnect(resources, from, to, port);
  const outside = (namespace: string, labels = {}) => ({ namespace, labels });

  it("lets every pod look up names, and nobody in that is not named", () => {
    for (const pod of pods) {
      expect(may(pod, outside("kube-system", { "k8s-app": "kube-dns" }), 53)).toBe(true);
      expect(may(pod, outside("default", { "k8s-app": "kube-dns" }), 53)).toBe(false);
      expect(may(pod, outside("default"), 5432)).toBe(false);
      for (const { containerPort } of pod.container.ports ?? [])
        expect(may(outside("default"), pod, containerPort)).toBe(false);
    }
  });

  it("lets the ingress reach gateways alone, and the collector of metrics its ports alone", () => {
    for (const server of servers) {
      const isGateway = server.container.ports?.some(({ name }) => name === "http") ?? false;
      expect(may(outside("ingress-nginx"), server, 3000)).toBe(isGateway);
      expect(may(outside("ingress-nginx"), server, 9464)).toBe(false);
      expect(may(outside("monitoring"), server, 9464)).toBe(true);
      expect(may(outside("monitoring"), server, 3000)).toBe(false);
      for (const other of servers) expect(may(other, server, 3000)).toBe(false);
    }
  });

  it("lets servers alone reach NATS, and NATS itself and the collector their ports of it", () => {
    const [nats] = called(pods, "nats") as [Pods];
    for (const server of servers)
      expect([4222, 6222, 8222].map((port) => may(server, nats, port))).toEqual([true, false, false]);
    for (const job of jobs) expect(may(job, nats, 4222)).toBe(false);
    expect([4222, 6222, 8222].map((port) => may(outside("monitoring"), nats, port))).toEqual([false, false, true]);
    expect(may(nats, nats, 6222)).toBe(nats.of.spec.replicas === 3);
  });

  it("lets servers and jobs reach the database, and nobody else", () => {
    const others = pods.filter((pod) => ![...servers, ...jobs].includes(pod));
    for (const database of called(pods, "postgres")) {
      for (const pod of [...servers, ...jobs]) expect(may(pod, database, 5432)).toBe(true);
      for (const pod of others) expect(may(pod, database, 5432)).toBe(false);
    }
    const [way] = named(resources, "NetworkPolicy").filter(({ metadata }) => metadata.name === "database");
    const reaching = pods.filter(({ labels }) => selects(way?.spec.podSelector ?? {}, labels));
    expect(reaching).toEqual(pods.filter((pod) => !others.includes(pod)));
  });
});

describeRendered("The manifests", () => {
  it("are resources that Kubernetes and its operators know, with known fields only", () => {
    const all = INSTALLATIONS.flatMap(([, folder, edits]) => rendered(folder, edits));
    expect(all.length).toBeGreaterThan(100);
    const monitoring = globSync("monitoring/*.yaml", { cwd: FOLDER }).flatMap((file) =>
      parseAllDocuments(textOf(file)).map((document) => document.toJS() as Resource),
    );
    expect(faultsOf([...all, ...monitoring])).toEqual([]);
  });

  it("let only webhooks, and interactions with a provider, out to the internet", () => {
    const leaving = (edits: [string, string][]) =>
      named(rendered("overlays/production", edits), "NetworkPolicy").filter(
        ({ metadata, spec }) =>
          metadata.name !== "database" && spec.egress?.some(({ to }) => to?.some(({ ipBlock }) => ipBlock)),
      );
    const components = (policies: Resource[]) =>
      policies.map(({ spec }) => spec.podSelector?.matchLabels?.[COMPONENT]).sort();
    const [webhooks, ...more] = leaving([]);
    expect(more).toEqual([]);
    expect(components(leaving([]))).toEqual(["webhooks"]);
    expect(components(leaving([WITH_ENRICHMENT]))).toEqual(["interactions", "webhooks"]);
    const [v4] = webhooks?.spec.egress?.[0]?.to ?? [];
    const inside = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "127.0.0.0/8"];
    expect(v4?.ipBlock?.except).toEqual(expect.arrayContaining(inside));
  });

  it("are judged by types that find a slip of the pen", () => {
    const policy = { apiVersion: "networking.k8s.io/v1", kind: "NetworkPolicy", metadata: { name: "x" } };
    const faults = faultsOf([
      { ...policy, spec: { podSelector: {} } },
      { ...policy, spec: { podSelector: {}, policyTypes: "Egress" } },
      { ...policy, spec: { podSelector: {}, egress: [{ prots: [] }] } },
      { ...policy, spec: { podSelector: {}, policyTypes: ["Egres"] } },
    ]);
    const said = [/\(2,.*not assignable/, /\(3,.*'"prots"' does not exist/, /\(4,.*"Egres"/];
    expect(faults).toEqual(said.map((words) => expect.stringMatching(words)));
  });
});
