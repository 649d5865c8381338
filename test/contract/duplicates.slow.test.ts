import { expect, it } from "@jest/globals";
import { randomOf } from "../../lab/harness/random.ts";
import { until } from "../../lab/harness/until.ts";
import type { Answer, Client, Item } from "../support/client.ts";
import { describeServer } from "../support/scene.ts";
import { type ListedPerson, pairsAmong } from "./duplicate-oracle.ts";

const NAMES = [
  "Ada Lovelace",
  "Lovelace, ADA",
  "Ada Lovelase",
  "Ada Lvoelace",
  "Grace Hopper",
  "Grace Hoppér",
  "Bo Li",
  "Bo Lu",
];
const EMAILS = ["office@acme.test", "ada@acme.test", "ADA@acme.test", "x@bolt.test", "y@bolt.test", "z@gmail.com"];
const PHONES = ["+41791234567", "0041 79 123 45 67", "555 1234"];
const URLS = ["https://social.test/ada", "http://www.social.test/ada/", "https://acme.test"];

async function listed(api: Client): Promise<string[]> {
  const pairs = (await api.all("/v1/people/duplicates?limit=100")) as unknown as {
    records: Item[];
    reasons: { path: string[]; kind: string }[];
  }[];
  return pairs.map(
    ({ records, reasons }) =>
      `${records.map(({ id }) => id).join(" ")}: ${reasons.map(({ path, kind }) => `${path.join()} ${kind}`).join(", ")}`,
  );
}

// docs/guides/duplicates.md
describeServer("Duplicates after random writes", (scene) => {
  it.each([1, 2, 3])("are those that comparing all with all finds (seed %i)", async (seed) => {
    const random = randomOf(seed);
    const pick = <Thing>(things: readonly Thing[]): Thing => things[Math.floor(random() * things.length)] as Thing;
    const { ada } = await scene.workspace();
    const api = scene.patientApi(ada);
    const companies: string[] = [];
    for (const name of ["Acme", "Bolt", "Screw"]) companies.push((await api.post("/v1/companies", { name })).data.id);
    const some = (things: string[]) => things.filter(() => random() < 0.2);
    const values = () => ({
      fullName: pick(NAMES),
      emails: some(EMAILS),
      phones: some(PHONES),
      urls: some(URLS),
      companies: companies.filter(() => random() < 0.3).map((id) => ({ id })),
    });
    const [people, gone, requests]: [string[], string[], string[]] = [[], [], []];
    const goneCompanies: string[] = [];
    const WRITES: (() => Promise<Answer>)[] = [
      async () => {
        const answer = await api.post("/v1/people", values());
        if (answer.status === 200) people.push(answer.data.id);
        return answer;
      },
      () => api.patch(`/v1/people/${pick(people)}`, values()),
      () => api.patch(`/v1/people/${pick(people)}`, { emails: some(EMAILS) }),
      async () => {
        const id = pick(people);
        gone.push(id);
        return api.delete(`/v1/people/${id}`);
      },
      () => api.post(`/v1/people/${pick(gone)}/restore`),
      () => api.post(`/v1/people/${pick(people)}/merge`, { records: [{ id: pick(people) }] }),
      () => api.post("/v1/undo", { requestId: pick(requests) }),
      async () => {
        const id = pick(companies);
        if (random() < 0.5) return api.post(`/v1/companies/${pick(companies)}/merge`, { records: [{ id }] });
        goneCompanies.push(id);
        return api.delete(`/v1/companies/${id}`);
      },
      () => api.post(`/v1/companies/${pick(goneCompanies)}/restore`),
    ];
    const write = async (one: (typeof WRITES)[number] | undefined) => {
      // Many name what is gone, and are refused.
      const answer = await one?.();
      if (answer?.status === 200) requests.push(String(answer.headers["x-request-id"]));
    };
    for (let i = 0; i < 50; i += 1) await write(WRITES[0]);
    for (let round = 0; round < 6; round += 1) {
      for (let i = 0; i < 40; i += 1) await write(pick([...WRITES.slice(0, 2), ...WRITES]));
      const all = (await api.all("/v1/people?limit=100")) as ListedPerson[];
      const wanted = pairsAmong(all).toSorted();
      const seen = async () => (await listed(api)).toSorted();
      await until("the pairs", async () => (await seen()).join() === wanted.join(), 20_000).catch(() => undefined);
      expect(await seen()).toEqual(wanted);
    }
  });
});
