import type { Participant } from "contact-workspace-readers/interaction";
import { eachOnce } from "contact-workspace-readers/participants";
import { e164 } from "contact-workspace-readers/phone-numbers";
import type { CountryCode } from "libphonenumber-js/min";
import { timestampOf } from "../../base/values/times.ts";
import type { ImportedInteraction } from "./imported.ts";

/**
 * An interaction with all that may be left out or written in several ways in one form, so that equal ones are equal:
 * instants in UTC with milliseconds, telephone numbers in E.164 where they are numbers, each recipient once, the
 * privacy level, and the summary and the transcript of a call. `country` is where numbers without a country code are
 * dialled.
 */
export function normalForm(interaction: ImportedInteraction, country?: CountryCode): ImportedInteraction {
  const common = {
    dateTime: instant(interaction.dateTime),
    from: normalParticipant(interaction.from, country),
    to: eachOnce(interaction.to.map((recipient) => normalParticipant(recipient, country))),
    privacyLevel: interaction.privacyLevel ?? "full",
  };
  switch (interaction.interactionType) {
    case "calendar": {
      const { content } = interaction;
      const times = { startTime: instant(content.startTime), endTime: instant(content.endTime) };
      return { ...interaction, ...common, content: { ...content, ...times } };
    }
    case "call": {
      const { content } = interaction;
      const { summary = null, transcript = [] } = content;
      return { ...interaction, ...common, content: { ...content, summary, transcript } };
    }
    default:
      return { ...interaction, ...common };
  }
}

function normalParticipant({ value, ...participant }: Participant, country?: CountryCode): Participant {
  const number = participant.type === "phone" ? e164(value, country) : null;
  return { ...participant, value: number ?? value.trim() };
}

/** The schema has judged the text; what it would refuse stays as it is. */
function instant(text: string): string {
  return timestampOf(text) ?? text;
}
