import { spawnSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import { findOrInstall } from "../../lab/harness/apt.ts";
import { ROOT } from "../../lab/harness/server-process.ts";

export const kubectl = findOrInstall("kubectl", "kubernetes-client");

type Labels = Record<string, string>;

export interface Selector {
  matchLabels?: Labels;
  matchExpressions?: { key: string; operator: string; values: string[] }[];
}

export interface Peer {
  podSelector?: Selector;
  namespaceSelector?: Selector;
  ipBlock?: { cidr: string; except?: string[] };
}

export interface Rule {
  from?: Peer[];
  to?: Peer[];
  ports?: { port: number; protocol?: string }[];
}

export interface Container {
  image: string;
  env?: { name: string; value?: string; valueFrom?: { secretKeyRef?: object } }[];
  envFrom?: { configMapRef: { name: string } }[];
  ports?: { name: string; containerPort: number }[];
  volumeMounts: { name: string; mountPath: string }[];
  resources: { requests: Labels; limits: Labels };
  securityContext: object;
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  startupProbe?: Probe;
}

interface Probe {
  httpGet?: { port: string };
  exec?: object;
  timeoutSeconds: number;
  terminationGracePeriodSeconds?: number;
}

interface SecretSource {
  name?: string;
  secretName?: string;
  items?: { key: string; path: string }[];
}

export interface PodSpec {
  automountServiceAccountToken: boolean;
  terminationGracePeriodSeconds: number;
  securityContext: object;
  containers: [Container];
  volumes?: {
    name: string;
    secret?: SecretSource;
    configMap?: { name: string };
    projected?: { sources: { secret: SecretSource }[] };
  }[];
  topologySpreadConstraints?: { labelSelector: Selector }[];
}

/** The parts of the resources that the rules of this house are about. */
export interface Resource {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Labels };
  data?: Labels;
  spec: {
    replicas?: number;
    selector?: Selector & Labels;
    template?: { metadata: { labels: Labels }; spec: PodSpec };
    jobTemplate?: { spec: { template: { metadata: { labels: Labels }; spec: PodSpec } } };
    podSelector?: Selector;
    policyTypes?: string[];
    ingress?: Rule[];
    egress?: Rule[];
    ports?: { port: number; name: string; targetPort: string }[];
    scaleTargetRef?: { name: string };
    minReplicas?: number;
    minReplicaCount?: number;
    maxReplicas?: number;
    maxReplicaCount?: number;
    triggers?: { type: string; metadata: Labels }[];
    rules?: { http: { paths: { backend: { service: { name: string; port: { name: string } } } }[] } }[];
  };
}

/** The pods of a resource: their template. */
export interface Pods {
  of: Resource;
  labels: Labels;
  spec: PodSpec;
  container: Container;
}

/**
 * Resources that kustomize makes of a folder of k8s.
 * @param edits texts of its files and their replacements, as an admin would write them
 */
export function rendered(folder: string, edits: readonly (readonly [string, string])[] = []): Resource[] {
  if (!("path" in kubectl)) throw new Error(kubectl.missing);
  const copy = mkdtempSync(join(tmpdir(), "contact-workspace-k8s-"));
  try {
    cpSync(join(ROOT, "k8s"), copy, { recursive: true });
    for (const [from, to] of edits) {
      const file = globSync("*", { cwd: join(copy, folder) })
        .map((name) => join(copy, folder, name))
        .find((path) => readFileSync(path, "utf8").includes(from));
      if (file === undefined) throw new Error(`${folder} has no "${from}"`);
      writeFileSync(file, readFileSync(file, "utf8").replace(from, to));
    }
    const { status, stdout, stderr } = spawnSync(kubectl.path, ["kustomize", join(copy, folder)], { encoding: "utf8" });
    if (status !== 0) throw new Error(stderr);
    return parseAllDocuments(stdout).map((document) => document.toJS() as Resource);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** All pods that the resources make. */
export function podsOf(resources: readonly Resource[]): Pods[] {
  return resources.flatMap((of) => {
    const template = of.spec?.template ?? of.spec?.jobTemplate?.spec.template;
    if (!template) return [];
    return [{ of, labels: template.metadata.labels, spec: template.spec, container: template.spec.containers[0] }];
  });
}

/** A secret that a pod mounts, with the keys that it takes; all of them when `items` is undefined. */
interface Mounted {
  name: string;
  items?: { key: string; path: string }[] | undefined;
}

export function secretsOf({ spec: { volumes = [] } }: Pods): Mounted[] {
  const sources = volumes.flatMap(({ secret, projected }) => [
    ...(secret ? [secret] : []),
    ...(projected?.sources ?? []).map((source) => source.secret),
  ]);
  return sources.map(({ name, secretName, items }) => ({ name: name ?? secretName ?? "", items }));
}

export function selects({ matchLabels = {}, matchExpressions = [] }: Selector, labels: Labels): boolean {
  const isIn = ({ key, operator, values }: { key: string; operator: string; values: string[] }) => {
    if (operator !== "In") throw new Error(`This test does not know the operator ${operator}`);
    return values.includes(labels[key] ?? "");
  };
  return Object.entries(matchLabels).every(([key, value]) => labels[key] === value) && matchExpressions.every(isIn);
}

/** One end of a connection: a pod of the namespace, or one of another namespace by its name. */
export type End = Pods | { namespace: string; labels: Labels };

function isPeer({ podSelector, namespaceSelector, ipBlock }: Peer, end: End): boolean {
  if (ipBlock) return false;
  if (namespaceSelector) {
    if (!("namespace" in end)) return false;
    if (!selects(namespaceSelector, { "kubernetes.io/metadata.name": end.namespace })) return false;
  } else if ("namespace" in end) return false;
  return selects(podSelector ?? {}, end.labels);
}

function admits(policies: readonly Resource[], pods: Pods, way: "Ingress" | "Egress", other: End, port: number) {
  const own = policies.filter(
    ({ spec }) => spec.policyTypes?.includes(way) && selects(spec.podSelector ?? {}, pods.labels),
  );
  if (own.length === 0) return true;
  const rules = own.flatMap(({ spec }) => (way === "Ingress" ? spec.ingress : spec.egress) ?? []);
  return rules.some(({ from, to, ports }) => {
    const peers = from ?? to;
    return (!peers || peers.some((peer) => isPeer(peer, other))) && (!ports || ports.some((one) => one.port === port));
  });
}

/** Whether the network policies let one end connect to a port of the other. */
export function mayConnect(resources: readonly Resource[], from: End, to: End, port: number): boolean {
  const policies = resources.filter(({ kind }) => kind === "NetworkPolicy");
  const out = "namespace" in from || admits(policies, from, "Egress", to, port);
  return out && ("namespace" in to || admits(policies, to, "Ingress", from, port));
}

/** Packages with the types of custom resources, by the group of their API. */
const CUSTOM: Record<string, string> = {
  "keda.sh": "@kubernetes-models/keda/",
  "monitoring.coreos.com": "@kubernetes-models/prometheus-operator/",
};

/**
 * Faults of resources by the types of Kubernetes, as the compiler tells them: unknown fields, wrong values, missing
 * parts.
 */
export function faultsOf(resources: readonly object[]): string[] {
  // The compiler finds the types from here.
  const parent = join(ROOT, "node_modules", ".cache");
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, "kubernetes-"));
  try {
    const lines = (resources as Resource[]).map((resource, i) => {
      const { apiVersion, kind } = resource;
      const place = `${CUSTOM[apiVersion.split("/")[0] ?? ""] ?? "kubernetes-models/"}${apiVersion}/${kind}`;
      // TypeScript refuses unknown members only in an object literal.
      return `export const r${i}: import("${place}").I${kind} = ${JSON.stringify(resource)};`;
    });
    writeFileSync(join(folder, "resources.ts"), lines.join("\n"));
    const compilerOptions = { noEmit: true, strict: true, skipLibCheck: true, module: "nodenext", types: [] };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["resources.ts"] }));
    const { stdout } = spawnSync(join(ROOT, "node_modules", ".bin", "tsc"), ["--pretty", "false", "-p", folder], {
      encoding: "utf8",
    });
    return stdout.split("\n").filter((line) => line.includes("error TS"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
