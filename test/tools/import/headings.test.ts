import { describe, expect, it } from "@jest/globals";
import { addressPartOf, fieldOf } from "../../../tools/import/heading-meaning.ts";
import type { ImportKind } from "../../../tools/import/headings.ts";

/** What a heading means: a field, a part of an address, or nothing. */
const meaning = (kind: ImportKind, heading: string): string =>
  fieldOf(kind, heading)?.name ?? addressPartOf(kind, heading)?.part ?? "nothing";

/**
 * Headings of exports and forms, divided by bars: Attio, ERPNext, Eventbrite, Google, HubSpot, LinkedIn, Mailchimp,
 * Outlook, Pipedrive, Salesforce, Twenty, Zoho, in English, German, French, Spanish and Italian.
 */
const PEOPLE: [field: string, headings: string][] = [
  ["firstName", "First Name|Given Name|Forename|Given names|fname|FIRST_NAME|firstName|Contact First Name"],
  ["firstName", "Record > First name|Name / First Name|First name (contact)|Name (First)|Attendee first name"],
  ["firstName", "Vorname|Vornamen|Vorname / First name|Prénom|Prénoms|Prénom (obligatoire)|Nombre|Nombres|Nome"],
  ["lastName", "Last Name|Surname|Family Name|lname|Record > Last name|Name / Last Name|Last name (required)"],
  ["lastName", "Nachname|Familienname|Zuname|Nom|Nom de famille|Apellido|Apellidos|Cognome"],
  [
    "fullName",
    "Name|Full Name|Display Name|Contact|Contact Name|Person|Person - Name|Contact: Full Name|Customer Name",
  ],
  ["fullName", "Vor- und Nachname|Ansprechpartner|Kontaktperson|Nom complet|Nombre completo|Nombre y apellidos"],
  ["fullName", "Nome completo|Nome e cognome|Your name|Record > Name|Lead Name|Full name *"],
  [
    "birthday",
    "Birthday|Birthdate|Date of Birth|DOB|Birthday (DD/MM/YYYY)|Date of birth (yyyy-mm-dd)|Person - Birthday",
  ],
  [
    "birthday",
    "Geburtstag|Geburtsdatum (TT.MM.JJJJ)|Date de naissance (JJ/MM/AAAA)|Fecha de nacimiento|Data di nascita",
  ],
  [
    "jobTitle",
    "Job Title|Title|Position|Role|Designation|Contact Title|Record > Job title|Person - Job title|Occupation",
  ],
  ["jobTitle", "Berufsbezeichnung|Funktion|Fonction|Intitulé du poste|Poste|Cargo|Puesto|Ruolo|Qualifica"],
  [
    "companies",
    "Company|Company Name|Organisation|Organization Name|Employer|Firm|Firm name|Account Name|Organization",
  ],
  [
    "companies",
    "Current Company|Current employer|Company/Account|Name (Company)|Person - Organization|Name of company",
  ],
  ["companies", "Company (Organization)|Company (required)|Associated Company|Primary Company|Company - Name"],
  ["companies", "Firma|Firmenname|Firma/Organisation|Unternehmen|Arbeitgeber|Société|Entreprise|Nom de l'entreprise"],
  ["companies", "Raison sociale|Employeur|Empresa|Nombre de la empresa|Compañía|Azienda|Ragione sociale|Società|Ditta"],
  [
    "emails",
    "Email|E-mail|E-Mail Address|Email Address 1|Email 2 Address|E-mail 1 - Value|Mail|eMail|homeEmailAddress",
  ],
  ["emails", "Email ID|Email ID (Email IDs)|E-mail ID|Mail ID|e-mail ids|Primary Email|Work Email Address|workemail"],
  [
    "emails",
    "Email (required)|Email *|Email Address:|Contact Email|Lead Email|Official e-mail|Alternate Email|Email 2",
  ],
  [
    "emails",
    "Person - Email - Work|Person - Email - Home|Record > Email addresses > Email address|Emails / Primary Email",
  ],
  ["emails", "Contact > Email address|Email Address (Primary)|Email (work)|Work (Email)|Emails / Additional Emails"],
  ["emails", "Attendee email|User Email|Your email address|Secondary Email|Additional email addresses|email_address"],
  ["emails", "E-Mail-Adresse|E-Mail (privat)|E-Mail geschäftlich|Mailadresse|Zweite E-Mail|Weitere E-Mail-Adressen"],
  ["emails", "Adresse e-mail|Adresse mail|Adresse électronique|Courriel|E-mail professionnel|Mail perso"],
  ["emails", "Correo|Correo electrónico|Dirección de correo electrónico|Correo electrónico personal|Indirizzo email"],
  ["emails", "Indirizzo di posta elettronica|Posta elettronica|Email aziendale|Email lavoro"],
  ["phones", "Phone|Phone Number|Telephone|Telephone Number|Tel|Tel. No.|Ph|Ph. No.|Phone No|Phone #|Phone 2"],
  ["phones", "Mobile|Mobile No.|Mobile #|Mobile Phone Number|Cell|Cell No|Cell Phone|Cellphone number|Work mobile"],
  [
    "phones",
    "Number (Contact Numbers)|Contact Number|Contact No|Contact numbers|Direct Number|Direct Phone|Direct dial",
  ],
  ["phones", "Person - Phone - Work|Person - Phone - Mobile|Record > Phone numbers|Phones / Primary Phone Number"],
  [
    "phones",
    "Phone Number (Mobile)|Phone (work)|WhatsApp Number|WhatsApp Phone Number|Landline|Home Phone|Other Phone",
  ],
  ["phones", "Business Phone 2|Phone (with country code)|Phone (optional)|phone_number|mobilePhone|Phone 1 - Value"],
  ["phones", "Telefon|Telefonnummer|Telefon geschäftlich|Telefon (privat)|Tel.-Nr.|Handy|Handynummer|Mobiltelefon"],
  ["phones", "Mobil|Festnetz|Rufnummer|Durchwahl|Telefon Firma|Haupttelefon|Weiteres Telefon|Mobilnummer (privat)"],
  ["phones", "Téléphone|Téléphone portable|Tél. mobile|N° de téléphone|Numéro de téléphone|Portable|Téléphone fixe"],
  [
    "phones",
    "Teléfono|Teléfono móvil|Móvil|Celular|Número de teléfono|Nº de teléfono|Teléfono fijo|Teléfono de trabajo",
  ],
  ["phones", "Telefono|Cellulare|Telefono cellulare|Numero di telefono|Telefono ufficio"],
  [
    "urls",
    "Website|Web Site|Website URL|URL|Homepage|Web page|Personal Web Page|Link|Domain|Domains|Website 1 - Value",
  ],
  ["urls", "LinkedIn|LinkedIn URL|LinkedIn Profile URL|Person Linkedin Url|Public profile URL|Record > LinkedIn"],
  ["urls", "Facebook URL|Twitter|Webseite|Internetseite|Site web|Site internet|Página web|Sitio web|Sito web"],
  ["addresses", "Address|Full Address|Mailing Address|Home Address|Address (work)|Person - Postal address|Location"],
  ["addresses", "Billing Address|Shipping Address|Anschrift|Adresse|Adresse postale|Dirección|Indirizzo|Postanschrift"],
  [
    "description",
    "Notes|Note|Description|Comments|Bio|Notizen|Bemerkungen|Commentaires|Notas|Comentarios|Notes (optional)",
  ],
  [
    "street",
    "Mailing Street|Address - Street|Address_Street|Straße geschäftlich|Street|Street Address|Address Line 1|Straße|Straße und Hausnummer|Rue|Calle|Via",
  ],
  ["city", "Billing City|Address / City|Address (City)|Ort privat|Home City|City|Town|Ort|Stadt|Ville|Ciudad|Città"],
  [
    "zip",
    "Mailing Zip/Postal Code|Address / Postcode|Postleitzahl (privat)|Zip|ZIP Code|Postal Code|Postcode|PLZ|Code postal|Código postal|CAP",
  ],
  ["region", "Mailing State/Province|Business State|State|State/Region|Province|Bundesland|Provincia"],
  ["country", "Mailing Country|Other Country/Region|Country|Country/Region|Land|Pays|País|Paese"],
  [
    "nothing",
    "Phone model|Phone Type|Phone / Fax|Phone (fax)|Téléphone (fax)|Fax|Assistant phone|Phones / Primary Phone Country Code",
  ],
  ["nothing", "No phone|Phone verified|Emergency contact number|Phone calls|Mobile app|Mobile device|Handy Tarif"],
  ["nothing", "Company phone|Assistant's Phone|Is Primary Phone (Contact Numbers)|Phones / Primary Phone Calling Code"],
  [
    "nothing",
    "Email opt-in|Email Opt In|Email subject|Email status|Email - Status|Email Type|Email/Phone|Email sent|Email owner",
  ],
  [
    "nothing",
    "Is Primary (Email IDs)|ID (Email IDs)|Owner email|Email domain|Mailing list|Direct mail|Last email date",
  ],
  [
    "nothing",
    "Person - Email opt-out|Email newsletter|Mail merge|Email verified (work)|E-Mail-Typ|E-Mail: Angezeigter Name",
  ],
  [
    "nothing",
    "Company size|Company owner|Company type|Company ID|Company domain|Associated Company IDs|Previous company",
  ],
  ["nothing", "Business unit|Business type|Company address|Company Name for Emails|Firma seit|Organization - ID"],
  ["nothing", "Website visits|Link type|Website source|Site name|Photo URL|Profile picture URL|Record URL|Page views"],
  [
    "nothing",
    "Person responsible|Contact owner|Contact ID|Contact type|Contact source|Lead source|Lead Status|Customer since",
  ],
  ["nothing", "Username|User name|Member No|Number|Record ID|Work|Primary|Home|Other|Name Prefix|Middle Name|Nickname"],
  [
    "nothing",
    "First Name / Last Name|Phonetic First Name|Name of spouse|Manager's Name|Deal > First name|Job Description",
  ],
  ["nothing", "Address type|Notes count|Birthday reminder|Date of last contact|Contact date|Required|(DD/MM/YYYY)"],
  ["nothing", "Cityscape|Statement|Estate|Zipper|Company city|Country code|City guide|Work status|Land use|Ortsteil"],
];

const COMPANIES: [field: string, headings: string][] = [
  ["name", "Name|Company|Company Name|Organization - Name|Account Name|Record > Name|Legal name|Firma|Raison sociale"],
  ["name", "Customer Name|Business name|Firm|Company (required)|Organisation Name|Name (Company)|Unternehmensname"],
  ["urls", "Website|Company: Website|Record > Domains|Company Domain Name|Domain Name / Link URL|Company LinkedIn URL"],
  ["phones", "Phone|Account Phone|Company Phone|Organization - Phone|Main phone|Company phone number"],
  ["emails", "Email|Company Email|Organization email address|Contact email|Office e-mail"],
  ["city", "Billing City|Shipping City|Company City|City"],
  ["street2", "Address line 2|Billing Street 2"],
  ["addresses", "Address|Company address|Headquarters|Organization - Address|Registered office"],
  ["industry", "Industry|Organization - Industry|Sector|GICS Sector|Branche"],
  ["employeeRange", "Company size|Employees|Number of Employees|Record > Employee range|Organization - Employees"],
  ["foundationYear", "Founded|Year Founded|Company - Founded"],
  [
    "nothing",
    "Company owner|Company ID|Contact - Name|Primary Contact - Name|Account Owner|Account Number|Account type",
  ],
  [
    "nothing",
    "Parent Company|Website visits|Industry code|Number of Associated Contacts|Annual Revenue|Company lead status",
  ],
];

const OBJECTS: [field: string, headings: string][] = [
  ["name", "Name|Deal - Title|Deal name|Opportunity Name|Record > Name|Deal (required)"],
  ["companies", "Company|Deal - Organization|Account Name|Associated Company|Primary company"],
  ["people", "Contact|Deal - Contact person|Contact Email|Primary contact|Email ID|Associated Contact"],
  ["nothing", "Deal - Value|Deal owner|Deal stage|Opportunity Amount|Email subject|Company size|Contact owner|Phone"],
];

describe("A heading (docs/guides/import-columns.md#columns)", () => {
  const cases = (kind: ImportKind, rows: [field: string, headings: string][]) =>
    rows.map(([field, headings]): [ImportKind, string, string] => [kind, field, headings]);

  it.each([...cases("people", PEOPLE), ...cases("companies", COMPANIES), ...cases("objects", OBJECTS)])(
    "of %s means %s: %s",
    (kind, field, headings) => {
      const found = headings.split("|").map((heading) => [heading, meaning(kind, heading)]);
      expect(found).toEqual(headings.split("|").map((heading) => [heading, field]));
    },
  );

  it("is read at once, however long it is and however often its words repeat", () => {
    for (const word of ["mobile", "telephone", "no", "work", "company", "a/", "email ", "Work - ", "(", "n"])
      for (const times of [20, 100_000]) expect(meaning("people", `${word.repeat(times)}x`)).toBe("nothing");
  });
});
