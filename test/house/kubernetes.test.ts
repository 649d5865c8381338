import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "@jest/globals";
import { connect } from "nats";
import { parse } from "yaml";
import { natsOptions } from "../../bus/connection.ts";
import { envTable, readEnv } from "../../config/env.ts";
import { serviceFolders } from "../../config/service-folders.ts";
import { makeCertificates } from "../support/certificates.ts";
import { testFolder } from "../support/folder.ts";
import { describeBus, startNats } from "../support/nats.ts";

const FOLDER = join(__dirname, "..", "..", "k8s");
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

it("k8s runs every service folder in one deployment (docs/guides/growing.md#kubernetes)", () => {
  const { resources } = parse(textOf("kustomization.yaml")) as { resources: string[] };
  const manifests = resources.flatMap((folder) => globSync(`${folder}/*.yaml`, { cwd: FOLDER })).map(textOf);
  const run = manifests.flatMap((text) => /SERVICES"?, "?value"?: "([^"]+)"/.exec(text)?.[1]?.split(",") ?? []);
  expect(run.sort()).toEqual(serviceFolders());
});

it("k8s sets variables that there are, and NATS_CA to a file that the secret brings", () => {
  const { containers, volumes } = (parse(textOf("base/deployment.yaml")) as Deployment).spec.template.spec;
  const [server] = containers;
  expect(server?.env.filter(({ name }) => !envTable().includes(`\`${name}\``))).toEqual([]);
  const files = volumes.flatMap(({ name, secret }) => {
    const path = server?.volumeMounts.find((mount) => mount.name === name)?.mountPath;
    return secret?.items.map((item) => `${path}/${item.path}`) ?? [];
  });
  expect(files).toEqual([server?.env.find(({ name }) => name === "NATS_CA")?.value]);
});

describeBus("k8s/nats.conf", () => {
  const files = testFolder();
  afterAll(() => files.remove());

  it("lets in who knows its password, over TLS", async () => {
    const { ca, server } = makeCertificates(files.path);
    const config = textOf("nats.conf")
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
