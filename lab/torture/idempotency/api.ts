import { TEST_ENV } from "../../harness/server-env.ts";
import { insist } from "../insist.ts";
import type { Person } from "./history.ts";

/** What the program itself asks of the API, while nothing disturbs. */
export interface Api {
  makeCompany(name: string): Promise<string>;
  /** All people, page by page. */
  people(): Promise<Person[]>;
}

/** Asks the gateway at this port. */
export function openApi(port: number, apiKey: string): Api {
  const at = { port, key: apiKey };

  async function people(): Promise<Person[]> {
    const found: Person[] = [];
    for (let path: string | undefined = "/v1/people?limit=100"; path !== undefined; ) {
      const page: Page = await insist(at, "GET", path);
      found.push(...page.items);
      path = page.pagination.nextLink?.slice(TEST_ENV.PUBLIC_URL.length);
    }
    return found;
  }

  return {
    makeCompany: async (name) => (await insist<{ id: string }>(at, "POST", "/v1/companies", { name })).id,
    people,
  };
}

interface Page {
  items: Person[];
  pagination: { nextLink?: string };
}
