import { TEST_ENV } from "../../harness/server-env.ts";
import { openSender } from "../sender.ts";
import type { Person } from "./history.ts";

/** What the program itself asks of the API, while nothing disturbs. */
export interface Api {
  makeCompany(name: string): Promise<string>;
  /** All people, page by page. */
  people(): Promise<Person[]>;
}

/** Asks the gateway at this port. */
export function openApi(port: number, apiKey: string): Api {
  const sender = openSender(port);
  const headers = { Authorization: `Bearer ${apiKey}` };

  async function ask<Data>(method: string, path: string, body?: object): Promise<Data> {
    const { status, text, error } = await sender.send({
      method,
      path,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    if (status !== 200) throw new Error(`${method} ${path} answered ${status} ${error ?? text}`);
    return JSON.parse(text).data;
  }

  async function people(): Promise<Person[]> {
    const found: Person[] = [];
    for (let path: string | undefined = "/v1/people?limit=100"; path !== undefined; ) {
      const page: Page = await ask("GET", path);
      found.push(...page.items);
      path = page.pagination.nextLink?.slice(TEST_ENV.PUBLIC_URL.length);
    }
    return found;
  }

  return {
    makeCompany: async (name) => (await ask<{ id: string }>("POST", "/v1/companies", { name })).id,
    people,
  };
}

interface Page {
  items: Person[];
  pagination: { nextLink?: string };
}
