/** What can be imported, and the native fields of it. */
export type ImportKind = "people" | "companies" | "objects";

export interface NativeField {
  name: string;
  /** Several columns may lead to it. */
  isList: boolean;
  /** The headings that mean the field, in the form that `plainHeading` gives. */
  headings: string[];
}

/** Headings are divided by spaces. */
const list = (name: string, headings: string): NativeField => ({ name, isList: true, headings: headings.split(" ") });
const single = (name: string, headings: string): NativeField => ({ ...list(name, headings), isList: false });

const CONTACT = [
  list(
    "emails",
    "email emails emailaddress mail mailaddress primaryemail workemail businessemail privateemail homeemail personalemail contactemail otheremail secondaryemail emailadresse adressemail courriel correoelectronico emailid emailids mailid mailids emailaddresses mailaddresses emailaddr emailadressen emailadres adresseemail correo",
  ),
  list(
    "phones",
    "phone phones phonenumber telephone tel mobile mobilephone mobilenumber cell cellphone workphone businessphone homephone primaryphone otherphone officephone contactphone telefon handy telefonnummer mobil mobilnummer mobiltelefon handynummer portable telefono movil cellulare phonenumbers phoneno phonenos phonenr telephones telephonenumber telephonenumbers telephoneno telno telnr telnumber mobiles mobilenumbers mobileno mobilenos mobilenr mobilephonenumber mobilephoneno cellno cellnumber cellphonenumber contactnumber contactnumbers contactno contactphonenumber whatsappnumber landline landlinenumber directphone directline directdial telefonnr mobilnr handynr numerodetelephone numerodetelefono",
  ),
  list(
    "urls",
    "url urls website websites web webpage webaddress homepage site websiteurl companywebsite linkedin linkedinurl linkedinprofile twitter twitterurl facebook domain webseite internet siteweb sitioweb",
  ),
  list(
    "addresses",
    "address addresses fulladdress postaladdress mailingaddress homeaddress workaddress businessaddress officeaddress location adresse anschrift direccion",
  ),
  single(
    "description",
    "description notes note comment comments bio biography about summary remarks beschreibung notiz notizen bemerkung bemerkungen kommentar remarques notas",
  ),
];

/** As a map names the id of a record, by which a row finds it. docs/guides/import.md#ids */
export const ID_FIELD = "id";

/** The native fields. A heading means the first that has it. docs/guides/import.md#columns */
export const NATIVE_FIELDS: Record<ImportKind, NativeField[]> = {
  people: [
    single(
      "firstName",
      "firstname first givenname forename christianname vorname prenom nombre firstnames givennames forenames fname",
    ),
    single(
      "lastName",
      "lastname last surname familyname secondname nachname nom familienname apellido apellidos cognome lastnames surnames familynames lname",
    ),
    single(
      "fullName",
      "fullname name displayname contactname personname person contact completename contactfullname contactpersonname wholename vollstandigername nomcomplet nombrecompleto nomecompleto",
    ),
    single(
      "birthday",
      "birthday birthdate dateofbirth dob born bday geburtstag geburtsdatum datedenaissance fechadenacimiento",
    ),
    single("gender", "gender sex geschlecht"),
    single(
      "jobTitle",
      "jobtitle title job position role occupation jobposition designation beruf funktion fonction cargo",
    ),
    list(
      "companies",
      "company companies companyname organisation organization organisationname organizationname org employer account accountname firma firmenname unternehmen societe entreprise empresa azienda currentcompany currentemployer employername business businessname workplace nameofcompany companyorganization unternehmensname arbeitgeber nomentreprise",
    ),
    ...CONTACT,
  ],
  companies: [
    single(
      "name",
      "name company companyname organisation organization organisationname organizationname account accountname legalname businessname firm security issuer firma firmenname unternehmen societe entreprise empresa azienda business nameofcompany companylegalname tradingname unternehmensname nomentreprise",
    ),
    single(
      "fundingRaised",
      "fundingraised funding totalfunding totalfundingraised fundingtotal totalfundingamount totalraised amountraised",
    ),
    single("lastFundingDate", "lastfundingdate lastfunding lastfundedat lastroundat lastrounddate lastfundingon"),
    single("industry", "industry industries sector branche gicssector"),
    single(
      "foundationYear",
      "foundationyear founded foundedyear yearfounded foundingyear foundedin established yearestablished grundungsjahr",
    ),
    single(
      "employeeRange",
      "employeerange employees employeecount numberofemployees noofemployees headcount companysize size staff mitarbeiter mitarbeiterzahl",
    ),
    ...CONTACT.map((field) =>
      field.name === "addresses"
        ? {
            ...field,
            headings: [
              ...field.headings,
              "headquarters",
              "headquarterslocation",
              "hq",
              "headoffice",
              "registeredoffice",
            ],
          }
        : field,
    ),
  ],
  objects: [
    single("name", "name title deal dealname object objectname opportunity opportunityname subject"),
    list(
      "companies",
      "company companies companyname organisation organization organisationname organizationname org account accountname firma firmenname unternehmen societe entreprise empresa azienda associatedcompany",
    ),
    list(
      "people",
      "person people contact contacts contactname contactperson primarycontact email emails emailaddress associatedcontact emailid mailid",
    ),
  ],
};

/** The parts of an address with the headings that mean them, in the order in which an address is put together. */
export const ADDRESS_PARTS: { part: string; headings: string[] }[] = [
  {
    part: "street",
    headings:
      "street streetaddress street1 addressline1 addressstreet address1 strasse strassehausnummer rue calle".split(" "),
  },
  { part: "street2", headings: "street2 addressline2 address2 strasse2".split(" ") },
  // Only presets know these two.
  { part: "street3", headings: [] },
  { part: "box", headings: [] },
  { part: "city", headings: "city town addresscity cityname ort stadt wohnort ville ciudad citta".split(" ") },
  {
    part: "region",
    headings: "state region province county addressstate stateprovince stateregion bundesland".split(" "),
  },
  {
    part: "zip",
    headings: "zip zipcode postalcode postcode addresszip zippostalcode plz postleitzahl codepostal codigopostal".split(
      " ",
    ),
  },
  { part: "country", headings: "country addresscountry countryregion land landregion pays pais".split(" ") },
];

/** `E-mail 1 - Value`, and `E-mail 1 - Type` beside it: the form that address books have for lists. */
const NUMBERED = /^(?<what>.*\S)\s+\d+\s+-\s+(?<part>value|label|type)$/i;

/**
 * A heading without letter case, accents, blanks, signs and a number at its end: `E-mail 2` is `email`, and so is
 * `E-mail 2 - Value`.
 */
export function plainHeading(heading: string): string {
  const { what, part } = partsOf(heading, NUMBERED);
  const letters = lettersOf(part?.toLowerCase() === "value" ? (what ?? heading) : heading);
  return letters.replace(/(?<!\d)\d+$/, "") || letters;
}

/** Whether a column only says of which kind the values of another are: `Phone 1 - Type`. */
export function isLabelHeading(heading: string): boolean {
  const part = partsOf(heading, NUMBERED).part?.toLowerCase();
  return part === "label" || part === "type";
}

/** No usual heading is longer. */
const HEADING_LENGTH_MAX = 200;
/** Letters that are no letter with an accent for Unicode. */
const SPELT = new Map([
  ["ß", "ss"],
  ["æ", "ae"],
  ["œ", "oe"],
  ["ø", "o"],
  ["ł", "l"],
]);

function partsOf(heading: string, form: RegExp): Record<string, string | undefined> {
  return (heading.length > HEADING_LENGTH_MAX ? undefined : form.exec(heading.trim())?.groups) ?? {};
}

function lettersOf(heading: string): string {
  if (heading.length > HEADING_LENGTH_MAX) return "";
  return heading
    .normalize("NFD")
    .toLowerCase()
    .replaceAll(/[ßæœøł]/g, (letter) => SPELT.get(letter) ?? letter)
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
}

/** `E-mail (work)`, and `E-mail - Work`. */
const WITH_KIND = [/^(?<what>[^([]+)[([](?<kind>[^()[\]]+)[)\]]\W*$/s, /^(?<what>.+?)\s+-\s+(?<kind>.+)$/s];
/** Words that say of which kind values are, and whether a form wants them. */
const KINDS = new Set(
  "work business office private personal home primary main secondary other alternate alternative additional default contact required optional mandatory geschaftlich privat dienstlich professionnel personnel".split(
    " ",
  ),
);
/** Fields of which records have values of several kinds. */
const OF_KINDS = ["emails", "phones", "urls", "addresses"];
/** What stands in brackets behind these says what they are of: `Number (Contact Numbers)`. */
const NEUTRAL = ["number", "numbers", "no", "value", "id"];
/** `Person - Email`, `Record > First name` and `Name / First Name`: the record, and what of it is meant. */
const OF_RECORD = /^(?<record>\p{L}+)(?:\s+[-/]\s|\s*[>:.])\s*(?<rest>.+)$/su;
const RECORDS: Record<ImportKind, string[]> = {
  people: ["person", "people", "contact", "contacts", "record", "lead", "name"],
  companies: ["company", "companies", "organization", "organisation", "account", "record"],
  objects: ["object", "deal", "opportunity", "record"],
};

/** The native field that a heading usually means. docs/guides/import.md#columns */
export function fieldOf(kind: ImportKind, heading: string): NativeField | undefined {
  const { record = "", rest } = partsOf(heading, OF_RECORD);
  const isOfRecord = rest !== undefined && RECORDS[kind].includes(record.toLowerCase());
  return fieldNamed(kind, heading) ?? (isOfRecord ? fieldNamed(kind, rest) : undefined);
}

function fieldNamed(kind: ImportKind, heading: string): NativeField | undefined {
  const parts = WITH_KIND.map((form) => partsOf(heading, form)).find(({ what }) => what !== undefined);
  const { what = "", kind: ofValues = "" } = parts ?? {};
  const plain = [plainHeading(heading), ...(what === "" ? [] : [lettersOf(`${ofValues}${what}`)])];
  return (
    NATIVE_FIELDS[kind].find(({ headings }) => plain.some((one) => headings.includes(one))) ??
    fieldOfWords(kind, heading) ??
    (what === "" ? undefined : fieldWithBracket(kind, what, ofValues))
  );
}

/** The field that is meant when the words for the kind of its values do not count. */
function fieldOfWords(kind: ImportKind, heading: string): NativeField | undefined {
  const name = wordsOf(heading)
    .filter((word) => !KINDS.has(word) && !/^\d+$/.test(word))
    .join("");
  return NATIVE_FIELDS[kind].find((field) => OF_KINDS.includes(field.name) && field.headings.includes(name));
}

/** A bracket says nothing new when it says the kind only, or means the same: `Email ID (Email IDs)`. */
function fieldWithBracket(kind: ImportKind, what: string, bracket: string): NativeField | undefined {
  const inBracket = fieldNamed(kind, bracket);
  if (NEUTRAL.includes(lettersOf(what))) return inBracket;
  const before = fieldNamed(kind, what);
  const isKind = wordsOf(bracket).every((word) => KINDS.has(word));
  return before && (isKind || before === inBracket) ? before : undefined;
}

function wordsOf(heading: string): string[] {
  if (heading.length > HEADING_LENGTH_MAX) return [];
  const divided = heading.replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2");
  return divided
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .map(lettersOf)
    .filter((word) => word !== "");
}

/** Whether a heading is the very name of the field, and not one of the other words for it. */
export function isExactly(field: NativeField, heading: string): boolean {
  return lettersOf(heading) === field.headings[0];
}

/** The part of an address that a heading usually means. A number at its end counts here: `street2` is the second line. */
export function addressPartOf(heading: string): string | undefined {
  const name = lettersOf(heading);
  return ADDRESS_PARTS.find(({ headings }) => headings.includes(name))?.part;
}

/** Whether a heading usually means anything, of whatever is imported. */
export function isKnownHeading(heading: string): boolean {
  return (
    addressPartOf(heading) !== undefined ||
    fieldOf("people", heading) !== undefined ||
    fieldOf("companies", heading) !== undefined
  );
}
