import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { serviceFolders, serviceList } from "../../config/service-folders.ts";
import { say } from "../../lab/harness/apt.ts";
import { kubectl, podsOf, type Resource, rendered } from "../support/kubernetes.ts";

const ROOT = join(__dirname, "..", "..");
const GUIDE = readFileSync(join(ROOT, "docs", "guides", "deploying.md"), "utf8");

/** The names of the shared connections, and of sessions of their own, that the services of some folders open, as their code has them. */
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

/** One deployment: which services it runs, its pool, and its greatest number of replicas. */
interface Part {
  name: string;
  folders: string[];
  pool: number;
  replicas: number;
}

/** Connections of a process: two pools, each with one for the background, the reader that all share, and lanes. */
const connectionsOf = ({ folders, pool }: Pick<Part, "folders" | "pool">) => pool + 2 + 1 + lanesOf(folders).size;

/** While pods are exchanged there is one more (maxSurge). */
const together = (part: Part) => (part.replicas + 1) * connectionsOf(part);

/** A process of `maintain` with its pool of 4, and one of `migrate`. */
const JOBS = 4 + 2 + 1 + 2;
/** PostgreSQL keeps so many for its administrators. */
const RESERVED = 3;
const DEFAULT_POOL = 12;

function partsOf(resources: readonly Resource[]): Part[] {
  const servers = podsOf(resources).filter(({ of }) => of.kind === "Deployment");
  return servers.map(({ of, container }) => {
    const settingOf = (wanted: string) => container.env?.find(({ name }) => name === wanted)?.value;
    const scaler = resources.find(({ spec }) => spec?.scaleTargetRef?.name === of.metadata.name);
    const services = settingOf("SERVICES");
    return {
      name: of.metadata.name.replace(/^contact-workspace-/, ""),
      folders: services === undefined ? serviceFolders() : (serviceList().parse(services) ?? []),
      pool: Number(settingOf("DATABASE_POOL") ?? DEFAULT_POOL),
      replicas: scaler?.spec.maxReplicas ?? scaler?.spec.maxReplicaCount ?? of.spec.replicas ?? 0,
    };
  });
}

if ("missing" in kubectl) say(`${kubectl.missing}. The connections of k8s/ are not counted.`);

("path" in kubectl ? describe : describe.skip)(
  "The connections to PostgreSQL (docs/guides/deploying.md#pool-sizes)",
  () => {
    it("of production are of deployments that run every service folder once, and are told in the guide", () => {
      const parts = partsOf(rendered("overlays/production", [["# - ../../keda", "- ../../keda"]]));
      expect(parts.flatMap(({ folders }) => folders).sort()).toEqual(serviceFolders());
      const sum = parts.map(together).reduce((a, b) => a + b, JOBS);
      const allowed = Number(/`max_connections` of at least (\d+)/.exec(GUIDE)?.[1]);
      expect(sum).toBeLessThanOrEqual(allowed - RESERVED);
      expect(GUIDE).toContain(`| **${sum}**, below ${allowed - RESERVED} |`);
      for (const part of parts) {
        const row = GUIDE.split("\n").find((line) => line.includes(`\`${part.name}\``) && line.includes("+ 1"));
        const each = row?.includes(" each") ? " each" : "";
        expect(row).toContain(`| ${part.replicas} + 1${each} | ${part.pool} | ${connectionsOf(part)} |`);
      }
    });

    it("of the local overlay fit the 100 that PostgreSQL allows by default", () => {
      const [part, ...more] = partsOf(rendered("overlays/local"));
      expect(more).toEqual([]);
      const sum = part ? together(part) + JOBS : 0;
      expect(sum).toBeLessThanOrEqual(100 - RESERVED);
      expect(GUIDE).toContain(`| 2 + 1 | 12 | ${part && connectionsOf(part)} | **${sum}**, below 97 |`);
    });
  },
);
