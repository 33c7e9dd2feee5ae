/** Pure: the files a conversation is exported to. All text in them is data: none of it can break out of its place. */
import type { Conversation, StoredMessage } from '../../shared/conversation.ts';
import { formatReference } from '../../shared/ids.ts';
import type { Customer } from '../../shared/shop.ts';

export type { ImportConversation, ImportMessage, ImportResult } from './transcript-import.ts';
export { parseImport } from './transcript-import.ts';

export interface Transcript {
  conversation: Conversation;
  customer: Customer | null;
  /** All of them, oldest first. */
  messages: StoredMessage[];
}

/** Characters that change how a terminal or an editor shows what follows: C0 and C1 controls, line separators, direction and zero-width marks. */
const UNSEEN = /[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;

/** The same JSON value, with every unseen character escaped. */
function safeJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent);
  return text.replace(UNSEEN, (character) => (character === '\n' && indent ? character : escapeOf(character)));
}

function escapeOf(character: string): string {
  return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
}

/** One line in OpenAI chat form, which `parseImport` reads back to the same messages. */
export function exportOpenAi(transcript: Transcript): string {
  return `${safeJson({ messages: transcript.messages.map(openAiMessage) })}\n`;
}

function openAiMessage(message: StoredMessage): Record<string, unknown> {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: message.content };
    case 'tool':
      return { role: 'tool', tool_call_id: message.toolCallId ?? '', content: message.content };
    case 'assistant': {
      const calls = message.toolCalls ?? [];
      return {
        role: 'assistant',
        content: message.content === '' ? null : message.content,
        ...(calls.length > 0 && {
          tool_calls: calls.map((call) => ({
            id: call.id,
            type: 'function',
            function: { name: call.name, arguments: JSON.stringify(call.arguments) },
          })),
        }),
      };
    }
  }
}

/** The shape of `show --json`: ids of conversation and customer, times as UTC ISO text. */
export function exportJson(transcript: Transcript): string {
  const { conversation, messages } = transcript;
  const shown = messages.map((message) => ({
    id: message.id,
    turn: message.turn,
    role: message.role,
    content: message.content,
    ...(message.toolCalls && { toolCalls: message.toolCalls }),
    ...(message.toolCallId !== undefined && { toolCallId: message.toolCallId }),
    ...(message.state && { state: message.state }),
    at: isoTime(message.at),
  }));
  return `${safeJson({ conversation: conversation.id, customer: conversation.customerId, messages: shown }, 2)}\n`;
}

/** A page to read. Every text stands in a fence longer than any inside it, so no markup, link or picture of it takes effect. */
export function exportMarkdown(transcript: Transcript): string {
  const { conversation, customer, messages } = transcript;
  const facts = [
    ['Conversation', conversation.id],
    ['Title', conversation.title],
    ['Customer', customer === null ? (conversation.customerId ?? 'none') : `${customer.name} (${customer.id})`],
    ['Tenant', conversation.tenant],
    ['Actor', conversation.actor === null ? 'none' : formatReference(conversation.actor)],
    ['Subject', conversation.subject === null ? 'none' : formatReference(conversation.subject)],
    ['Started', isoTime(conversation.createdAt)],
  ] as const;
  const lines = ['# Nimbus conversation', '', ...facts.map(([label, value]) => `- ${label}: ${inlineCode(value)}`), ''];
  let turn: number | null = null;
  for (const message of messages) {
    if (message.turn !== turn) {
      turn = message.turn;
      lines.push(turn === 0 ? '## Before the first question' : `## Turn ${turn}`, '');
    }
    lines.push(...markdownMessage(message));
  }
  return `${lines.join('\n').trimEnd()}\n`;
}

function markdownMessage(message: StoredMessage): string[] {
  const mark = message.state === undefined ? '' : ` (${message.state})`;
  const head = `**${speakerOf(message)}**${mark}, ${isoTime(message.at)}`;
  const lines = [head, ''];
  if (message.content !== '') lines.push(...fenced(message.content), '');
  for (const call of message.toolCalls ?? []) {
    lines.push(`Calls ${inlineCode(call.name)} (${inlineCode(call.id)}):`, '', ...fenced(safeJson(call.arguments)), '');
  }
  return lines;
}

function speakerOf(message: StoredMessage): string {
  switch (message.role) {
    case 'user':
      return message.origin === 'human' ? 'Agent' : 'Customer';
    case 'assistant':
      return message.origin === 'human' ? 'Agent' : 'Nimbus';
    case 'tool':
      return `Result of ${inlineCode(message.toolName ?? 'tool')} for ${inlineCode(message.toolCallId ?? '')}`;
  }
}

/** Latest time a Date can show. */
const MAX_TIME = 8.64e15;

function isoTime(at: number): string {
  return Number.isFinite(at) && Math.abs(at) <= MAX_TIME ? new Date(at).toISOString() : 'unknown time';
}

function fenced(text: string): string[] {
  const runs = [...text.matchAll(/`+/gu)].map((run) => run[0].length);
  const fence = '`'.repeat(Math.max(3, ...runs.map((length) => length + 1)));
  return [`${fence}text`, ...visible(text).split('\n'), fence];
}

function inlineCode(text: string): string {
  const line = visible(text).replace(/\s+/gu, ' ').replaceAll('`', "'").trim();
  return line === '' ? '(none)' : `\`${line}\``;
}

/** Unseen characters as escapes; line breaks and tabs stay. */
function visible(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/gu, '\n')
    .replace(UNSEEN, (character) => (character === '\n' || character === '\t' ? character : escapeOf(character)));
}
