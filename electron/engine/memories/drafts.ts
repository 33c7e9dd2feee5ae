/** Pure: facts that customers say about themselves, found by how they are said. Works without a model. */
import type { StoredTurn, Trust } from '../../../shared/conversation.ts';

/** A fact before it is anybody's memory. */
export interface MemoryDraft {
  text: string;
  /** What a later fact would contradict; null: nothing. */
  slot: string | null;
  turn: number;
  trust: Trust;
}

/** Turns into facts. May reject; must use nothing but the messages it is given. */
export interface Distiller {
  distil(turns: readonly StoredTurn[], signal: AbortSignal): Promise<MemoryDraft[]>;
}

/** Longest fact, in UTF-16 units. */
export const MOST_FACT_LENGTH = 200;
/** Most facts of one turn. */
const MOST_OF_TURN = 6;

interface Rule {
  slot: string | null;
  /** Group 1 is the value. */
  pattern: RegExp;
  say: (value: string) => string;
}

const NAME = String.raw`([\p{L}][\p{L}'’-]*(?: [\p{L}][\p{L}'’-]*){0,3}?)`;
const END = String.raw`(?=[.,;!?\n。、]|$| and | und | et | y )`;
const rule = (slot: string | null, pattern: string, say: (value: string) => string): Rule => ({
  slot,
  pattern: new RegExp(pattern, 'giu'),
  say,
});

const RULES: readonly Rule[] = [
  rule(
    'name',
    String.raw`\b(?:my name is|ich hei(?:ß|ss)e|mein name ist|je m['’]appelle|me llamo|mi nombre es) ${NAME}${END}`,
    (value) => `Name: ${value}`,
  ),
  rule('name', '(?:私の)?名前は([^\\s。、]{1,20}?)(?:です|と申します)', (value) => `Name: ${value}`),
  rule(
    'preferred name',
    String.raw`\b(?:call me|nennen sie mich|nenn mich|appelez-moi|llámame|llámeme) ${NAME}${END}`,
    (value) => `Wants to be called ${value}`,
  ),
  rule(
    'home',
    String.raw`\bi (?:now )?(?:live in|(?:have )?moved to|am moving to) ([\p{L}][\p{L} '’-]{1,50}?)${END}`,
    (value) => `Lives in ${value}`,
  ),
  rule(
    'home',
    String.raw`\b(?:ich wohne (?:jetzt )?in|j['’]habite (?:à|en)|vivo en) ([\p{L}][\p{L} '’-]{1,50}?)${END}`,
    (value) => `Lives in ${value}`,
  ),
  rule('home', '([^\\s。、]{1,20}?)に(?:住んで|引っ越し)', (value) => `Lives in ${value}`),
  rule(
    'contact',
    String.raw`\b(?:i(?:['’]d| would)? (?:really |always )?prefer|i want|ich bevorzuge|je préfère|prefiero) ((?:to be |being )?(?:contacted |reached |answered )?(?:by |via |per |par |por )?(?:e-?mail|phone|sms|text|whatsapp|post|letter|telefon|téléphone|correo|teléfono)[^.!?\n]{0,40}?)${END}`,
    (value) => `Prefers ${value}`,
  ),
  rule(
    'language',
    String.raw`\b(?:i(?:['’]d| would)? (?:really |always )?prefer|please (?:write|answer|reply) in|bitte auf) (english|german|french|spanish|italian|dutch|japanese|deutsch|englisch|französisch|spanisch)\b`,
    (value) => `Prefers ${value}`,
  ),
  rule(null, String.raw`\bi(?:['’]d| would)? (?:really |always )?prefer ([^.!?\n]{3,100})`, (value) => `Prefers ${value}`),
  rule(null, String.raw`\bi(?:['’]m| am) allergic to ([^.!?\n]{3,80})`, (value) => `Allergic to ${value}`),
  rule(null, String.raw`\b(?:please )?((?:always|never) [^.!?\n]{5,100})`, (value) => `Asked to ${value}`),
];
const OWN_DETAIL =
  /\bmy ((?:shoe |ring |shirt )?size|birthday|company|vat number|employer|delivery day|bike|phone model) is (?:now )?([^.!?\n]{1,80})/giu;

/** The facts of the customer's own words, oldest first. */
export function extractDrafts(turns: readonly StoredTurn[]): MemoryDraft[] {
  return turns.flatMap((turn) => {
    if (turn.forgottenAt !== undefined) return [];
    const found = turn.messages.filter((message) => message.role === 'user').flatMap((message) => draftsOf(message.content));
    return found.slice(0, MOST_OF_TURN).map((draft) => ({ ...draft, turn: turn.turn, trust: 'untrusted' as const }));
  });
}

function draftsOf(text: string): Pick<MemoryDraft, 'text' | 'slot'>[] {
  const drafts: Pick<MemoryDraft, 'text' | 'slot'>[] = [];
  const taken: { start: number; end: number }[] = [];
  const add = (match: RegExpMatchArray, fact: string, slot: string | null): void => {
    const start = match.index ?? 0;
    const end = start + match[0].length;
    // A general rule does not say again what a special one has said.
    if (taken.some((other) => start < other.end && other.start < end)) return;
    taken.push({ start, end });
    drafts.push({ text: tidy(fact), slot });
  };
  for (const { slot, pattern, say } of RULES) for (const match of text.matchAll(pattern)) add(match, say((match[1] ?? '').trim()), slot);
  for (const match of text.matchAll(OWN_DETAIL)) {
    const what = (match[1] ?? '').toLowerCase();
    add(match, `${what[0]?.toUpperCase() ?? ''}${what.slice(1)}: ${(match[2] ?? '').trim()}`, what);
  }
  return drafts;
}

export function tidy(text: string): string {
  const line = text.toWellFormed().replaceAll(/\s+/gu, ' ').trim();
  return line.length <= MOST_FACT_LENGTH
    ? line
    : `${line
        .slice(0, MOST_FACT_LENGTH - 1)
        .toWellFormed()
        .trimEnd()}…`;
}

/** Works everywhere, and says the same for the same turns. */
export const extractiveDistiller: Distiller = { distil: (turns) => Promise.resolve(extractDrafts(turns)) };
