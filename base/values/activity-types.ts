/**
 * Kinds of a logged interaction, besides an emoji: an activity, or the app by which it went.
 * docs/guides/interactions.md#activity-types
 */
export const ACTIVITY_TYPES = [
  ...["call", "meeting", "message", "coffee", "lunch", "event", "drink"],
  ...["whatsapp", "twitter", "linkedin", "hangout", "skype", "slack", "iMessage", "fbMessenger", "signal", "discord"],
  ...["wechat", "telegram", "viber"],
] as const;

/** Length of what names an activity. docs/guides/limits.md#sizes */
export const ACTIVITY_TYPE_LENGTH_MAX = 50;

// Many clients send an emoji without the character that asks for its picture, such as a telephone.
const EMOJI = /^(?:\p{RGI_Emoji}|[\p{Emoji}--[#*0-9]]\uFE0F?)$/v;

/** Whether a text names an activity: one of the words, or one emoji. */
export function isActivityType(text: string): boolean {
  return (ACTIVITY_TYPES as readonly string[]).includes(text) || EMOJI.test(text);
}
