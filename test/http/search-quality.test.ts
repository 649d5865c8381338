import { expect, it } from "@jest/globals";
import { describeServer } from "../support/scene.ts";
import { createAll } from "./counting.ts";
import { searched } from "./searching.ts";

const PEOPLE: [fullName: string, jobTitle: string, phone: string, email: string][] = [
  ["Anneliese Grünwald", "Head of Sales", "+49 30 5550 1001", "a.gruenwald@nordlicht.test"],
  ["Anna Grunow", "Sales manager", "+49 40 5550 1002", "anna@grunow.test"],
  ["Søren Østergaard", "Skipper", "+45 32 55 01 03", "soren@fjord.test"],
  ["José María Peñalver", "Abogado", "+34 91 555 10 04", "jm@penalver.test"],
  ["Łucja Wójcik", "Analyst", "+48 22 555 10 05", "lucja@mazury.test"],
  ["Дмитрий Соколов", "Инженер", "+7 495 555-10-06", "sokolov@volga.test"],
  ["Ольга Соколова", "Директор", "+7 495 555-10-07", "olga@volga.test"],
  ["王雪梅", "会计", "+86 10 5550 1008", "xm@changcheng.test"],
  ["ليلى القاسم", "مديرة", "+962 6 555 1009", "layla@petra.test"],
  ["Θεόδωρος Λάσκαρης", "Architect", "+30 21 0555 1010", "t@laskaris.test"],
  ["Siobhán O'Rourke", "Buyer", "+353 1 555 1011", "siobhan@orourke.test"],
  ["Jean-Luc d'Arcy", "Chef", "+33 1 55 50 10 12", "jl@darcy.test"],
];
const COMPANIES = [
  "Nordlicht Energie AG",
  "Fjord & Søn",
  "Petra Stones Ltd.",
  "长城贸易",
  "Brightwater Analytics",
  "3K",
];

const QUERIES: [q: string, fullName: string][] = [
  ["grunwald", "Anneliese Grünwald"],
  ["annelise grünwald", "Anneliese Grünwald"],
  ["anna gru", "Anna Grunow"],
  ["sales nordlicht", "Anneliese Grünwald"],
  ["ostergard", "Søren Østergaard"],
  ["soren", "Søren Østergaard"],
  ["penalver jose", "José María Peñalver"],
  ["peñalvre", "José María Peñalver"],
  ["wojcik", "Łucja Wójcik"],
  ["lucja", "Łucja Wójcik"],
  ["соколв дмитрий", "Дмитрий Соколов"],
  ["соколова", "Ольга Соколова"],
  ["雪梅", "王雪梅"],
  ["ليلى", "ليلى القاسم"],
  ["λασκαρης", "Θεόδωρος Λάσκαρης"],
  ["laskaris.test", "Θεόδωρος Λάσκαρης"],
  ["orourke", "Siobhán O'Rourke"],
  ["o'rourke", "Siobhán O'Rourke"],
  ["d’arcy", "Jean-Luc d'Arcy"],
  ["030 5550", "Anneliese Grünwald"],
  ["+7 495 5551007", "Ольга Соколова"],
  ["nordlicht", "Nordlicht Energie AG"],
  ["fjord son", "Fjord & Søn"],
  ["petra stone", "Petra Stones Ltd."],
  ["长城", "长城贸易"],
  ["birghtwater", "Brightwater Analytics"],
  ["3k", "3K"],
];

describeServer("The first three finds of a search", (scene) => {
  it("have what a reader has in mind", async () => {
    const { ada } = await scene.workspace();
    const api = scene.patientApi(ada);
    const people = PEOPLE.map(([fullName, jobTitle, phone, email]) => ({
      fullName,
      jobTitle,
      phones: [phone],
      emails: [email],
    }));
    await createAll(api, "/v1/people", people);
    await createAll(
      api,
      "/v1/companies",
      COMPANIES.map((name) => ({ name })),
    );
    for (const [q, wanted] of QUERIES) {
      const names = (await searched(api, q, "&limit=3")).map(({ fullName }) => fullName);
      expect([q, names]).toEqual([q, expect.arrayContaining([wanted])]);
    }
  });
});
