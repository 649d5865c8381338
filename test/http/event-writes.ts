import fc from "fast-check";
import type { Client, Item } from "../support/client.ts";

/** A write: what it does, numbers that choose what it is about, and what it sends. */
export interface Command {
  does: (typeof WRITES_OF)[number];
  pick: number;
  other: number;
  text: string;
  list: string[];
  flag: boolean;
}

const WRITES_OF = [
  ...[
    "makePerson",
    "makePerson",
    "changePerson",
    "changePerson",
    "changePerson",
    "deletePerson",
    "mergePeople",
    "batch",
  ],
  ...["makeCompany", "changeCompany", "deleteCompany", "mergeCompanies", "makeDeal", "changeDeal", "deleteDeal"],
  ...[
    "makeNote",
    "changeNote",
    "deleteNote",
    "makeReminder",
    "changeReminder",
    "changeReminderAsTask",
    "deleteReminder",
  ],
  ...["log", "changeLogged", "deleteLogged"],
] as const;

/** Any command. */
export const command: fc.Arbitrary<Command> = fc.record({
  does: fc.constantFrom(...WRITES_OF),
  pick: fc.nat(1000),
  other: fc.nat(1000),
  text: fc.constantFrom("", "a", "b", "Ünï", "1.50"),
  list: fc.array(fc.constantFrom("x", "y", "z", "w"), { maxLength: 4 }),
  flag: fc.boolean(),
});

const PATHS: Record<string, string> = { per: "people", com: "companies", nte: "notes", rmd: "reminders" };

/** The path of a record. Objects are all in one group. */
export const recordPath = (sales: string) => (id: string) =>
  id.startsWith("obj_") ? `/v1/groups/${sales}/Deals/${id}` : `/v1/${PATHS[id.slice(0, 3)]}/${id}`;

interface Parts {
  api: Client;
  ada: string;
  bob: string;
  sales: string;
  press: string;
}

type Choose = (prefix: string, pick: number) => string | undefined;

/**
 * Gives a function that does what a command says; of a merge it gives the ids of the merged record and of its survivor.
 */
export function writer({ api, ada, bob, sales, press }: Parts) {
  const deals = `/v1/groups/${sales}/Deals`;
  const logged = new Map<string, string>();
  const ref = (id: string | undefined) => (id === undefined ? [] : [{ id }]);

  const values = ({ text, list, flag, pick, other }: Command, choose: Choose) => ({
    Text: text,
    ...(flag && { Number: text === "1.50" ? text : null, Date: pick % 2 ? "2026-01-31" : null }),
    ...(pick % 3 === 0 && { Status: list[0] ?? null, Tags: list }),
    ...(pick % 3 === 1 && {
      Owner: [...(flag ? [{ id: bob }] : []), { id: ada }],
      Contacts: [...ref(choose("per", other)), ...ref(choose("com", pick))],
    }),
  });

  const names = ({ text, list, pick }: Command) =>
    pick % 2 === 0 ? { firstName: text, lastName: list.join(" ") } : { fullName: `${text} ${list.join("")}` };

  const fields = ({ text, list, flag, pick, other }: Command, choose: Choose) => {
    const named = flag ? [{ name: `Named ${text}${pick % 7}` }] : [];
    const sets = [
      { emails: list, urls: list.slice(1), jobTitle: text, gender: flag ? "Other" : null },
      { birthday: flag ? "1815-12-10" : null, description: text },
      { companies: [...ref(choose("com", other)), ...named] },
    ];
    return sets[pick % 4] ?? {};
  };

  const groups = ({ flag, pick, other }: Command) => {
    if (flag) return [sales, press];
    return pick % 2 ? [press, sales] : other % 2 ? [press] : [sales];
  };

  const person = (one: Command, choose: Choose, isNew: boolean) => {
    const inGroups = isNew || one.pick % 4 === 0;
    return {
      ...names(one),
      ...fields(one, choose),
      ...(inGroups && {
        groups: groups(one).map((id) => ({ id })),
        customFieldValues: Object.fromEntries(groups(one).map((id) => [id, values(one, choose)])),
      }),
    };
  };

  const company = ({ text, list, flag, pick }: Command) => ({
    ...(pick % 2 === 0 && { emails: list, industry: flag ? text : null, groups: flag ? [{ id: sales }] : [] }),
    ...(pick % 3 === 0 && {
      fundingRaised: flag ? "1.50" : null,
      foundationYear: flag ? 1999 : null,
      employeeRange: "1-10",
    }),
    description: text,
  });

  const interaction = (id: string, { pick }: Command) => ({
    entity: { id },
    dateTime: pick % 5 === 0 ? "2090-01-01T00:00:00Z" : `20${10 + (pick % 15)}-05-01T00:00:00Z`,
    title: "",
    content: "",
    activityType: "call",
  });

  const rule = (pick: number) =>
    `DTSTART;TZID=Europe/Paris:209${pick % 9}0131T0${pick % 9}0000\nRRULE:FREQ=MONTHLY;INTERVAL=1`;

  type Write = (one: Command, choose: Choose) => Promise<[string, string] | undefined | unknown>;
  const about = (one: Command, choose: Choose) => {
    const id = [choose("per", one.pick), choose("com", one.pick), choose("obj", one.pick)].filter(Boolean)[
      one.other % 3
    ];
    return id === undefined ? undefined : { id };
  };
  const at = (prefix: string, work: (id: string, one: Command, choose: Choose) => Promise<unknown>): Write => {
    return async (one, choose) => {
      const id = choose(prefix, one.pick);
      return id === undefined ? undefined : work(id, one, choose);
    };
  };
  const merge = (prefix: string, path: string) =>
    at(prefix, async (id, { other }, choose) => {
      const merged = choose(prefix, other);
      if (merged === undefined || merged === id) return undefined;
      await api.post(`${path}/${id}/merge`, { records: [{ id: merged }] });
      for (const [logId, whose] of logged) if (whose === merged) logged.set(logId, id);
      return [merged, id];
    });

  const writes: Record<Command["does"], Write> = {
    makePerson: (one, choose) => api.post("/v1/people", person(one, choose, true)),
    changePerson: at("per", (id, one, choose) => api.patch(`/v1/people/${id}`, person(one, choose, false))),
    deletePerson: at("per", (id) => api.delete(`/v1/people/${id}`)),
    mergePeople: merge("per", "/v1/people"),
    batch: async (one, choose) => {
      const ids = [choose("per", one.pick), choose("per", one.other)].flatMap((id) => id ?? []);
      if (one.flag) return api.post("/v1/people/batch/delete", { records: ids.slice(0, 1).map((id) => ({ id })) });
      await api.post("/v1/people/batch/create", { records: [person(one, choose, true), { emails: one.list }] });
      return api.post("/v1/people/batch/update", { records: ids.map((id) => ({ id, ...person(one, choose, false) })) });
    },
    makeCompany: (one) => api.post("/v1/companies", { name: `Company ${one.pick % 5}`, ...company(one) }),
    changeCompany: at("com", (id, one) => api.patch(`/v1/companies/${id}`, company(one))),
    deleteCompany: at("com", (id) => api.delete(`/v1/companies/${id}`)),
    mergeCompanies: merge("com", "/v1/companies"),
    makeDeal: (one, choose) => api.post(deals, { name: `Deal ${one.text}`, customFieldValues: values(one, choose) }),
    changeDeal: at("obj", (id, one, choose) =>
      api.patch(`${deals}/${id}`, { name: `Deal ${one.list.join("")}.`, customFieldValues: values(one, choose) }),
    ),
    deleteDeal: at("obj", (id) => api.delete(`${deals}/${id}`)),
    makeNote: async (one, choose) => {
      const entity = about(one, choose);
      return (
        entity &&
        api.post("/v1/notes", { entity, content: `Met ${one.text}`, visibility: one.flag ? "public" : "private" })
      );
    },
    changeNote: at("nte", (id, { text, flag }) =>
      api.patch(
        `/v1/notes/${id}`,
        flag ? { content: `Met ${text}.` } : { visibility: text === "a" ? "public" : "private" },
      ),
    ),
    deleteNote: at("nte", (id) => api.delete(`/v1/notes/${id}`)),
    makeReminder: async (one, choose) => {
      const entity = about(one, choose);
      return (
        entity &&
        api.post("/v1/reminders", { entity, name: one.text, recurrenceRule: rule(one.pick), visibility: "private" })
      );
    },
    changeReminder: at("rmd", (id, { text, flag, pick }) =>
      api.patch(`/v1/reminders/${id}`, {
        name: text,
        ...(flag && { recurrenceRule: rule(pick), visibility: "public", assignedUsers: [{ id: ada }, { id: bob }] }),
      }),
    ),
    changeReminderAsTask: at("rmd", async (id, { text, flag, pick }, choose) => {
      const task = `/v1/tasks/${id.replace("rmd", "tsk")}`;
      if (pick % 3 === 0) return api.post(`${task}/mark-as-done`, { completedAt: "2026-01-01T00:00:00Z" });
      if (pick % 3 === 1) return api.post(`${task}/mark-as-todo`);
      const entity = choose("com", pick);
      return api.patch(task, {
        title: text,
        description: text || null,
        ...(flag && entity && { entity: { id: entity } }),
      });
    }),
    deleteReminder: at("rmd", (id) => api.delete(`/v1/reminders/${id}`)),
    log: at("per", async (id, one) =>
      logged.set((await api.post("/v1/interactions", interaction(id, one))).data.id, id),
    ),
    changeLogged: async (one) => {
      const [id, whose = ""] = [...logged][one.pick % Math.max(1, logged.size)] ?? [];
      return id && api.patch(`/v1/interactions/${id}`, interaction(whose, one));
    },
    deleteLogged: async ({ pick }) => {
      const [id = "", whose] = [...logged][pick % Math.max(1, logged.size)] ?? [];
      if (logged.delete(id)) await api.delete(`/v1/interactions/${id}?entity.id=${whose}`);
    },
  };

  return async (one: Command, choose: Choose): Promise<[string, string] | undefined> => {
    const done = (await writes[one.does](one, choose)) as [string, string] | Item | undefined;
    return Array.isArray(done) ? (done as [string, string]) : undefined;
  };
}
