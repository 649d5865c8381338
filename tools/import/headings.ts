/** Kinds of records that can be imported, and their native fields. */
export type ImportKind = "people" | "companies" | "objects";

/** Words that make up the headings of a field: any before, one that means the field, and any behind it. */
export interface HeadingWords {
  before: string[];
  is: string[];
  behind: string[];
}

export interface NativeField {
  name: string;
  /** Several columns may lead to it. */
  isList: boolean;
  /** The headings that mean the field, in the form that `plainHeading` gives. */
  headings: string[];
  /** Further headings, where there are too many to be listed. */
  words?: HeadingWords;
}

/** Words are divided by blanks. */
const listed = (...words: string[]): string[] => words.join(" ").split(" ");

const list = (name: string, headings: string, words?: HeadingWords): NativeField => ({
  name,
  isList: true,
  headings: listed(headings),
  ...(words && { words }),
});
const single = (name: string, headings: string, words?: HeadingWords): NativeField => ({
  ...list(name, headings, words),
  isList: false,
});

/** Words that say which one of several addresses or numbers it is. */
export const KINDS = listed(
  "work business office professional corporate official private personal home house residence daytime evening primary main preferred default principal other second secondary alternate alternative additional extra",
  "arbeit buro geschafts geschaftlich geschaftliche dienst dienstlich dienstliche beruflich berufliche privat haupt weitere weiteres zweite zweites",
  "travail bureau professionnel professionnelle pro personnel personnelle perso domicile autre secondaire",
  "trabajo oficina laboral corporativo casa particular otro otra secundario lavoro ufficio aziendale personale principale altro secondario",
);

const EMAIL: HeadingWords = {
  before: [...KINDS, ...listed("contact user adresse adressede indirizzo indirizzodi direccionde")],
  is: listed(
    "email emails mail mails courriel courriels correo correos correoelectronico correoselectronicos postaelettronica adresseelectronique",
  ),
  behind: [...KINDS, ...listed("address addresses addr adresse adressen adres id ids konto de di")],
};

const PHONE: HeadingWords = {
  before: [...KINDS, ...listed("contact user direct numero numerode numerodi node n nde")],
  is: listed(
    "phone phones telephone telephones tel ph mob mobile mobiles cell cells cellphone cellular landline gsm whatsapp contactnumber contactnumbers contactno contactnos directnumber directline directdial",
    "telefon telefone mobil mobiltelefon handy festnetz rufnummer rufnummern durchwahl fixe portable telefono telefonos movil celular cellulare",
  ),
  behind: [
    ...KINDS,
    ...listed("number numbers no nos nr num line nummer nummern numero direct firma fijo fisso de di"),
  ],
};

const URL: HeadingWords = {
  before: [...KINDS, ...listed("public profile")],
  is: listed(
    "url urls link links website websites webpage webaddress websiteaddress homepage domain domains domainname linkedin twitter facebook",
    "webseite internetseite internetadresse siteweb siteinternet sitioweb paginaweb sitoweb",
  ),
  behind: [...KINDS, ...listed("url urls link links page profile")],
};

export const ADDRESS: HeadingWords = {
  before: [...KINDS, ...listed("full complete post postal mailing billing shipping delivery physical")],
  is: listed("address addresses adresse adressen anschrift direccion direcciones indirizzo indirizzi"),
  behind: [...KINDS, ...listed("postale postal complete completa completo")],
};

const COMPANY: HeadingWords = {
  before: listed(
    "current present primary main associated nameof nameder namedes nom nomde nomdel nomdela nombre nombrede nombredela nome nomedell nomedella",
  ),
  is: listed(
    "company companies organisation organisations organization organizations org employer employers firm firms firma firmen unternehmen unternehmens arbeitgeber",
    "entreprise entreprises employeur societe empresa empresas compania organizacion azienda aziende societa ditta organizzazione",
  ),
  behind: listed("name names or"),
};

const CONTACT = [
  list("emails", "email emails", EMAIL),
  list("phones", "phone phones", PHONE),
  list("urls", "url urls web site internet companywebsite", URL),
  list("addresses", "address addresses location", ADDRESS),
  single(
    "description",
    "description notes note comment comments bio biography about summary remarks beschreibung notiz notizen bemerkung bemerkungen kommentar kommentare remarques commentaire commentaires notas comentario comentarios",
  ),
];

/** Name of the record id in a map; a row finds its record by it. docs/guides/import-matching.md#ids */
export const ID_FIELD = "id";

/** The native fields. A heading means the first field that has it. docs/guides/import-columns.md#columns */
export const NATIVE_FIELDS: Record<ImportKind, NativeField[]> = {
  people: [
    single(
      "firstName",
      "firstname first fname givenname forename christianname firstnames givennames forenames vorname vornamen prenom prenoms nombre nombres nome",
    ),
    single(
      "lastName",
      "lastname last lname surname familyname secondname lastnames surnames familynames nachname familienname zuname nom nomdefamille apellido apellidos cognome",
    ),
    single(
      "fullName",
      "fullname name displayname contactname personname person contact contactperson completename wholename firstandlastname vollstandigername vorundnachname ansprechpartner kontakt kontaktname kontaktperson nomcomplet nombrecompleto nombreyapellidos nomecompleto nomeecognome nominativo",
    ),
    single(
      "birthday",
      "birthday birthdate dateofbirth dob born bday geburtstag geburtsdatum datedenaissance fechadenacimiento datadinascita",
    ),
    single("gender", "gender sex geschlecht"),
    single(
      "jobTitle",
      "jobtitle title job position currenttitle currentposition role occupation jobposition designation beruf berufsbezeichnung funktion fonction poste intituleduposte cargo puesto ruolo qualifica",
    ),
    list(
      "companies",
      "company companies account accountname business businessname workplace affiliation raisonsociale ragionesociale",
      COMPANY,
    ),
    ...CONTACT,
  ],
  companies: [
    single(
      "name",
      "name company companyname account accountname legalname companylegalname tradingname business businessname security issuer raisonsociale ragionesociale",
      COMPANY,
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
    list("companies", "company companies account accountname", COMPANY),
    list("people", "person people contact contacts contactname contactperson primarycontact associatedcontact", EMAIL),
  ],
};

/** The parts of an address with the headings that mean them, in the order in which an address is put together. */
export const ADDRESS_PARTS: { part: string; headings: string[] }[] = [
  {
    part: "street",
    headings: listed(
      "street streetaddress street1 addressline1 address1 strasse strassehausnummer strasseundhausnummer rue calle via",
    ),
  },
  { part: "street2", headings: listed("street2 addressline2 address2 strasse2") },
  // Only presets know these two.
  { part: "street3", headings: [] },
  { part: "box", headings: [] },
  { part: "city", headings: listed("city town cityname ort stadt wohnort ville ciudad citta") },
  {
    part: "region",
    headings: listed("state region province county stateprovince stateregion bundesland provincia"),
  },
  {
    part: "zip",
    headings: listed("zip zipcode postalcode postcode zippostalcode plz postleitzahl codepostal codigopostal cap"),
  },
  { part: "country", headings: listed("country countryregion land landregion pays pais paese") },
];

/** Names of the record that a heading may begin with: `Contact Email`, `Person - Name`. */
export const RECORDS: Record<ImportKind, string[]> = {
  people: listed(
    "person people contact contacts lead customer client member attendee participant candidate subscriber guest your ihre votre",
  ),
  companies: listed("company organization organisation account customer client vendor supplier your"),
  objects: listed("deal opportunity object"),
};

/** Remarks for people who fill in a form: `Email (required)`, `Birthday (DD/MM/YYYY)`. */
export const REMARKS = listed(
  "required optional mandatory pflichtfeld obligatoire facultatif obligatorio opcional obbligatorio facoltativo ifany ifapplicable",
  "withcountrycode inclcountrycode includingcountrycode format f w d dd m mm mmm mmmm yy yyyy tt jj jjjj aaaa",
);

/** Parts that say nothing beside another part: `Number (Contact Numbers)`, `Name (Company)`, `Phone - Value`. */
export const VAGUE = listed("name number numbers no value");
