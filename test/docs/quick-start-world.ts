import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { freePort } from "../../lab/harness/free-port.ts";
import { spawnServer } from "../../lab/harness/server-process.ts";
import { testFolder } from "../support/folder.ts";
import { startDetour } from "./detour.ts";
import { runLine } from "./guide-world.ts";
import type { GuideWorld } from "./run-guide.ts";
import { runProgram } from "./run-program.ts";

const START = "npm ci && npm start";

/** Language → the program that runs a block of it, and the file that it is put into. */
const PROGRAMS: Record<string, { program: string; file: string }> = {
  sh: { program: "bash", file: "block.sh" },
  js: { program: process.execPath, file: "block.mjs" },
  ts: { program: process.execPath, file: "block.ts" },
  python: { program: "python3", file: "block.py" },
};

/**
 * The first start of a server as the quick start has it: an embedded database, the demo workspace, the key that is
 * printed.
 */
export async function startQuickStartWorld(): Promise<GuideWorld & { stop(): Promise<void> }> {
  const files = testFolder();
  const port = await freePort();
  const env = { DATA_DIR: join(files.path, "data"), PUBLIC_URL: "http://localhost:3000" };
  const server = spawnServer("the quick start", { ...env, PORT: String(port) });
  await server.ready;
  const key = /^API key: (\S+)$/m.exec(server.said())?.[1];
  if (key === undefined) throw new Error(`The start has printed no key:\n${server.said()}`);
  const detour = await startDetour(`http://127.0.0.1:${port}`);
  // For Node, a variable says that the other one counts for fetch.
  const variables = { ...env, KEY: key, http_proxy: detour.address, no_proxy: "", NODE_USE_ENV_PROXY: "1" };

  return {
    ids: {},
    send: () => Promise.reject(new Error("In the demo workspace blocks are run as a whole.")),
    run: async (line) =>
      line === START ? { code: 0, out: plainLines(server.said()), err: "" } : runLine(line, files.path, env),
    runWhole: async (language, text) => {
      const { program, file } = PROGRAMS[language] ?? {};
      if (program === undefined || file === undefined) throw new Error(`Nothing runs "${language}".`);
      if (spawnSync(program, ["--version"]).error) return null;
      // A stream does not end: the first event is enough.
      const isEnough = (out: string) => /^curl .*-N /.test(text) && /^data: .*\n/m.test(out);
      return runProgram(program, [files.write(file, text)], files.path, variables, isEnough);
    },
    write: (file, text) => files.write(file, text),
    stop: async () => {
      detour.stop();
      await server.end("SIGTERM");
      files.remove();
    },
  };
}

/** What a start says that is no line of the log. */
function plainLines(said: string): string {
  return said
    .split("\n")
    .filter((line) => !line.startsWith("{"))
    .join("\n");
}
