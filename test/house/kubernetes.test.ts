import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "@jest/globals";
import { parser as promQl } from "@prometheus-io/lezer-promql";
import { connect } from "nats";
import { parse, parseAllDocuments } from "yaml";
import { METRICS } from "../../base/budgets/metrics.ts";
import { natsOptions } from "../../bus/connection.ts";
import { envTable, readEnv } from "../../config/env.ts";
import { serviceFolders } from "../../config/service-folders.ts";
import { findOrInstall, say } from "../../lab/harness/apt.ts";
import { makeCertificates } from "../support/certificates.ts";
import { testFolder } from "../support/folder.ts";
import { describeBus, startNats } from "../support/nats.ts";

const ROOT = join(__dirname, "..", "..");
const FOLDER = join(ROOT, "k8s");
const GUIDE = readFileSync(join(ROOT, "docs", "guides", "deploying.md"), "utf8");
const textOf = (file: string) => readFileSync(join(FOLDER, file), "utf8");

interface Deployment {
  spec: {
    template: {
      spec: {
        containers: { env: { name: string; value?: string }[]; volumeMounts: { name: string; mountPath: string }[] }[];
        volumes: { name: string; secret?: { secretName: string; items: { key: string; path: string }[] } }[];
      };
    };
  };
}

it("k8s sets variables that there are, and NATS_CA to a file that the secret brings", () => {
  const { containers, volumes } = (parse(textOf("base/deployment.yaml")) as Deployment).spec.template.spec;
  const [server] = containers;
  const patched = globSync("**/*patch.yaml", { cwd: FOLDER })
    .map((file) => parse(textOf(file)) as Partial<Deployment>)
    .flatMap((patch) => patch.spec?.template.spec.containers[0]?.env ?? []);
  expect(patched.length).toBeGreaterThan(5);
  expect([...(server?.env ?? []), ...patched].filter(({ name }) => !envTable().includes(`\`${name}\``))).toEqual([]);
  const files = volumes.flatMap(({ name, secret }) => {
    const path = server?.volumeMounts.find((mount) => mount.name === name)?.mountPath;
    return secret?.items.map((item) => `${path}/${item.path}`) ?? [];
  });
  expect(files).toEqual([server?.env.find(({ name }) => name === "NATS_CA")?.value]);
});

/** One deployment of k8s/services: which services it runs, its pool, and how many replicas there may be. */
interface Part {
  folders: string[];
  pool: number;
  replicas: number;
}

function partOf(folder: string): Part {
  const text = textOf(`services/${folder}/kustomization.yaml`);
  const textFor = (name: string) => new RegExp(`name: ${name}, value: "([^"]+)"`).exec(text)?.[1] ?? "";
  return {
    folders: textFor("SERVICES").split(","),
    pool: Number(textFor("DATABASE_POOL")),
    replicas: Number(/maxReplicas, value: (\d+)/.exec(text)?.[1]),
  };
}

/** The names of the shared connections that the services of some folders open, as their code has them. */
function lanesOf(folders: readonly string[]): Set<string> {
  const files = folders.flatMap((folder) => globSync(`services/${folder}/**/*.ts`, { cwd: ROOT }));
  const named = files.flatMap((file) => [
    ...readFileSync(join(ROOT, file), "utf8").matchAll(
      /storeOf\([\w.]+, "([^"]+)"\)|\.sharedConnection\("([^"]+)"\)|LANE = "([^"]+)"|\.openSession\(\s*"([^"]+)"/g,
    ),
  ]);
  const ofStore = [
    ...readFileSync(join(ROOT, "engine/store/store.ts"), "utf8").matchAll(/\.sharedConnection\("([^"]+)"\)/g),
  ];
  return new Set([...ofStore, ...named].map(([, ...names]) => names.find((name) => name !== undefined) ?? ""));
}

/** Of a process: two pools with one for the background each, the reader that all share, and lanes. */
const connectionsOf = ({ folders, pool }: Pick<Part, "folders" | "pool">) => pool + 2 + 1 + lanesOf(folders).size;

/** While pods are exchanged there is one more (maxSurge). */
const together = (part: Part) => (part.replicas + 1) * connectionsOf(part);

/** PostgreSQL keeps so many for its administrators. */
const RESERVED = 3;

describe("The connections to PostgreSQL (docs/guides/deploying.md#pool-sizes)", () => {
  const { resources } = parse(textOf("services/kustomization.yaml")) as { resources: string[] };
  const parts = resources.map((folder) => ({ folder, ...partOf(folder) }));

  it("are of deployments that run every service folder once", () => {
    expect(parts.flatMap(({ folders }) => folders).sort()).toEqual(serviceFolders());
  });

  it("of all deployments fit those that the PostgreSQL of the example allows, and are told in the guide", () => {
    const sum = parts.map(together).reduce((a, b) => a + b, 0);
    const most = Number(/max_connections=(\d+)/.exec(textOf("overlays/example/postgres.yaml"))?.[1]);
    expect(sum).toBeLessThanOrEqual(most - RESERVED);
    expect(GUIDE).toContain(`| **${sum}**, below ${most - RESERVED} |`);
    for (const part of parts) {
      const row = GUIDE.split("\n").find((line) => line.includes(`\`${part.folder}\``) && line.includes("+ 1"));
      expect(row).toContain(
        `| ${part.replicas} + 1${row?.includes(" each") ? " each" : ""} | ${part.pool} | ${connectionsOf(part)} |`,
      );
    }
  });

  it("of the small overlay fit the 100 that PostgreSQL allows by default", () => {
    const pool = Number(/DATABASE_POOL, value: "(\d+)"/.exec(textOf("overlays/small/server.patch.yaml"))?.[1]);
    const replicas = Number(/maxReplicas: (\d+)/.exec(textOf("base/availability.yaml"))?.[1]);
    const sum = together({ folders: serviceFolders(), pool, replicas });
    expect(sum).toBeLessThan(100 - RESERVED);
    expect(GUIDE).toContain(
      `| 2 + 1 | 12 | ${connectionsOf({ folders: serviceFolders(), pool })} | **${sum}**, below 97 |`,
    );
  });
});

describe("The rules for alerts (k8s/monitoring/alerts.yaml)", () => {
  const { spec } = parse(textOf("monitoring/alerts.yaml"));
  const rules: { alert: string; expr: string }[] = spec.groups[0].rules;

  it.each(rules.map(({ alert, expr }) => [alert, expr]))("are PromQL about metrics that there are: %s", (_, expr) => {
    const names: string[] = [];
    promQl.parse(expr).iterate({
      enter({ type, from, to }) {
        if (type.isError) throw new Error(`No PromQL: ${expr.slice(0, from)} ⟵ ${expr.slice(from, to)}`);
        if (type.name === "Identifier" && /_/.test(expr.slice(from, to))) names.push(expr.slice(from, to));
      },
    });
    const used = names.map((name) => name.replace(/_bucket$/, ""));
    expect(used.length).toBeGreaterThan(0);
    expect(used.filter((name) => !Object.hasOwn(METRICS, name))).toEqual([]);
  });
});

const kubectl = findOrInstall("kubectl", "kubernetes-client");
if ("missing" in kubectl) say(`${kubectl.missing}. The manifests of k8s/ are not rendered.`);

interface Resource {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
}

/**
 * What is wrong with each resource by the schema of Kubernetes, null for nothing. In a process of its own, since jest
 * does not find the modules of this package.
 */
function faultsOf(resources: readonly object[]): (string | null)[] {
  const { stdout, stderr, status } = spawnSync(process.execPath, ["--input-type=module", "--eval", JUDGE], {
    cwd: ROOT,
    input: JSON.stringify(resources),
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

const JUDGE = `
import { text } from "node:stream/consumers";
const faults = JSON.parse(await text(process.stdin)).map(async (resource) => {
  const { [resource.kind]: Model } = await import("kubernetes-models/" + resource.apiVersion + "/" + resource.kind);
  try {
    new Model(resource).validate();
    return null;
  } catch (error) {
    return resource.kind + " " + resource.metadata.name + ": " + error.message;
  }
});
process.stdout.write(JSON.stringify(await Promise.all(faults)));`;

/** What kustomize makes of a folder. */
function rendered(folder: string): Resource[] {
  const path = "path" in kubectl ? kubectl.path : "";
  const { status, stdout, stderr } = spawnSync(path, ["kustomize", join(FOLDER, folder)], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return parseAllDocuments(stdout).map((document) => document.toJS() as Resource);
}

("path" in kubectl ? describe : describe.skip).each(["", "overlays/example", "overlays/small"])("k8s/%s", (folder) => {
  it("is made of resources that Kubernetes knows, with fields of the types that its schema has", () => {
    const resources = rendered(folder);
    expect(resources.length).toBeGreaterThan(5);
    expect(faultsOf(resources).filter((fault) => fault !== null)).toEqual([]);
  });

  it("refers to configuration that it has, and to secrets that the guide makes", () => {
    const resources = rendered(folder);
    const text = JSON.stringify(resources);
    const maps = [...text.matchAll(/"configMap":\{"name":"([^"]+)"/g)].map(([, name]) => name);
    const own = resources.filter(({ kind }) => kind === "ConfigMap").map(({ metadata }) => metadata.name);
    expect([...new Set(maps)]).toEqual(own);
    const secrets = [...text.matchAll(/"(?:secretKeyRef":\{[^}]*"name|secretName)":"([^"]+)"/g)].map(
      ([, name]) => name,
    );
    for (const name of new Set(secrets))
      if (name !== "contact-workspace-tls") expect(GUIDE).toMatch(new RegExp(`create secret \\w+ ${name}\\b`));
  });

  it("has a version for each image but our own, which an overlay names", () => {
    const images = [...JSON.stringify(rendered(folder)).matchAll(/"image":"([^"]+)"/g)].map(([, image = ""]) => image);
    const unpinned = images.filter((image) => !/:\d+\.\d+/.test(image));
    expect(new Set(unpinned)).toEqual(new Set(folder === "" ? ["contact-workspace"] : []));
  });
});

it("the schemas of Kubernetes find a slip of the pen", () => {
  const policy = { apiVersion: "networking.k8s.io/v1", kind: "NetworkPolicy", metadata: { name: "x" } };
  const [sound, ...slips] = faultsOf([
    { ...policy, spec: { podSelector: {} } },
    { ...policy, spec: { podSelector: {}, policyTypes: "Egress" } },
    { ...policy, spec: { podSelector: {}, egress: [{ ports: [{ port: 53, protocol: 53 }] }] } },
  ]);
  expect(sound).toBeNull();
  expect(slips).toEqual([expect.any(String), expect.any(String)]);
});

describeBus("k8s/nats/nats.conf", () => {
  const files = testFolder();
  afterAll(() => files.remove());

  it("lets in who knows its password, over TLS", async () => {
    const { ca, server } = makeCertificates(files.path);
    const config = textOf("nats/nats.conf")
      .replace("/etc/nats/tls/tls.crt", server.cert)
      .replace("/etc/nats/tls/tls.key", server.key)
      .replace("$NATS_PASSWORD", "secret")
      .replace(/^max_.*$/gm, "");
    const nats = await startNats({ config });
    const attempt = async (user: string) => {
      const env = readEnv({ NATS_URL: `tls://${user}127.0.0.1:${nats.port}`, NATS_CA: ca });
      const client = await connect({ ...natsOptions(env, "test"), reconnect: false });
      await client.close();
    };
    try {
      await attempt("contact-workspace:secret@");
      await expect(attempt("contact-workspace:wrong@")).rejects.toThrow("Authorization Violation");
      await expect(attempt("")).rejects.toThrow("Authorization Violation");
    } finally {
      await nats.stop();
    }
  });
});
