import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { findOrInstall } from "../../lab/harness/apt.ts";

/** Files in PEM. */
export interface Certificates {
  /** Who has signed the others. */
  ca: string;
  server: { cert: string; key: string };
  client: { cert: string; key: string };
}

/** Makes a certificate authority of one's own in a folder, and what it signs: a server on 127.0.0.1 and a client. */
export function makeCertificates(folder: string): Certificates {
  const program = findOrInstall("openssl", "openssl");
  if (!("path" in program)) throw new Error(program.missing);
  const openssl = (...args: string[]) => {
    const { status, stderr } = spawnSync(program.path, args, { cwd: folder, encoding: "utf8" });
    if (status !== 0) throw new Error(`openssl ${args[0]}: ${stderr}`);
  };
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  openssl(
    "req",
    "-x509",
    ...newKey,
    "-keyout",
    "ca.key",
    "-out",
    "ca.pem",
    "-days",
    "2",
    "-subj",
    "/CN=test authority",
  );
  const signed = (name: string, use: string) => {
    const [cert, key] = [`${name}.pem`, `${name}.key`];
    const extensions = ["-addext", "subjectAltName=IP:127.0.0.1", "-addext", `extendedKeyUsage=${use}`];
    const issuer = ["-CA", "ca.pem", "-CAkey", "ca.key"];
    openssl(
      "req",
      "-x509",
      ...issuer,
      ...newKey,
      "-keyout",
      key,
      "-out",
      cert,
      "-days",
      "2",
      "-subj",
      `/CN=${name}`,
      ...extensions,
      "-addext",
      "basicConstraints=critical,CA:FALSE",
    );
    return { cert: join(folder, cert), key: join(folder, key) };
  };
  return { ca: join(folder, "ca.pem"), server: signed("server", "serverAuth"), client: signed("client", "clientAuth") };
}
