import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { adminOf } from "../support/admin.ts";
import { type Answer, client } from "../support/client.ts";
import { testFolder } from "../support/folder.ts";
import { startProcess } from "../support/server.ts";
import { blocksOf } from "./blocks.ts";
import type { Sender } from "./example.ts";
import type { GuideWorld, Ran } from "./run-guide.ts";
import { runProgram } from "./run-program.ts";

const ROOT = join(import.meta.dirname, "..", "..");

/** As a reader has it who has only typed `npm start`. */
const ENV = { PUBLIC_URL: "http://localhost:3000", RATE_LIMITS: "default=600/60,burst=20/2" };
const TOO_MANY = 429;

/**
 * A server with the workspace of docs/guides/workspace-file.md. Its admin is ada, and a key of hers is used unless an
 * example says otherwise.
 */
export async function startGuideWorld(): Promise<GuideWorld & { stop(): Promise<void> }> {
  const server = await startProcess({ env: ENV });
  const files = testFolder();
  const admin = adminOf(server.databaseUrl);

  const printed = async <Result>(words: string): Promise<Result> => {
    const ran = await admin.run(`${words} --json`);
    if (ran.code !== 0) throw new Error(`workspace ${words}: ${ran.err}`);
    return ran.json<Result>();
  };
  const key = async (email: string, access: string) =>
    (await printed<{ key: string }>(`keys create --workspace acme --user ${email} --access ${access}`)).key;

  const { workspaces } = await printed<Applied>(`apply ${files.write("acme.yaml", workspaceFile())}`);
  const [{ users, groups }] = workspaces;
  const [ada, bob] = users;
  const keys: Record<Sender, string | undefined> = {
    ada: await key(ada.email, "full"),
    bob: await key(bob.email, "full"),
    reader: await key(ada.email, "read"),
    nobody: undefined,
  };
  await admin.close();

  return {
    ids: { userId: ada.id, bobId: bob.id, groupId: groups[0].id },
    async send(sender, { method, path, headers, body }) {
      const request = () => client(server, keys[sender]).request(method, encoded(path), body, headers);
      let answer = await request();
      while (answer.status === TOO_MANY) answer = await later(answer, request);
      return answer;
    },
    // The server of this world has been started already.
    run: async (line) =>
      line === "npm ci && npm start"
        ? { code: 0, out: "", err: "" }
        : runLine(line, files.path, { DATABASE_URL: server.databaseUrl, ...ENV }),
    runWhole: () =>
      Promise.reject(new Error("Only the quick start and the recipes have blocks that are run as a whole.")),
    write: (file, text) => files.write(file, text),
    stop: async () => {
      files.remove();
      await server.stop();
    },
  };
}

/** What `apply` answers for that file. */
interface Applied {
  workspaces: [
    { users: [ada: { id: string; email: string }, bob: { id: string; email: string }]; groups: [{ id: string }] },
  ];
}

function workspaceFile(): string {
  const blocks = blocksOf(readFileSync(join(ROOT, "docs", "guides", "workspace-file.md"), "utf8"));
  const file = blocks.find(({ language, text }) => language === "yaml" && text.startsWith("workspace: acme"));
  if (!file) throw new Error("docs/guides/workspace-file.md has no workspace file.");
  return file.text;
}

/** Clients write what is not ASCII as they like; on the wire it is percent-encoded. */
function encoded(path: string): string {
  return path.replaceAll(/[^\x20-\x7e]+/g, encodeURIComponent);
}

/**
 * A guide may have more examples than a user may send requests in two seconds, so the test waits as users are told to.
 */
async function later(refused: Answer, request: () => Promise<Answer>): Promise<Answer> {
  await pause(Number(refused.headers["retry-after"]) * 1000);
  return request();
}

/** Runs a line in the folder of the files of the guide. */
export function runLine(line: string, folder: string, variables: Record<string, string>): Promise<Ran> {
  const program = `'${process.execPath}' '${join(ROOT, "cli", "main.mjs")}'`;
  return runProgram(
    "bash",
    ["-c", line.replaceAll("npm run -s workspace --", `${program} workspace`)],
    folder,
    variables,
  );
}
