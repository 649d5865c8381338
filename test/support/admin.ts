import { runCommand } from "../../cli/commands/run.ts";
import { readEnv } from "../../config/env.ts";
import { type Admin, localCalls } from "../../tools/terminal/admin.ts";
import { testDatabase } from "./database.ts";

export interface Ran {
  code: number;
  out: string;
  /** The remarks of the command, without the id of its run. */
  err: string;
  /** The id that a command tells which has changed users, keys and the like. */
  requestId: string | undefined;
  /** What was printed, as JSON. */
  json<Result>(): Result;
}

export interface TestAdmin {
  /** Of the database. */
  url: string;
  /** Runs a command in this process; words are divided by spaces. */
  run(words: string, ...more: string[]): Promise<Ran>;
  /** Runs a command as at a terminal, where a person gives this answer to what is asked. */
  answering(answer: string, words: string, ...more: string[]): Promise<Ran & { asked: string[] }>;
  /** Runs a command as the REPL does. */
  inRepl(words: string, ...more: string[]): Promise<Ran>;
  call: Admin["call"];
  query<Row>(sql: string, values?: unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

/** The admin command line on a database of its own. */
export async function testAdmin(): Promise<TestAdmin> {
  const { url, database, drop } = await testDatabase();
  const { close, ...admin } = adminOf(url);
  return {
    ...admin,
    query: (sql, values = []) => database.read(sql, values),
    close: async () => {
      await close();
      await drop();
    },
  };
}

const RUN = /^Request id of this run: (\S+)$/;

/** The admin command line on the database of somebody else, with further environment variables. */
export function adminOf(databaseUrl: string, variables: Record<string, string> = {}): Omit<TestAdmin, "query"> {
  const env = readEnv({ DATABASE_URL: databaseUrl, ...variables });
  const { call, close } = localCalls(env, () => undefined);
  let out: string[] = [];
  let err: string[] = [];
  const run = async (how: Partial<Admin>, words: string, more: string[]): Promise<Ran> => {
    [out, err] = [[], []];
    const admin: Admin = {
      env,
      call,
      print: (text) => out.push(text),
      write: async (text) => out.push(text.replace(/\n$/, "")) > 0,
      note: (text) => err.push(text),
      interactive: false,
      ...how,
    };
    const code = await runCommand([...words.split(" ").filter((word) => word !== ""), ...more], admin);
    const printed = out.join("\n");
    const [ids, noted] = [err.flatMap((text) => RUN.exec(text)?.[1] ?? []), err.filter((text) => !RUN.test(text))];
    return { code, out: printed, err: noted.join("\n"), requestId: ids[0], json: () => JSON.parse(printed) };
  };
  return {
    url: databaseUrl,
    run: (words, ...more) => run({}, words, more),
    answering: async (answer, words, ...more) => {
      const asked: string[] = [];
      const ask = async (question: string) => {
        asked.push(question);
        return answer;
      };
      return { ...(await run({ interactive: true, ask }, words, more)), asked };
    },
    inRepl: (words, ...more) => run({ inRepl: true }, words, more),
    call,
    close,
  };
}
